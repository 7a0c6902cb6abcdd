package io.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import io.heddle.HangGuard;
import io.heddle.Scheduler;
import io.heddle.Task;
import io.heddle.internal.jdk.BlockedOn.Wait;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/**
 * Base of the tests of {@link BlockedOn}: goroutines that wait, and checks of what BlockedOn
 * reports for them. A wrong report is worse than none.
 */
@HangGuard
@Tag("jdks")
abstract class BlockedOnFixture {
  final Scheduler scheduler = Scheduler.builder().procs(2).build();
  final ConcurrentLinkedQueue<Thread> threads = new ConcurrentLinkedQueue<>();
  final CountDownLatch end = new CountDownLatch(1);
  final ReentrantLock lock = new ReentrantLock();
  final Object monitor = new Object();

  @AfterEach
  @HangGuard
  void close() {
    end.countDown();
    scheduler.shutdownNow();
  }

  void assertWaitsFor(Thread holder, String what, Thread waiter) {
    Await.until(() -> holderOf(waiter), holder);
    Wait wait = waitOf(waiter);
    assertThat(wait).isNotNull();
    assertThat(wait.what()).contains(what);
    assertThat(waitOf(waiter)).isEqualTo(wait);
  }

  /**
   * Waits for {@code phase} and checks that nothing is reported, neither then nor, as far as
   * polling can tell, on the way there.
   */
  void assertUnknown(ThreadState phase, Thread waiter) {
    Supplier<ThreadState> unlessKnown =
        () -> {
          assertThat(waitOf(waiter)).isNull();
          return VirtualThreads.phase(waiter);
        };
    Await.until(unlessKnown, phase);
    assertThat(waitOf(waiter)).isNull();
  }

  @Nullable Thread holderOf(Thread waiter) {
    Wait wait = waitOf(waiter);
    return wait == null ? null : wait.holder();
  }

  @Nullable Wait waitOf(Thread waiter) {
    return BlockedOn.of(waiter, this::all);
  }

  Stream<Thread> all() {
    return threads.stream();
  }

  Thread parkedWith(ReentrantLock held) {
    return parked(
        () -> {
          held.lock();
          try {
            end.await();
          } finally {
            held.unlock();
          }
        });
  }

  Thread parkedInside(Object held) {
    return parked(
        () -> {
          synchronized (held) {
            end.await();
          }
        });
  }

  Thread parked(Task task) {
    return parked(task, ThreadState.PARKED);
  }

  Thread parked(Task task, ThreadState phase) {
    Thread thread = go(task);
    Await.until(() -> VirtualThreads.phase(thread), phase);
    return thread;
  }

  Thread waitingAt(Object object) {
    Task waits =
        () -> {
          synchronized (object) {
            object.wait();
          }
        };
    return parked(waits, ThreadState.OBJECT_WAIT);
  }

  Thread goInside(Object object) {
    return go(
        () -> {
          synchronized (object) {
            object.notifyAll();
          }
        });
  }

  Thread go(Task task) {
    return go(scheduler, task);
  }

  Thread go(Scheduler scheduler, Task task) {
    Thread thread =
        scheduler
            .threadFactory()
            .newThread(
                () -> {
                  try {
                    task.run();
                  } catch (Exception e) {
                    // The end of the test interrupts the goroutine.
                  }
                });
    threads.add(thread);
    thread.start();
    return thread;
  }
}
