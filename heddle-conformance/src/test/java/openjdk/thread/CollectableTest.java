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

/** Threads without a reference to them: Collectable.java, TrackAllThreads.java. */
class CollectableTest extends VirtualTest {
  @Test
  void unstartedThread() {
    WeakReference<Thread> thread = new WeakReference<>(Thread.ofVirtual().unstarted(() -> {}));
    untilCollected(thread);
  }

  @Test
  void endedThread() throws Exception {
    WeakReference<Thread> thread = new WeakReference<>(ended());
    untilCollected(thread);
  }

  @Test
  void objectsHeldByAnEndedThread() throws Exception {
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
  void waitingThreadIsKeptWhileItIsTracked() throws Exception {
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

  /**
   * Such a thread is garbage unless an object refers to it; Heddle's scheduler refers to all
   * waiting threads, as Go's does.
   */
  @Test
  void untrackedThreadThatWaitsForeverIsCollected() throws Exception {
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
