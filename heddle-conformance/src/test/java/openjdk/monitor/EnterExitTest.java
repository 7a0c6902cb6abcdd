package openjdk.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import openjdk.Pinned;
import openjdk.VirtualTest;
import org.junit.jupiter.api.Test;

/**
 * Entering and leaving monitors: MonitorEnterExit.java, HoldsLock.java,
 * RetryMonitorEnterWhenPinned.java, MiscMonitorTests.java.
 */
class EnterExitTest extends VirtualTest {
  private final Object monitor = new Object();
  private int guarded;

  @Test
  void withoutContention() throws Exception {
    virtually(
        () -> {
          assertThat(Thread.holdsLock(monitor)).isFalse();
          synchronized (monitor) {
            assertThat(Thread.holdsLock(monitor)).isTrue();
          }
          assertThat(Thread.holdsLock(monitor)).isFalse();
        });
  }

  @Test
  void heldByAPlatformThread() throws Exception {
    blockedAtFirst(this::enter).result();
  }

  @Test
  void heldByAVirtualThreadThatParks() throws Exception {
    Started<Void> holder = parkedInside();
    Started<Void> started = start(this::enter);
    await(started.thread(), Thread.State.BLOCKED);
    LockSupport.unpark(holder.thread());
    holder.result();
    started.result();
  }

  @Test
  void aPlatformThreadWaitsForAVirtualOne() throws Exception {
    Started<Void> holder = parkedInside();
    Thread platform = Thread.ofPlatform().start(this::enter);
    await(platform, Thread.State.BLOCKED);
    LockSupport.unpark(holder.thread());
    platform.join();
    holder.result();
  }

  @Test
  void reentry() throws Exception {
    blockedAtFirst(
            () -> {
              synchronized (monitor) {
                synchronized (monitor) {
                  LockSupport.parkNanos(1_000);
                  Thread.yield();
                  assertThat(Thread.holdsLock(monitor)).isTrue();
                }
                assertThat(Thread.holdsLock(monitor)).isTrue();
              }
              assertThat(Thread.holdsLock(monitor)).isFalse();
            })
        .result();
  }

  @Test
  void whilePinned() throws Exception {
    blockedAtFirst(() -> Pinned.run(this::enter)).result();
  }

  @Test
  void fewerCarriersThanPinnedThreadsThatWait() throws Exception {
    List<Started<Void>> all = new ArrayList<>();
    AtomicInteger entered = new AtomicInteger();
    synchronized (monitor) {
      for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
        boolean pinned = i % 2 == 0;
        all.add(start(() -> enter(entered, pinned)));
      }
      await(all.getFirst().thread(), Thread.State.BLOCKED);
    }
    awaitAll(all);
    assertThat(entered).hasValue(all.size());
  }

  @Test
  void manyForOneMonitor() throws Exception {
    manyTimes(
        100,
        () -> {
          for (int n = 0; n < 100; n++) {
            synchronized (monitor) {
              int before = guarded;
              Thread.yield();
              guarded = before + 1;
            }
          }
        });
    assertThat(guarded).isEqualTo(10_000);
  }

  @Test
  void manyMonitorsAtOnce() throws Exception {
    virtually(() -> nest(200));
  }

  @Test
  void anInterruptDoesNotEndTheWaitAndStays() throws Exception {
    Started<Boolean> started;
    synchronized (monitor) {
      started =
          call(
              () -> {
                enter();
                return Thread.interrupted();
              });
      await(started.thread(), Thread.State.BLOCKED).interrupt();
      await(started.thread(), Thread.State.BLOCKED);
    }
    assertThat(started.result()).isTrue();
  }

  @Test
  void anUnparkDoesNotEndTheWaitAndStays() throws Exception {
    Started<Void> started;
    AtomicBoolean inside = new AtomicBoolean();
    synchronized (monitor) {
      started =
          start(
              () -> {
                synchronized (monitor) {
                  inside.set(true);
                }
                LockSupport.park();
              });
      LockSupport.unpark(await(started.thread(), Thread.State.BLOCKED));
      await(started.thread(), Thread.State.BLOCKED);
      assertThat(inside).isFalse();
    }
    started.result();
  }

  @Test
  void synchronizedMethodsOfObjectsAndClasses() throws Exception {
    manyTimes(
        50,
        () -> {
          ofObject();
          ofClass();
        });
    assertThat(guarded).isEqualTo(50);
  }

  @Test
  void exceptionReleasesTheMonitor() throws Exception {
    virtually(
        () ->
            assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(
                    () -> {
                      synchronized (monitor) {
                        Thread.yield();
                        throw new IllegalStateException();
                      }
                    }));
    virtually(this::enter);
  }

  @Test
  void aMonitorIsFreeWhenItsThreadHasEnded() throws Exception {
    Started<Void> holder = parkedInside();
    Started<Void> other = start(this::enter);
    await(other.thread(), Thread.State.BLOCKED);
    LockSupport.unpark(holder.thread());
    other.result();
    holder.result();
    synchronized (monitor) {
      assertThat(Thread.holdsLock(monitor)).isTrue();
    }
  }

  /** A thread that has reached the monitor while the caller held it; it may proceed. */
  private Started<Void> blockedAtFirst(Task task) {
    synchronized (monitor) {
      Started<Void> started = start(task);
      await(started.thread(), Thread.State.BLOCKED);
      return started;
    }
  }

  /** A thread that holds the monitor and parks until it is unparked. */
  private Started<Void> parkedInside() {
    Started<Void> holder =
        start(
            () -> {
              synchronized (monitor) {
                LockSupport.park();
                assertThat(Thread.holdsLock(monitor)).isTrue();
              }
            });
    await(holder.thread(), Thread.State.WAITING);
    return holder;
  }

  private void enter() {
    synchronized (monitor) {
      guarded++;
    }
  }

  private void enter(AtomicInteger entered, boolean pinned) throws Exception {
    Task enter =
        () -> {
          synchronized (monitor) {
            entered.incrementAndGet();
          }
        };
    if (pinned) {
      Pinned.run(enter);
    } else {
      enter.run();
    }
  }

  private static void nest(int depth) {
    Object mine = new Object();
    synchronized (mine) {
      if (depth > 0) {
        nest(depth - 1);
      } else {
        LockSupport.parkNanos(1_000);
      }
      assertThat(Thread.holdsLock(mine)).isTrue();
    }
  }

  private synchronized void ofObject() {
    int before = guarded;
    Thread.yield();
    guarded = before + 1;
  }

  private static synchronized void ofClass() {
    LockSupport.parkNanos(1_000);
  }
}
