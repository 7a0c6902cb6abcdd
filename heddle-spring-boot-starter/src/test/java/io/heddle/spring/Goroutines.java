package io.heddle.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** What tests ask of a thread. */
final class Goroutines {
  /** Part of what a goroutine of the shared scheduler calls itself while it runs. */
  static final String SHARED = "@heddle-shared-M";

  private Goroutines() {}

  /** Returns what a task of the executor says about its thread. */
  static String threadOf(Executor executor) throws Exception {
    CompletableFuture<String> thread = new CompletableFuture<>();
    executor.execute(() -> thread.complete(Thread.currentThread().toString()));
    return thread.get(30, TimeUnit.SECONDS);
  }

  static void assertOnGoroutines(Executor executor, String name) throws Exception {
    assertThat(threadOf(executor)).contains(name, SHARED);
  }

  static void assertOnTheJdksScheduler(Executor executor) throws Exception {
    assertThat(threadOf(executor)).contains("VirtualThread[").doesNotContain("heddle");
  }
}
