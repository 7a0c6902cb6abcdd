package io.heddle.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import io.heddle.HangGuard;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A foreign thread unparks goroutines while its stack overflows and every M sleeps. */
@HangGuard
class StrandedGoroutinesTest {
  /** So few that the last unpark still lacks stack space and wakes no M. */
  private static final int SLEEPERS = 40;

  private static final int SMALL_STACK = 256 * 1024;
  private static final long IDLE_TIME = 10_000_000;

  private final Thread[] threads = new Thread[SLEEPERS];
  private int next;
  private int failed;

  @Test
  void strandedGoroutinesRunWhenAnIdleMWakes() throws Exception {
    BareSched bare = new BareSched().procs(2).idleTime(IDLE_TIME).open();
    for (int i = 0; i < SLEEPERS; i++) {
      threads[i] = bare.go(LockSupport::park).thread();
    }
    for (Thread thread : threads) {
      Await.until(thread::getState, Thread.State.WAITING);
    }
    bare.awaitIdle();
    Thread outside = new Thread(null, this::overflow, "small", SMALL_STACK);
    outside.start();
    outside.join();
    assertThat(next).isEqualTo(SLEEPERS);
    Await.until(() -> living() <= failed);
    bare.awaitIdle();
    if (bare.sched().goroutines() == 0) { // otherwise close would wait for the lost goroutines
      bare.close();
    }
  }

  private long living() {
    return Arrays.stream(threads).filter(Thread::isAlive).count();
  }

  private void overflow() {
    try {
      descend();
    } catch (StackOverflowError e) {
      // As intended.
    }
  }

  private void descend() {
    try {
      descend();
    } catch (StackOverflowError e) {
      if (next < SLEEPERS) {
        int i = next++;
        try {
          LockSupport.unpark(threads[i]);
        } catch (StackOverflowError again) {
          failed++; // the JDK may have lost the unpark before it reached the scheduler
        }
      }
      throw e;
    }
  }
}
