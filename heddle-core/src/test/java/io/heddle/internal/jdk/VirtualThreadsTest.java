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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Heddle's access to the JDK's virtual threads works as expected, on an executor that the test runs
 * step by step.
 */
@HangGuard
@Tag("jdks")
class VirtualThreadsTest {
  private final Queue<Runnable> submitted = new ArrayDeque<>();

  @BeforeAll
  static void openVirtualThreads() {
    VirtualThreads.ensureOpen();
  }

  @Test
  void threadRunsOnlyWhenItsExecutorRunsIt() {
    AtomicReference<Thread> carrier = new AtomicReference<>();
    Thread thread = newThread(() -> carrier.set(VirtualThreads.carrier()));
    thread.start();
    assertThat(carrier.get()).isNull();
    runSubmitted();
    assertThat(carrier.get()).isSameAs(Thread.currentThread());
    assertThat(VirtualThreads.isTerminated(thread)).isTrue();
  }

  @Test
  void carrierOfPlatformThreadIsItself() {
    assertThat(VirtualThreads.carrier()).isSameAs(Thread.currentThread());
  }

  @Test
  void threadSubmitsItsOneContinuation() {
    Thread thread = newThread(Thread::yield);
    thread.start();
    Runnable first = submitted.element();
    runSubmitted();
    Runnable second = submitted.element();
    assertThat(second).isSameAs(first).isSameAs(VirtualThreads.continuation(thread));
    assertThat(VirtualThreads.threadOf(first)).isSameAs(thread);
    runSubmitted();
  }

  @Test
  void stateFollowsTheThread() {
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
    runSubmitted();
    assertThat(VirtualThreads.phase(thread)).isEqualTo(ThreadState.RUNNABLE);
    assertThat(VirtualThreads.hasYielded(thread)).isTrue();
    runSubmitted();
    assertThat(VirtualThreads.phase(thread)).isEqualTo(ThreadState.PARKED);
    LockSupport.unpark(thread);
    assertThat(VirtualThreads.phase(thread)).isEqualTo(ThreadState.RUNNABLE);
    assertThat(VirtualThreads.hasYielded(thread)).isFalse();
    runSubmitted();
    assertThat(VirtualThreads.phase(thread)).isEqualTo(ThreadState.TIMED_PARKED);
    LockSupport.unpark(thread);
    runSubmitted();
    assertThat(VirtualThreads.phase(thread)).isEqualTo(ThreadState.TERMINATED);
  }

  @Test
  void suspendedThreadCannotContinue() {
    int yielded = StateWord.YIELDED;
    assertThat(ThreadState.of(yielded)).isEqualTo(ThreadState.RUNNABLE);
    assertThat(StateWord.isRunnable(yielded)).isTrue();
    assertThat(ThreadState.of(yielded | StateWord.SUSPENDED)).isEqualTo(ThreadState.RUNNABLE);
    assertThat(StateWord.isRunnable(yielded | StateWord.SUSPENDED)).isFalse();
  }

  @Test
  void threadThatCanContinueIsRunnable() {
    for (int state = 0; state <= StateWord.TERMINATED; state++) {
      assertThat(StateWord.isRunnable(state))
          .isEqualTo(ThreadState.of(state) == ThreadState.RUNNABLE);
    }
  }

  @Test
  void threadAtMonitorWaits() {
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
  void newThreadCanGetAnotherExecutor() {
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
  void threadHasItsNameOrNone() {
    assertThat(newThread(() -> {}).getName()).isEqualTo("cranked");
    assertThat(VirtualThreads.newThread(submitted::add, null, () -> {}).getName()).isEmpty();
  }

  private Thread newThread(Runnable task) {
    return VirtualThreads.newThread(submitted::add, "cranked", task);
  }

  private void runSubmitted() {
    submitted.remove().run();
  }
}
