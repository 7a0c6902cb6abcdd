package io.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import io.heddle.HangGuard;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The doors to the JDK lead where we think: on a scheduler that is cranked by hand, one run at a time. */
@HangGuard
class VirtualThreadsTest {
  private final Queue<Runnable> submitted = new ArrayDeque<>();

  @BeforeAll
  static void doorsAreOpen() {
    VirtualThreads.ensureOpen();
  }

  @Test
  void aThreadRunsOnlyWhenItsExecutorRunsIt() {
    AtomicReference<Thread> carrier = new AtomicReference<>();
    Thread thread = newThread(() -> carrier.set(VirtualThreads.carrier()));
    thread.start();
    assertThat(carrier.get()).isNull();
    crank();
    assertThat(carrier.get()).isSameAs(Thread.currentThread());
    assertThat(VirtualThreads.isTerminated(thread)).isTrue();
  }

  @Test
  void onAPlatformThreadTheCarrierIsItself() {
    assertThat(VirtualThreads.carrier()).isSameAs(Thread.currentThread());
  }

  @Test
  void aThreadSubmitsTheSameContinuationEachTimeAndItLeadsBackToIt() {
    Thread thread = newThread(Thread::yield);
    thread.start();
    Runnable first = submitted.element();
    crank();
    Runnable second = submitted.element();
    assertThat(second).isSameAs(first).isSameAs(VirtualThreads.continuation(thread));
    assertThat(VirtualThreads.threadOf(first)).isSameAs(thread);
    crank();
  }

  @Test
  void thePhasesOfALife() {
    Thread thread =
        newThread(
            () -> {
              Thread.yield();
              LockSupport.park();
              LockSupport.parkNanos(Long.MAX_VALUE);
            });
    assertThat(VirtualThreads.phase(thread)).isEqualTo(ThreadState.NEW);
    thread.start();
    assertThat(VirtualThreads.phase(thread)).isEqualTo(ThreadState.RUNNABLE);
    assertThat(VirtualThreads.hasYielded(thread)).isFalse();
    crank();
    assertThat(VirtualThreads.phase(thread)).isEqualTo(ThreadState.RUNNABLE);
    assertThat(VirtualThreads.hasYielded(thread)).isTrue();
    crank();
    assertThat(VirtualThreads.phase(thread)).isEqualTo(ThreadState.PARKED);
    LockSupport.unpark(thread);
    assertThat(VirtualThreads.phase(thread)).isEqualTo(ThreadState.RUNNABLE);
    assertThat(VirtualThreads.hasYielded(thread)).isFalse();
    crank();
    assertThat(VirtualThreads.phase(thread)).isEqualTo(ThreadState.TIMED_PARKED);
    LockSupport.unpark(thread);
    crank();
    assertThat(VirtualThreads.phase(thread)).isEqualTo(ThreadState.TERMINATED);
  }

  @Test
  void oneThatIsSuspendedCannotGoOnUntilItIsNot() {
    int yielded = ThreadState.YIELDED_STATE;
    assertThat(ThreadState.of(yielded)).isEqualTo(ThreadState.RUNNABLE);
    assertThat(ThreadState.canGoOn(yielded)).isTrue();
    assertThat(ThreadState.of(yielded | ThreadState.SUSPENDED)).isEqualTo(ThreadState.RUNNABLE);
    assertThat(ThreadState.canGoOn(yielded | ThreadState.SUSPENDED)).isFalse();
  }

  @Test
  void oneThatCanGoOnIsRunnable() {
    for (int state = 0; state <= ThreadState.TERMINATED_STATE; state++) {
      assertThat(ThreadState.canGoOn(state))
          .isEqualTo(ThreadState.of(state) == ThreadState.RUNNABLE);
    }
  }

  @Test
  void aThreadAtAMonitorWaits() {
    Object lock = new Object();
    AtomicReference<Runnable> first = new AtomicReference<>();
    Thread thread =
        VirtualThreads.newThread(
            task -> {
              if (!first.compareAndSet(null, task)) {
                Thread.ofPlatform().start(task);
              }
            },
            "at-monitor",
            () -> {
              synchronized (lock) {
                lock.notifyAll();
              }
            });
    thread.start();
    synchronized (lock) {
      Thread.ofPlatform().start(first.get());
      Await.until(() -> VirtualThreads.phase(thread), ThreadState.MONITOR_ENTER);
      assertThat(ThreadState.MONITOR_ENTER.isWaiting()).isTrue();
    }
    Await.until(() -> VirtualThreads.phase(thread), ThreadState.TERMINATED);
  }

  @Test
  void aThreadThatHasNotRunCanBeGivenAnotherExecutor() {
    Queue<Runnable> others = new ArrayDeque<>();
    Executor other = others::add;
    Thread thread = newThread(() -> {});
    VirtualThreads.adopt(thread, other);
    assertThat(VirtualThreads.executorOf(thread)).isSameAs(other);
    thread.start();
    assertThat(submitted).isEmpty();
    others.remove().run();
    assertThat(VirtualThreads.isTerminated(thread)).isTrue();
  }

  @Test
  void nameAndNone() {
    assertThat(newThread(() -> {}).getName()).isEqualTo("cranked");
    assertThat(VirtualThreads.newThread(submitted::add, null, () -> {}).getName()).isEmpty();
  }

  private Thread newThread(Runnable task) {
    return VirtualThreads.newThread(submitted::add, "cranked", task);
  }

  private void crank() {
    submitted.remove().run();
  }
}
