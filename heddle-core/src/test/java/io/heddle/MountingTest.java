package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.jdk.Mounter;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.testkit.ChildJvm;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goroutines step on and off their Ms by a way of our own, and nobody who looks from outside can tell. */
@HangGuard
class MountingTest {
  private static final long LONG_ENOUGH = 1_500_000_000;

  private final AtomicBoolean over = new AtomicBoolean();
  private final Queue<Object> wrong = new ConcurrentLinkedQueue<>();

  @BeforeAll
  static void open() {
    VirtualThreads.ensureOpen(); // continuations, too
  }

  @Test
  void theWayIsOurOwnOnThisJdk() {
    assertThat(Mounter.isOwn()).isTrue();
  }

  /** Fails within seconds if a goroutine steps off without a look whether somebody is about to interrupt its M. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anInterruptNeverHitsTheNextOne(int procs) throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      Goroutine target = scheduler.go(() -> yieldUntilOver(() -> Thread.interrupted()));
      scheduler.go(() -> yieldUntilOver(this::watchCarrier));
      scheduler.go(() -> yieldUntilOver(this::watchCarrier));
      long end = System.nanoTime() + LONG_ENOUGH;
      while (System.nanoTime() < end) {
        Await.until(target.thread()::isInterrupted, false);
        target.interrupt();
      }
      over.set(true);
    }
    assertThat(wrong).isEmpty();
  }

  private void watchCarrier() {
    for (int i = 0; i < 20; i++) {
      if (VirtualThreads.carrier().isInterrupted()) {
        wrong.add("carrier of one that nobody interrupts");
      }
    }
  }

  /** Fails within seconds if a goroutine steps on without a fence before the look whether it is interrupted. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anInterruptReachesTheCarrierOfWhoIsJustSteppingOn(int procs) throws Exception {
    AtomicInteger sent = new AtomicInteger();
    AtomicInteger seen = new AtomicInteger();
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      scheduler.go(() -> yieldUntilOver(() -> {}));
      Goroutine target =
          scheduler.go(
              () -> {
                for (int round = 1; !over.get(); round++) {
                  while (!Thread.currentThread().isInterrupted()) {
                    Go.gosched();
                  }
                  while (sent.get() < round) { // it may not be interrupted altogether
                    Thread.onSpinWait();
                  }
                  if (!VirtualThreads.carrier().isInterrupted()) {
                    wrong.add("round " + round);
                  }
                  boolean _ = Thread.interrupted();
                  seen.set(round);
                }
              });
      long end = System.nanoTime() + LONG_ENOUGH;
      for (int round = 1; !over.get(); round++) {
        over.set(System.nanoTime() > end); // this is the last one
        target.interrupt();
        sent.set(round);
        Await.until(seen::get, round);
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void whoOnlyYieldsIsAlwaysRunnable() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      Goroutine yields = scheduler.go(() -> yieldUntilOver(() -> {}));
      scheduler.go(() -> yieldUntilOver(() -> {}));
      for (int i = 0; i < 200_000; i++) {
        Thread.State state = yields.thread().getState();
        // Blocked: by this very question, as in the JDK.
        if (state != Thread.State.RUNNABLE && state != Thread.State.BLOCKED) {
          wrong.add(state);
        }
      }
      over.set(true);
    }
    assertThat(wrong).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void eachKeepsItsScopedValues(int procs) throws Exception {
    ScopedValue<Integer> number = ScopedValue.newInstance();
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      for (int i = 0; i < 8; i++) {
        int mine = i;
        scheduler.go(
            () ->
                ScopedValue.where(number, mine)
                    .run(
                        () -> {
                          for (int k = 0; k < 10_000; k++) {
                            if (number.get() != mine) {
                              wrong.add(number.get() + " instead of " + mine);
                            }
                            Go.gosched();
                          }
                        }));
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** From inside of a continuation of somebody else's the goroutine steps off with all of its stack. */
  @Test
  void oneWaitsInsideOfAnotherContinuation() throws Exception {
    ContinuationScope scope = new ContinuationScope("of a test");
    Chan<Integer> numbers = Chan.make();
    AtomicInteger sum = new AtomicInteger();
    try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
      scheduler.go(
          () -> {
            Continuation inner =
                new Continuation(
                    scope,
                    () -> {
                      for (int i = 0; i < 1_000; i++) {
                        sum.addAndGet(receive(numbers));
                        Go.gosched();
                        Continuation.yield(scope);
                      }
                    });
            while (!inner.isDone()) {
              inner.run();
            }
          });
      scheduler.go(
          () -> {
            for (int i = 0; i < 1_000; i++) {
              numbers.send(i);
            }
          });
    }
    assertThat(sum).hasValue(999 * 1_000 / 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdk", "own"})
  void theWayCanBeChosen(String way) throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath().flags("-Dheddle.mount=" + way).run("child.Mounted");
    assertThat(result.err()).isEmpty();
    assertThat(result.out().strip()).isEqualTo(way + " 499500");
  }

  @Test
  void aWayThatThereIsNotIsAnError() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath().env("HEDDLE_MOUNT", "none").run("child.Mounted");
    assertThat(result.exitCode()).isNotZero();
    assertThat(result.err()).contains("heddle.mount is \"none\": allowed is own or jdk");
  }

  @Test
  void theWayIsFoundByWhoIsInterruptedToo() throws Exception {
    ChildJvm.Result result = ChildJvm.onClassPath().run("child.Mounted", "interrupted");
    assertThat(result.err()).isEmpty();
    assertThat(result.out().strip()).isEqualTo("own true");
  }

  private static int receive(Chan<Integer> numbers) {
    try {
      return numbers.receive();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void yieldUntilOver(Runnable each) {
    while (!over.get()) {
      each.run();
      Go.gosched();
    }
  }
}
