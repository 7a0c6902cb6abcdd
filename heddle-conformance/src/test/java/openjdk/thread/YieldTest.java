package openjdk.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import openjdk.Pinned;
import openjdk.VirtualTest;
import org.junit.jupiter.api.Test;

/** Thread.yield and onSpinWait: ThreadAPI.java, YieldALot.java, ThreadPollOnYield.java. */
class YieldTest extends VirtualTest {
  @Test
  void leavesThePermit() throws Exception {
    virtually(
        () -> {
          LockSupport.unpark(Thread.currentThread());
          Thread.yield();
          LockSupport.park();
        });
  }

  @Test
  void givesNoPermit() throws Exception {
    Started<Void> started =
        start(
            () -> {
              Thread.yield();
              LockSupport.park();
            });
    LockSupport.unpark(await(started.thread(), Thread.State.WAITING));
    started.result();
  }

  @Test
  void whilePinnedGoesOn() throws Exception {
    virtually(
        () ->
            Pinned.run(
                () -> {
                  Thread me = Thread.currentThread();
                  Thread.yield();
                  assertThat(Thread.currentThread()).isSameAs(me);
                }));
  }

  @Test
  void letsOthersRunSomeTime() throws Exception {
    AtomicInteger turn = new AtomicInteger();
    Started<Void> one = start(() -> pass(turn, 0));
    Started<Void> other = start(() -> pass(turn, 1));
    one.result();
    other.result();
    assertThat(turn).hasValue(2_000);
  }

  @Test
  void yieldLoopSeesWritesOfOthers() throws Exception {
    AtomicInteger done = new AtomicInteger();
    Started<Void> one =
        start(
            () -> {
              while (done.get() == 0) {
                Thread.yield();
              }
            });
    start(() -> done.set(1)).result();
    one.result();
  }

  @Test
  void spinningDoesNotChangeTheThread() throws Exception {
    virtually(
        () -> {
          Thread me = Thread.currentThread();
          Thread.onSpinWait();
          assertThat(Thread.currentThread()).isSameAs(me);
        });
  }

  private static void pass(AtomicInteger turn, int mine) {
    for (int i = 0; i < 1_000; i++) {
      while (turn.get() % 2 != mine) {
        Thread.yield();
      }
      turn.incrementAndGet();
    }
  }
}
