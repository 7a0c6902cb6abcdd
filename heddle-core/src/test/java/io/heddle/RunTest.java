package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The main goroutine: {@link Scheduler#run} and {@link Go#main}, rule G4. */
@HangGuard
class RunTest {
  private final Scheduler scheduler = Scheduler.builder().procs(1).build();

  @AfterEach
  @HangGuard
  void close() {
    scheduler.shutdownNow();
  }

  @Test
  void g4_runReturnsWhenTheMainGoroutineDoes() throws Exception {
    AtomicReference<Goroutine> main = new AtomicReference<>();
    scheduler.run(() -> main.set(Go.current()));
    assertThat(main.get().name()).isEqualTo("main");
    assertThat(main.get().state()).isEqualTo(Goroutine.State.DEAD);
  }

  @Test
  void g4_otherGoroutinesAreAbandoned() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    AtomicReference<Goroutine> other = new AtomicReference<>();
    scheduler.run(() -> other.set(Go.go(gate::await)));
    assertThat(other.get().state()).isNotEqualTo(Goroutine.State.DEAD);
    gate.countDown();
    other.get().join(); // and continues
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void runRethrowsTheExceptionOfMain(Throwable thrown) {
    assertThatThrownBy(() -> scheduler.run(() -> sneakyThrow(thrown))).isSameAs(thrown);
  }

  static Stream<Throwable> throwables() {
    return Stream.of(
        new IOException("checked"),
        new IllegalStateException("unchecked"),
        new AssertionError("error"));
  }

  @Test
  void bareThrowableOfMainIsTheCause() {
    Throwable odd = new Throwable("odd");
    assertThatThrownBy(() -> scheduler.run(() -> sneakyThrow(odd))).hasCause(odd);
  }

  @Test
  void traceOfAnExceptionLeadsToTheCallerOfRun() {
    IOException thrown = new IOException("where from?");
    assertThatThrownBy(() -> scheduler.run(() -> sneakyThrow(thrown))).isSameAs(thrown);
    List<StackTraceElement> here = List.of(new Throwable().getStackTrace());
    assertThat(List.of(thrown.getStackTrace())).endsWith(tail(here)).contains(runFrame(thrown));
  }

  /** A program may keep an exception, and throw it again and again. */
  @Test
  void traceOfAKeptExceptionDoesNotGrow() {
    IOException kept = new IOException("kept");
    int[] depths = new int[3];
    for (int i = 0; i < depths.length; i++) {
      assertThatThrownBy(() -> scheduler.run(() -> sneakyThrow(kept))).isSameAs(kept);
      depths[i] = kept.getStackTrace().length;
    }
    assertThat(depths).containsOnly(depths[0]);
  }

  @Test
  void exceptionWithoutTraceStaysWithoutOne() {
    Exception bare = new Exception("bare", null, false, false) {};
    assertThatThrownBy(() -> scheduler.run(() -> sneakyThrow(bare))).isSameAs(bare);
    assertThat(bare.getStackTrace()).isEmpty();
  }

  /** Leaves out the test method's own frame, which is at another line by now. */
  private static StackTraceElement[] tail(List<StackTraceElement> frames) {
    return frames.subList(1, frames.size()).toArray(StackTraceElement[]::new);
  }

  private static StackTraceElement runFrame(Throwable thrown) {
    return Stream.of(thrown.getStackTrace())
        .filter(frame -> frame.getClassName().equals(Scheduler.class.getName()))
        .filter(frame -> frame.getMethodName().equals("run"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void exceptionOfMainDoesNotReachTheHandler() {
    AtomicBoolean told = new AtomicBoolean();
    try (Scheduler other = Scheduler.builder().uncaught((_, _) -> told.set(true)).build()) {
      assertThatThrownBy(() -> other.run(() -> sneakyThrow(new IOException())))
          .isInstanceOf(IOException.class);
    }
    assertThat(told).isFalse();
  }

  @Test
  void interruptOfTheCallerReachesMain() throws Exception {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    AtomicBoolean stillInterrupted = new AtomicBoolean();
    Thread caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    scheduler.run(() -> Thread.sleep(1_000_000));
                  } catch (Exception e) {
                    thrown.set(e);
                    stillInterrupted.set(Thread.currentThread().isInterrupted());
                  }
                });
    Await.until(() -> caller.getState() == Thread.State.WAITING);
    caller.interrupt();
    caller.join();
    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    assertThat(stillInterrupted).isTrue();
  }

  @Test
  void goroutineMayCallRunOnItsScheduler() throws Exception {
    AtomicReference<Goroutine> inner = new AtomicReference<>();
    scheduler.run(() -> scheduler.run(() -> inner.set(Go.current())));
    assertThat(inner.get()).isNotNull();
  }

  @Test
  void goMainRunsOnTheSharedScheduler() throws Exception {
    AtomicReference<Scheduler> seen = new AtomicReference<>();
    Go.main(() -> seen.set(Scheduler.current()));
    assertThat(seen.get()).isSameAs(Scheduler.shared());
    assertThatThrownBy(() -> Go.main(() -> sneakyThrow(new IOException("out"))))
        .isInstanceOf(IOException.class);
  }

  @Test
  void nullTaskThrowsNullPointerException() {
    List<Task> uses =
        List.of(
            () -> scheduler.go(null),
            () -> scheduler.go("name", null),
            () -> scheduler.go(null, () -> {}),
            () -> scheduler.run(null),
            () -> Go.go(null),
            () -> Go.go("name", null),
            () -> Go.main(null));
    for (Task use : uses) {
      assertThatThrownBy(use::run).isInstanceOf(NullPointerException.class);
    }
    assertThat(scheduler.stats().started()).isZero();
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void sneakyThrow(Throwable t) throws E {
    throw (E) t;
  }
}
