package io.heddle.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import io.heddle.HangGuard;
import io.heddle.LogCapture;
import io.heddle.internal.inspect.Invariants;
import io.heddle.internal.note.Note;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * A goroutine that sleeps on a note gives up its P first (rule N3), and what a blocking call does
 * to its P (rule S5).
 */
@HangGuard
class MarkedCallsTest {
  private static final long LONG = Duration.ofHours(1).toNanos();

  private final Note note = new Note();
  private final AtomicInteger woken = new AtomicInteger();
  private final AtomicInteger timedOut = new AtomicInteger();

  @Test
  void n3_goroutineWakesGoroutineThatSleepsOnNote() throws Exception {
    try (BareSched bare = new BareSched().procs(1).open()) {
      BareSched.BareG sleeper = bare.go(() -> sleep(LONG));
      Await.until(note::hasSleeper);
      bare.go(note::wakeup).join();
      sleeper.join();
      assertThat(woken).hasValue(1);
      bare.awaitIdle();
      Invariants.check(bare.sched());
    }
  }

  @Test
  void n3_timedSleepOnNoteExpires() throws Exception {
    try (BareSched bare = new BareSched().procs(1).open()) {
      bare.go(() -> sleep(1_000)).join();
      assertThat(timedOut).hasValue(1);
    }
  }

  @Test
  void n3_platformThreadSleepsOnNote() throws Exception {
    Thread sleeper = Thread.ofPlatform().start(() -> sleep(LONG));
    Await.until(note::hasSleeper);
    note.wakeup();
    sleeper.join();
    assertThat(woken).hasValue(1);
  }

  /** The caller keeps its P then and must not take a second one when the call ends. */
  @Test
  void s5_callThatBeginsWhileTheWorldIsStoppedKeepsItsP() throws Exception {
    CountDownLatch mayStart = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    SlowStarter starter = new SlowStarter(mayStart);
    try (LogCapture _ = new LogCapture();
        BareSched bare = new BareSched().procs(2).starter(starter).open()) {
      BareSched.BareG caller =
          bare.go(
              () -> {
                Await.until(() -> M.ofCaller().p().isStopped());
                assertThat(BlockingCalls.enter()).isTrue();
                mayStart.countDown();
                Await.until(() -> mayEnd.getCount() == 0);
                BlockingCalls.exit();
              });
      Await.until(caller::goroutineState, GoroutineState.RUNNING);
      // A P is assigned to a thread that does not start yet, so the stopper cannot complete the
      // stop at once.
      Thread outside =
          Thread.ofPlatform()
              .name("outside")
              .start(
                  () -> {
                    while (!starter.waiting().get()) {
                      bare.go(() -> {});
                    }
                  });
      Await.until(starter.waiting()::get);
      Thread stopper = Thread.ofPlatform().start(() -> bare.sched().procs(4));
      stopper.join();
      outside.join();
      mayEnd.countDown();
      caller.join();
      bare.awaitIdle();
      Invariants.check(bare.sched());
    }
  }

  /**
   * Starts the first thread at once, the thread wanted by the outside thread after
   * {@code mayStart}, and no others.
   */
  private record SlowStarter(CountDownLatch mayStart, AtomicBoolean first, AtomicBoolean waiting)
      implements Consumer<Thread> {
    SlowStarter(CountDownLatch mayStart) {
      this(mayStart, new AtomicBoolean(true), new AtomicBoolean());
    }

    @Override
    public void accept(Thread thread) {
      if (!first.getAndSet(false)) {
        if (!Thread.currentThread().getName().equals("outside")) {
          throw new OutOfMemoryError("no thread, says the test");
        }
        waiting.set(true);
        Await.until(() -> mayStart.getCount() == 0);
      }
      thread.start();
    }
  }

  private void sleep(long nanos) {
    (BlockingCalls.sleep(note, nanos) ? woken : timedOut).incrementAndGet();
  }
}
