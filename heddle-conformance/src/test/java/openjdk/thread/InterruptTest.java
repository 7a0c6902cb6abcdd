package openjdk.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.channels.Selector;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import openjdk.VirtualTest;
import org.junit.jupiter.api.Test;

/** Thread.interrupt: ThreadAPI.java. */
class InterruptTest extends VirtualTest {
  @Test
  void ofOneself() throws Exception {
    virtually(
        () -> {
          Thread me = Thread.currentThread();
          assertThat(me.isInterrupted()).isFalse();
          me.interrupt();
          assertThat(me.isInterrupted()).isTrue();
          assertThat(Thread.interrupted()).isTrue();
          assertThat(me.isInterrupted()).isFalse();
          me.interrupt();
        });
  }

  @Test
  void beforeTheStart() throws Exception {
    boolean[] seen = new boolean[1];
    Thread thread = Thread.ofVirtual().unstarted(() -> seen[0] = Thread.interrupted());
    thread.interrupt();
    assertThat(thread.isInterrupted()).isTrue();
    thread.start();
    thread.join();
    assertThat(seen[0]).isTrue();
  }

  @Test
  void afterTheEnd() throws Exception {
    Thread thread = Thread.ofVirtual().start(() -> {});
    thread.join();
    thread.interrupt();
    assertThat(thread.isInterrupted()).isTrue();
  }

  @Test
  void isVisibleAfterTheEnd() throws Exception {
    Thread thread = Thread.ofVirtual().start(() -> Thread.currentThread().interrupt());
    thread.join();
    assertThat(thread.isInterrupted()).isTrue();
  }

  @Test
  void endsASleepAndIsCleared() throws Exception {
    Started<Void> started =
        start(
            () -> {
              assertThatExceptionOfType(InterruptedException.class)
                  .isThrownBy(() -> Thread.sleep(3_600_000));
              assertThat(Thread.interrupted()).isFalse();
            });
    await(started.thread(), Thread.State.TIMED_WAITING).interrupt();
    started.result();
  }

  @Test
  void endsAParkAndStays() throws Exception {
    Started<Boolean> started =
        call(
            () -> {
              LockSupport.park();
              return Thread.interrupted();
            });
    await(started.thread(), Thread.State.WAITING).interrupt();
    assertThat(started.result()).isTrue();
  }

  @Test
  void interruptedThreadDoesNotPark() throws Exception {
    virtually(
        () -> {
          Thread.currentThread().interrupt();
          LockSupport.park();
          LockSupport.parkNanos(Long.MAX_VALUE);
          assertThat(Thread.interrupted()).isTrue();
        });
  }

  @Test
  void interruptedThreadDoesNotWait() throws Exception {
    virtually(
        () -> {
          Thread.currentThread().interrupt();
          Object monitor = new Object();
          synchronized (monitor) {
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(monitor::wait);
          }
          assertThat(Thread.interrupted()).isFalse();
        });
  }

  @Test
  void endsASelectAndStays() throws Exception {
    CountDownLatch about = new CountDownLatch(1);
    Started<Boolean> started =
        call(
            () -> {
              try (Selector selector = Selector.open()) {
                about.countDown();
                selector.select();
                return Thread.interrupted();
              }
            });
    about.await();
    started.thread().interrupt();
    assertThat(started.result()).isTrue();
  }

  @Test
  void interruptedThreadDoesNotSelect() throws Exception {
    virtually(
        () -> {
          Thread.currentThread().interrupt();
          try (Selector selector = Selector.open()) {
            selector.select();
          }
          assertThat(Thread.interrupted()).isTrue();
        });
  }

  @Test
  void endsALockThatCanBeInterrupted() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    lock.lock();
    Started<Void> started =
        start(
            () ->
                assertThatExceptionOfType(InterruptedException.class)
                    .isThrownBy(lock::lockInterruptibly));
    await(started.thread(), Thread.State.WAITING).interrupt();
    started.result();
    assertThat(lock.hasQueuedThreads()).isFalse();
  }

  @Test
  void doesNotEndALockThatCannot() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    lock.lock();
    Started<Boolean> started =
        call(
            () -> {
              lock.lock();
              lock.unlock();
              return Thread.interrupted();
            });
    await(started.thread(), Thread.State.WAITING).interrupt();
    await(started.thread(), Thread.State.WAITING);
    lock.unlock();
    assertThat(started.result()).isTrue();
  }

  @Test
  void endsATake() throws Exception {
    SynchronousQueue<String> queue = new SynchronousQueue<>();
    Started<Void> started =
        start(() -> assertThatExceptionOfType(InterruptedException.class).isThrownBy(queue::take));
    await(started.thread(), Thread.State.WAITING).interrupt();
    started.result();
  }
}
