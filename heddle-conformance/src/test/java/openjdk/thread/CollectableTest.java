package openjdk.thread;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import java.lang.ref.WeakReference;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import openjdk.VirtualTest;
import openjdk.World;
import openjdk.child.WorldJvm;
import org.junit.jupiter.api.Test;

/** Threads that nobody knows any more: Collectable.java, TrackAllThreads.java. */
class CollectableTest extends VirtualTest {
  @Test
  void oneThatNeverStarted() {
    WeakReference<Thread> thread = new WeakReference<>(Thread.ofVirtual().unstarted(() -> {}));
    untilCollected(thread);
  }

  @Test
  void oneThatHasEnded() throws Exception {
    WeakReference<Thread> thread = new WeakReference<>(ended());
    untilCollected(thread);
  }

  @Test
  void whatItHeldWhenItHasEnded() throws Exception {
    Object[] held = {new Object()};
    WeakReference<Object> reference = new WeakReference<>(held[0]);
    Object mine = held[0];
    ThreadLocal<Object> local = new ThreadLocal<>();
    Thread thread = Thread.ofVirtual().start(() -> local.set(held[0]));
    thread.join();
    assertThat(mine).isNotNull();
    mine = null;
    held[0] = null;
    untilCollected(reference);
    assertThat(thread.getState()).isEqualTo(Thread.State.TERMINATED);
  }

  @Test
  void oneThatWaitsIsNotCollectedWhileItIsTracked() throws Exception {
    CountDownLatch parked = new CountDownLatch(1);
    WeakReference<Thread> thread =
        new WeakReference<>(
            Thread.ofVirtual()
                .start(
                    () -> {
                      parked.countDown();
                      LockSupport.park();
                    }));
    parked.await();
    for (int i = 0; i < 5; i++) {
      System.gc();
    }
    assertThat(thread.get()).isNotNull();
    LockSupport.unpark(thread.get());
    thread.get().join();
  }

  /** Such a thread is garbage, unless somebody knows it; our scheduler knows all that wait, as Go's does. */
  @Test
  void oneThatWaitsForEverIsForgottenIfNobodyKeepsTrack() throws Exception {
    ChildJvm.Result result =
        WorldJvm.inThisWorld("-Djdk.trackAllThreads=false").run("openjdk.child.Forgotten");
    assertThat(result.out().strip())
        .as(result.toString())
        .isEqualTo(World.current() == World.JDK ? "collected" : "kept");
  }

  private static Thread ended() throws InterruptedException {
    Thread thread = Thread.ofVirtual().start(() -> {});
    thread.join();
    return thread;
  }

  private static void untilCollected(WeakReference<?> reference) {
    until(
        () -> {
          System.gc();
          return reference.get() == null;
        });
  }
}
