package openjdk.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import openjdk.VirtualTest;
import org.junit.jupiter.api.Test;

/**
 * What tools show about the carrier of a virtual thread: CarrierThreadInfo.java,
 * CarrierThreadWaits.java, VirtualThreadDeadlocks.java.
 */
class CarrierTest extends VirtualTest {
  private static final ThreadMXBean BEAN = ManagementFactory.getThreadMXBean();

  private final Object monitor = new Object();
  private final AtomicBoolean done = new AtomicBoolean();

  @Test
  void itWaitsForTheThreadThatItCarries() throws Exception {
    whileComputing(
        (thread, carrier) -> {
          ThreadInfo info = BEAN.getThreadInfo(carrier.threadId());
          assertThat(info.getLockOwnerId()).isEqualTo(thread.threadId());
          assertThat(info.getLockInfo().getClassName()).isEqualTo("java.lang.VirtualThread");
          assertThat(info.getLockInfo().getIdentityHashCode())
              .isEqualTo(System.identityHashCode(thread));
          assertThat(info.getThreadState()).isEqualTo(Thread.State.WAITING);
        });
  }

  @Test
  void itsStackIsItsOwn() throws Exception {
    whileComputing(
        (_, carrier) -> {
          StackTraceElement[] stack = carrier.getStackTrace();
          assertThat(stack).isNotEmpty();
          assertThat(mentions(stack, "CarrierTest")).isFalse();
          assertThat(
                  mentions(stack, "VirtualThread.runContinuation")
                      || mentions(stack, "io.heddle.internal.jdk.OwnMounter.run"))
              .isTrue();
        });
  }

  @Test
  void itHoldsNoMonitorThatTheThreadHolds() throws Exception {
    whileComputing(
        (_, carrier) -> {
          ThreadInfo info = BEAN.getThreadInfo(new long[] {carrier.threadId()}, true, true)[0];
          assertThat(Arrays.stream(info.getLockedMonitors()))
              .noneMatch(held -> held.getIdentityHashCode() == System.identityHashCode(monitor));
        });
  }

  @Test
  void virtualThreadsAreUnknownToTheBean() throws Exception {
    Thread thread = Thread.ofVirtual().start(LockSupport::park);
    await(thread, Thread.State.WAITING);
    assertThat(BEAN.getThreadInfo(thread.threadId())).isNull();
    assertThat(BEAN.getAllThreadIds()).doesNotContain(thread.threadId());
    assertThat(BEAN.findDeadlockedThreads()).isNull();
    LockSupport.unpark(thread);
    thread.join();
  }

  @Test
  void aCarrierIsADaemonWhoseInterruptsAreItsOwn() throws Exception {
    whileComputing(
        (thread, carrier) -> {
          assertThat(carrier.isDaemon()).isTrue();
          assertThat(carrier.isVirtual()).isFalse();
          thread.interrupt();
          assertThat(thread.isInterrupted()).isTrue();
        });
    virtually(() -> assertThat(Thread.currentThread().isInterrupted()).isFalse());
  }

  private interface Look {
    void at(Thread thread, Thread carrier) throws Exception;
  }

  private void whileComputing(Look look) throws Exception {
    CountDownLatch computing = new CountDownLatch(1);
    AtomicReference<String> self = new AtomicReference<>();
    Started<Void> started =
        start(
            () -> {
              synchronized (monitor) {
                self.set(Thread.currentThread().toString());
                computing.countDown();
                while (!done.get()) {
                  Thread.onSpinWait();
                }
              }
            });
    computing.await();
    try {
      String name = self.get().substring(self.get().indexOf('@') + 1);
      Thread carrier =
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().equals(name))
              .findAny()
              .orElseThrow();
      look.at(started.thread(), carrier);
    } finally {
      done.set(true);
      started.result();
    }
  }
}
