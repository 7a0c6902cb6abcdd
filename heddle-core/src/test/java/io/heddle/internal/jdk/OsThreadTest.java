package io.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.heddle.Await;
import io.heddle.HangGuard;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

@HangGuard
class OsThreadTest {
  private final AtomicBoolean over = new AtomicBoolean();

  @Test
  void oneThatComputesIsRunnableAndOneThatWaitsIsNot() throws Exception {
    assumeTrue(OsThread.current() != null, "the system has no /proc/thread-self");
    OsThread computes = started(Thread::onSpinWait);
    OsThread waits = started(() -> LockSupport.park(this));
    Await.until(() -> !waits.isRunnable());
    Await.until(computes::isRunnable); // not always: the JVM stops it now and then
    assertThat(waits.isRunnable()).isFalse();
    over.set(true);
  }

  @Test
  void oneThatHasEndedIsNot() throws Exception {
    assumeTrue(OsThread.current() != null, "the system has no /proc/thread-self");
    over.set(true);
    OsThread ends = started(Thread::onSpinWait);
    Await.until(() -> !ends.isRunnable());
  }

  private OsThread started(Runnable work) throws Exception {
    CompletableFuture<OsThread> itself = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              itself.complete(OsThread.current());
              while (!over.get()) {
                work.run();
              }
            });
    return itself.get();
  }
}
