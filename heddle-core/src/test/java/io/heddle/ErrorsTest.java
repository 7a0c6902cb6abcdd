package io.heddle;

import static io.heddle.Select.orElse;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.internal.inspect.Invariants;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Unexpected errors in every place where user code runs: the right handler gets the error, and the
 * scheduler continues (rule G5).
 */
@HangGuard
class ErrorsTest {
  private static final Duration SHORT = Duration.ofMillis(1);

  private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
  private final Scheduler scheduler =
      Scheduler.builder().procs(2).uncaught((_, e) -> uncaught.add(e)).build();

  /** A way to throw, displayed by the name of the type. */
  private record Fault(Class<? extends Throwable> type, Task task) {
    @Override
    public String toString() {
      return type.getSimpleName();
    }

    void run() {
      try {
        task.run();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Neither an Exception nor an Error: {@code catch (Exception | Error e)} does not catch it. */
  private static final class Bare extends Throwable {}

  @SuppressWarnings("removal") // old code still throws ThreadDeath
  static Stream<Fault> faults() {
    return Stream.of(
        new Fault(StackOverflowError.class, ErrorsTest::overflow),
        new Fault(ThreadDeath.class, () -> sneakyThrow(new ThreadDeath())),
        new Fault(OutOfMemoryError.class, () -> sneakyThrow(new OutOfMemoryError("says the test"))),
        new Fault(
            ExceptionInInitializerError.class,
            () -> sneakyThrow(new ExceptionInInitializerError())),
        new Fault(Bare.class, () -> sneakyThrow(new Bare())));
  }

  @AfterEach
  @HangGuard
  void schedulerStillWorks() throws Exception {
    for (int i = 0; i < 10; i++) {
      scheduler.go(Go::gosched).join();
    }
    scheduler.run(() -> Go.sleep(SHORT));
    Await.until(scheduler::goroutines, 0);
    Await.idle(scheduler);
    Invariants.check(scheduler.sched());
    scheduler.close();
  }

  @ParameterizedTest
  @MethodSource("faults")
  void errorInGoroutineReachesHandler(Fault fault) throws Exception {
    scheduler.go(fault.task()).join();
    assertUncaught(fault);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void errorInFactoryThreadReachesHandler(Fault fault) throws Exception {
    Thread thread = scheduler.threadFactory().newThread(fault::run);
    thread.start();
    thread.join();
    assertUncaught(fault);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void errorInExecutorTaskIsInFutureOrReachesHandler(Fault fault) throws Exception {
    try (ExecutorService executor = scheduler.executor()) {
      Future<?> future = executor.submit(fault::run);
      assertThatThrownBy(future::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(fault.type());
      executor.execute(fault::run);
    }
    Await.until(() -> !uncaught.isEmpty()); // the executor finishes slightly before that
    assertUncaught(fault);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void errorInUncaughtHandlerIsLogged(Fault fault) throws Exception {
    try (LogCapture log = new LogCapture();
        Scheduler other =
            Scheduler.builder().name("hard").procs(1).uncaught((_, _) -> fault.run()).build()) {
      Goroutine failed =
          other.go(
              () -> {
                throw new IllegalStateException("first");
              });
      failed.join();
      other.go(() -> {}).join();
      assertThat(log.messages())
          .singleElement()
          .asString()
          .contains("scheduler hard: the uncaught handler failed for goroutine " + failed.id());
    }
  }

  @ParameterizedTest
  @MethodSource("faults")
  void errorInTimerTaskReachesHandler(Fault fault) {
    Chan<Boolean> next = Chan.make(1);
    runHere(
        () -> {
          Timer _ = Timer.schedule(SHORT, fault::run);
          Timer _ = Timer.schedule(SHORT, () -> next.trySend(true));
          next.receive();
        });
    Await.until(() -> !uncaught.isEmpty());
    assertUncaught(fault);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void errorInContextCallbackReachesHandler(Fault fault) {
    Chan<Boolean> next = Chan.make(1);
    runHere(
        () -> {
          Context.Cancelable context = Context.background().withCancel();
          context.onDone(fault::run);
          context.onDone(() -> next.trySend(true));
          context.cancel();
          next.receive();
        });
    Await.until(() -> !uncaught.isEmpty());
    assertUncaught(fault);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void errorInGroupEndsTheOthersAndIsThrownByAwait(Fault fault) {
    runHere(
        () -> {
          try (Group group = new Group()) {
            group.go(() -> group.context().done().receive());
            group.go(fault.task());
            assertFault(fault, group::await);
          }
        });
    assertThat(uncaught).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("faults")
  void errorInMainGoroutineIsThrownByRun(Fault fault) {
    assertFault(fault, () -> scheduler.run(fault.task()));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void errorInSelectHandlerLeavesChannelIntact(Fault fault) {
    runHere(
        () -> {
          Chan<Integer> chan = Chan.make(2);
          chan.send(1);
          chan.send(2);
          assertFault(fault, () -> select(recv(chan, _ -> fault.run()), orElse()));
          assertThat(chan.receive()).isEqualTo(2);
        });
  }

  @ParameterizedTest
  @MethodSource("faults")
  void errorInBlockingCallTakesThePBack(Fault fault) {
    runHere(
        () ->
            assertFault(
                fault,
                () ->
                    Go.blocking(
                        () -> {
                          fault.task().run();
                          return 1;
                        })));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void errorInLockedGoroutineFreesItsThread(Fault fault) throws Exception {
    scheduler
        .go(
            () -> {
              Go.lockThread();
              fault.task().run();
            })
        .join();
    assertUncaught(fault);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void errorInWaitGroupTaskCountsAsDone(Fault fault) {
    runHere(
        () -> {
          WaitGroup group = new WaitGroup();
          group.go(fault.task());
          group.await();
        });
    Await.until(() -> !uncaught.isEmpty());
    assertUncaught(fault);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void errorInSingleFlightReachesItsCallers(Fault fault) {
    runHere(
        () -> {
          SingleFlight<String, Integer> flight = new SingleFlight<>();
          assertFault(
              fault,
              () ->
                  flight.run(
                      "key",
                      () -> {
                        fault.task().run();
                        return 1;
                      }));
          assertThat(flight.run("key", () -> 2)).isEqualTo(2);
        });
  }

  private void runHere(Task task) {
    try {
      scheduler.run(task);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void assertUncaught(Fault fault) {
    assertThat(uncaught).singleElement().satisfies(e -> assertIsFault(fault, e));
  }

  private static void assertFault(Fault fault, Task task) {
    assertThatThrownBy(task::run).satisfies(e -> assertIsFault(fault, e));
  }

  /** Some callers cannot throw a bare Throwable: then it is the cause. */
  private static void assertIsFault(Fault fault, Throwable thrown) {
    Throwable cause =
        fault.type() == Bare.class && thrown.getCause() != null ? thrown.getCause() : thrown;
    assertThat(cause).isInstanceOf(fault.type());
  }

  private static void overflow() {
    int _ = deeper(0);
  }

  private static int deeper(int depth) {
    return deeper(depth + 1) + 1;
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void sneakyThrow(Throwable t) throws E {
    throw (E) t;
  }
}
