package openjdk.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import openjdk.VirtualTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Start, run, and the current thread: the first part of ThreadAPI.java. */
class StartTest extends VirtualTest {
  @Test
  void theCurrentThreadIsTheSameBeforeAndAfterAPark() throws Exception {
    Started<Thread[]> started =
        call(
            () -> {
              Thread before = Thread.currentThread();
              LockSupport.park();
              return new Thread[] {before, Thread.currentThread()};
            });
    LockSupport.unpark(await(started.thread(), Thread.State.WAITING));
    assertThat(started.result()).containsOnly(started.thread());
  }

  @Test
  void theCurrentThreadIsTheSameBeforeInAndAfterAMonitor() throws Exception {
    Object monitor = new Object();
    Started<Thread[]> started;
    synchronized (monitor) {
      started =
          call(
              () -> {
                Thread before = Thread.currentThread();
                Thread inside;
                synchronized (monitor) {
                  inside = Thread.currentThread();
                }
                return new Thread[] {before, inside, Thread.currentThread()};
              });
      await(started.thread(), Thread.State.BLOCKED);
    }
    assertThat(started.result()).containsOnly(started.thread());
  }

  @Test
  void theCurrentThreadIsTheSameBeforeInAndAfterALock() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    lock.lock();
    Started<Thread[]> started =
        call(
            () -> {
              Thread before = Thread.currentThread();
              lock.lock();
              Thread inside = Thread.currentThread();
              lock.unlock();
              return new Thread[] {before, inside, Thread.currentThread()};
            });
    await(started.thread(), Thread.State.WAITING);
    lock.unlock();
    assertThat(started.result()).containsOnly(started.thread());
  }

  @Test
  void runDoesNothing() {
    AtomicBoolean ran = new AtomicBoolean();
    Thread.ofVirtual().unstarted(() -> ran.set(true)).run();
    assertThat(ran).isFalse();
  }

  @Test
  void nothingRunsBeforeTheStart() throws Exception {
    AtomicBoolean ran = new AtomicBoolean();
    Thread thread = Thread.ofVirtual().unstarted(() -> ran.set(true));
    assertThat(ran).isFalse();
    thread.start();
    thread.join();
    assertThat(ran).isTrue();
  }

  @Test
  void startedThreadCannotBeStartedAgain() throws Exception {
    Thread thread = Thread.ofVirtual().start(LockSupport::park);
    assertThatExceptionOfType(IllegalThreadStateException.class).isThrownBy(thread::start);
    LockSupport.unpark(thread);
    thread.join();
    assertThatExceptionOfType(IllegalThreadStateException.class).isThrownBy(thread::start);
  }

  @Test
  void startVirtualThread() throws Exception {
    Thread[] current = new Thread[1];
    Thread thread = Thread.startVirtualThread(() -> current[0] = Thread.currentThread());
    thread.join();
    assertThat(current[0]).isSameAs(thread);
    assertThat(thread.isVirtual()).isTrue();
    assertThat(thread.getName()).isEmpty();
    assertThatNullPointerException().isThrownBy(() -> Thread.startVirtualThread(null));
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_25, disabledReason = "JDK 26 has no Thread.stop any more")
  @SuppressWarnings("removal")
  void stopIsRefused() throws Exception {
    virtually(
        () ->
            assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> Thread.currentThread().stop()));
    Thread parked = Thread.ofVirtual().start(LockSupport::park);
    assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(parked::stop);
    LockSupport.unpark(parked);
    parked.join();
  }

  @Test
  void aThreadIsAliveFromItsStartToItsEnd() throws Exception {
    Thread thread = Thread.ofVirtual().unstarted(LockSupport::park);
    assertThat(thread.isAlive()).isFalse();
    thread.start();
    assertThat(thread.isAlive()).isTrue();
    LockSupport.unpark(thread);
    thread.join();
    assertThat(thread.isAlive()).isFalse();
  }
}
