package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.inspect.Invariants;
import io.heddle.testkit.ChildJvm;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An exception that leaves a goroutine reaches the handler and affects no other goroutine: rule G5.
 */
@HangGuard
class UncaughtTest {
  private record UncaughtCall(Goroutine goroutine, Throwable thrown) {}

  private final Queue<UncaughtCall> seen = new ConcurrentLinkedQueue<>();

  @ParameterizedTest
  @MethodSource("throwables")
  void g5_handlerGetsGoroutineAndThrowable(Throwable thrown) throws Exception {
    try (Scheduler scheduler = recording()) {
      Goroutine g = scheduler.go("thrower", () -> sneakyThrow(thrown));
      g.join();
      assertThat(seen).containsExactly(new UncaughtCall(g, thrown));
    }
  }

  static Stream<Throwable> throwables() {
    return Stream.of(
        new IllegalStateException("unchecked"),
        new IOException("checked"),
        new AssertionError("an error"),
        new OutOfMemoryError("not really"),
        new Throwable("neither"));
  }

  @Tag("machine")
  @Test
  void g5_handlerCanReadIdAndCreator() throws Exception {
    AtomicReference<Goroutine> child = new AtomicReference<>();
    AtomicReference<Goroutine> parent = new AtomicReference<>();
    try (Scheduler scheduler = recording()) {
      parent.set(
          scheduler.go(
              () ->
                  child.set(
                      Go.go(
                          () -> {
                            throw new IOException();
                          }))));
    }
    LiveGoroutine told = (LiveGoroutine) seen.element().goroutine();
    assertThat(told).isSameAs(child.get());
    assertThat(told.id()).isPositive().isNotEqualTo(parent.get().id());
    assertThat(told.creator()).isEqualTo(parent.get().id());
    assertThat(told.site().getClassName()).startsWith(UncaughtTest.class.getName());
  }

  @Test
  void g5_stackOverflowEndsOnlyItsGoroutine() throws Exception {
    try (Scheduler scheduler = recording()) {
      for (int i = 0; i < 10; i++) {
        scheduler.go(() -> overflow(0));
      }
      assertRuns(scheduler, 100);
    }
    assertThat(seen).hasSize(10).allMatch(s -> s.thrown() instanceof StackOverflowError);
  }

  @Tag("machine")
  @Test
  void g5_failedGoroutineKillsNoMAndLosesNoP() throws Exception {
    try (Scheduler scheduler = recording()) {
      for (int i = 0; i < 1_000; i++) {
        scheduler.go(() -> sneakyThrow(new IOException()));
      }
      assertRuns(scheduler, 100);
      Await.idle(scheduler);
      Invariants.check(scheduler.sched());
      assertThat(scheduler.stats().threads()).as("Ms, for one P").isLessThan(10);
    }
    assertThat(seen).hasSize(1_000);
  }

  @Test
  void g5_handlerThatThrowsIsLogged() throws Exception {
    try (LogCapture log = new LogCapture();
        Scheduler scheduler =
            Scheduler.builder()
                .name("thrower")
                .procs(1)
                .uncaught((_, e) -> sneakyThrow(new Error("in the handler")))
                .build()) {
      Goroutine g = scheduler.go(() -> sneakyThrow(new IOException("first")));
      g.join();
      assertRuns(scheduler, 100);
      assertThat(log.messages())
          .singleElement()
          .asString()
          .contains("scheduler thrower: the uncaught handler failed for goroutine " + g.id())
          .contains("in the handler");
    }
  }

  @Test
  void g5_handlerMayBlockAndStartGoroutines() throws Exception {
    AtomicInteger started = new AtomicInteger();
    try (Scheduler scheduler =
        Scheduler.builder()
            .procs(1)
            .uncaught(
                (_, _) -> {
                  Go.gosched();
                  Go.go(started::incrementAndGet);
                })
            .build()) {
      scheduler.go(() -> sneakyThrow(new IOException()));
    }
    assertThat(started).hasValue(1);
  }

  @Test
  void g5_handlerOfTheThreadReplacesTheSchedulersHandler() throws Exception {
    AtomicReference<Throwable> users = new AtomicReference<>();
    try (Scheduler scheduler = recording()) {
      Thread thread = scheduler.threadFactory().newThread(() -> sneakyThrow(new Error("mine")));
      thread.setUncaughtExceptionHandler((_, e) -> users.set(e));
      thread.start();
      thread.join();
    }
    assertThat(users.get()).hasMessage("mine");
    assertThat(seen).isEmpty();
  }

  @Tag("machine")
  @Test
  void g5_exceptionOfAdoptedThreadReachesTheHandler() throws Exception {
    AtomicReference<Thread> child = new AtomicReference<>();
    Error thrown = new Error("in the child");
    try (Scheduler scheduler = recording()) {
      scheduler.run(
          () -> {
            child.set(Thread.startVirtualThread(() -> sneakyThrow(thrown)));
            child.get().join();
          });
    }
    assertThat(seen).singleElement().extracting(UncaughtCall::thrown).isSameAs(thrown);
    assertThat(seen.element().goroutine().thread()).isSameAs(child.get());
  }

  @Test
  void g5_defaultHandlerPrintsGoroutineStackAndCreator() throws Exception {
    ChildJvm.Result result = ChildJvm.onClassPath().run("child.Throws");
    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertThat(result.out()).isEqualToIgnoringNewLines("goes on");
    List<String> block = result.err().lines().toList();
    assertThat(block.getFirst())
        .matches("Exception in goroutine \\d+ \"thrower\" java.io.IOException: broken");
    assertThat(block).anyMatch(line -> line.contains("at child.Throws.fail("));
    assertThat(block.getLast())
        .matches("created by child.Throws.*\\(Throws.java:\\d+\\) in goroutine \\d+");
  }

  private Scheduler recording() {
    return Scheduler.builder()
        .procs(1)
        .uncaught((g, e) -> seen.add(new UncaughtCall(g, e)))
        .build();
  }

  private static void assertRuns(Scheduler scheduler, int n) throws InterruptedException {
    AtomicInteger runs = new AtomicInteger();
    for (int i = 0; i < n; i++) {
      scheduler.go(runs::incrementAndGet).join();
    }
    assertThat(runs).hasValue(n);
  }

  private static int overflow(int depth) {
    return overflow(depth + 1) + 1;
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void sneakyThrow(Throwable t) throws E {
    throw (E) t;
  }
}
