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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Goroutines are mounted by {@code OwnMounter}, and other threads cannot tell the difference. */
@HangGuard
@Tag("jdks")
class MounterTest {
  private static final long LONG_ENOUGH = 1_500_000_000;

  private final AtomicBoolean over = new AtomicBoolean();
  private final Queue<Object> wrong = new ConcurrentLinkedQueue<>();

  @BeforeAll
  static void open() {
    VirtualThreads.ensureOpen(); // continuations, too
  }

  @Test
  void theOwnMounterIsUsedOnThisJdk() {
    assertThat(Mounter.current().name()).isEqualTo("own");
  }

  /**
   * Fails within seconds if an unmount does not check whether a thread is about to interrupt the
   * carrier.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anInterruptNeverHitsTheNextGoroutine(int procs) throws Exception {
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
        wrong.add("the carrier of a goroutine that is never interrupted");
      }
    }
  }

  /** Fails within seconds if a mount has no fence before it reads the interrupt status. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anInterruptDuringAMountReachesTheCarrier(int procs) throws Exception {
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
                  while (sent.get() < round) { // until interrupt() has returned
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
        over.set(System.nanoTime() > end); // the last round
        target.interrupt();
        sent.set(round);
        Await.until(seen::get, round);
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void aGoroutineThatOnlyYieldsIsAlwaysRunnable() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      Goroutine yields = scheduler.go(() -> yieldUntilOver(() -> {}));
      scheduler.go(() -> yieldUntilOver(() -> {}));
      for (int i = 0; i < 200_000; i++) {
        Thread.State state = yields.thread().getState();
        // BLOCKED: by getState itself, as in the JDK.
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
  void eachGoroutineKeepsItsScopedValues(int procs) throws Exception {
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

  /**
   * A goroutine that waits inside a continuation of the program's unmounts with its whole stack.
   */
  @Test
  void aGoroutineWaitsInsideAnotherContinuation() throws Exception {
    ContinuationScope scope = new ContinuationScope("of a test");
    Chan<Integer> numbers = Chan.make();
    AtomicInteger sum = new AtomicInteger();
    AtomicInteger runs = new AtomicInteger();
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
              runs.incrementAndGet();
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
    assertThat(runs).hasValue(1_000 + 1); // a wait does not leave the inner continuation
  }

  /**
   * Compiled by C2, an unmount that has no fence before setCurrentThread loses writes: the carrier
   * keeps the last goroutine reachable, and each switch empties the cache of scoped values.
   */
  @ParameterizedTest
  @CsvSource({
    "own, -XX:-TieredCompilation",
    "own, -XX:TieredStopAtLevel=1",
    "own, -Xint",
    "jdk, -XX:-TieredCompilation"
  })
  void unmountDoesAllItsWrites(String mounter, String compiler) throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .flags("--add-opens=java.base/jdk.internal.vm=ALL-UNNAMED")
            .flags(compiler, "-XX:-BackgroundCompilation", "-Dheddle.mount=" + mounter)
            .run("child.UnmountWrites");
    assertThat(result.err()).isEmpty();
    assertThat(result.out().strip()).isEqualTo(mounter + " 0 0 0");
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(strings = {"jdk", "own"})
  void theMounterCanBeChosen(String mounter) throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath().flags("-Dheddle.mount=" + mounter).run("child.Mounted");
    assertThat(result.err()).isEmpty();
    assertThat(result.out().strip()).isEqualTo(mounter + " 499500");
  }

  @Test
  void anUnknownMounterIsAnError() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath().env("HEDDLE_MOUNT", "none").run("child.Mounted");
    assertThat(result.exitCode()).isNotZero();
    assertThat(result.err()).contains("heddle.mount is \"none\": allowed is own or jdk");
  }

  @Test
  void anInterruptedThreadCanOpenTheOwnMounterAndStaysInterrupted() throws Exception {
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
