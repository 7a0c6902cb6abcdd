package io.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import io.heddle.HangGuard;
import io.heddle.Scheduler;
import io.heddle.Task;
import io.heddle.internal.jdk.Waits.Wait;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** For whom goroutines wait: what must be told, and above all what must not. A test per kind of wait, hence so long. */
@HangGuard
class WaitsTest {
  private static final int DEPTH = 500;
  private static final int ROUNDS = 300;

  private final Scheduler scheduler = Scheduler.builder().procs(2).build();
  private final ConcurrentLinkedQueue<Thread> threads = new ConcurrentLinkedQueue<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final ReentrantLock lock = new ReentrantLock();
  private final Object monitor = new Object();

  @AfterEach
  @HangGuard
  void close() {
    end.countDown();
    scheduler.shutdownNow();
  }

  // Locks.

  @Test
  void theOwnerOfALock() {
    Thread holder = parkedWith(lock);
    assertWaitsFor(holder, "java.util.concurrent.locks.ReentrantLock$NonfairSync@", go(lock::lock));
  }

  @Test
  void theOwnerOfAFairLockAlsoForTheSecondInTheQueue() {
    ReentrantLock fair = new ReentrantLock(true);
    Thread holder = parkedWith(fair);
    Thread first = go(fair::lockInterruptibly);
    assertWaitsFor(holder, "ReentrantLock$FairSync@", first);
    assertWaitsFor(holder, "ReentrantLock$FairSync@", go(fair::lockInterruptibly));
  }

  @Test
  void theOwnerOfALockThatCanBeInterrupted() {
    Thread holder = parkedWith(lock);
    assertWaitsFor(holder, "ReentrantLock", go(lock::lockInterruptibly));
  }

  @Test
  void theOwnerOfAWriteLockForReadersAndWriters() {
    ReentrantReadWriteLock both = new ReentrantReadWriteLock();
    Thread holder =
        parked(
            () -> {
              both.writeLock().lock();
              end.await();
            });
    assertWaitsFor(holder, "ReentrantReadWriteLock", go(both.readLock()::lockInterruptibly));
    assertWaitsFor(holder, "ReentrantReadWriteLock", go(both.writeLock()::lockInterruptibly));
  }

  @Test
  void aPlatformThreadCanBeTheOwnerOfALock() {
    lock.lock();
    try {
      assertWaitsFor(Thread.currentThread(), "ReentrantLock", go(lock::lock));
    } finally {
      lock.unlock();
    }
  }

  @Test
  void theOwnerOfALockForWhichAPinnedThreadWaits() {
    Thread holder = parkedWith(Pinning.LOCK);
    Thread waiter = go(Pinning::initialize);
    assertWaitsFor(holder, "ReentrantLock", waiter);
    assertThat(VirtualThreads.phase(waiter)).isEqualTo(Phase.PINNED);
  }

  @Test
  void notAnOwnerThatHasEnded() {
    Thread dead = go(lock::lock);
    Await.until(() -> VirtualThreads.isTerminated(dead));
    assertUnknown(Phase.PARKED, go(lock::lockInterruptibly));
  }

  @Test
  void notALockWithATimeLimit() {
    parkedWith(lock);
    assertUnknown(Phase.TIMED_PARKED, go(() -> lock.tryLock(1, TimeUnit.DAYS)));
  }

  @Test
  void notTheReadersOfALock() {
    ReentrantReadWriteLock both = new ReentrantReadWriteLock();
    parked(
        () -> {
          both.readLock().lock();
          end.await();
        });
    assertUnknown(Phase.PARKED, go(both.writeLock()::lockInterruptibly));
  }

  @Test
  void notASynchronizerThatOthersMayRelease() {
    Releasable sync = new Releasable();
    parked(
        () -> {
          sync.acquire(1);
          end.await();
        });
    assertUnknown(Phase.PARKED, go(() -> sync.acquireInterruptibly(1)));
  }

  @Test
  void notACondition() {
    Condition condition = lock.newCondition();
    Thread waiter =
        go(
            () -> {
              lock.lock();
              condition.await();
            });
    Await.until(() -> VirtualThreads.phase(waiter), Phase.PARKED);
    parkedWith(lock);
    assertUnknown(Phase.PARKED, waiter);
  }

  // Monitors.

  @Test
  void theHolderOfAMonitor() {
    Thread holder = parkedInside(monitor);
    assertWaitsFor(holder, "monitor of java.lang.Object@", goInside(monitor));
  }

  @Test
  void theHolderOfAMonitorThatIsAClass() {
    Thread holder = parked(WaitsTest::enteredByAMethod, Phase.PARKED);
    assertWaitsFor(
        holder, "monitor of class " + WaitsTest.class.getName(), goInside(WaitsTest.class));
    LockSupport.unpark(holder);
  }

  @Test
  void theHolderOfAMonitorThatIsBlockedAtAnother() {
    Object second = new Object();
    Thread last = parkedInside(second);
    Thread holder =
        parked(
            () -> {
              synchronized (monitor) {
                synchronized (second) {
                  second.notifyAll();
                }
              }
            },
            Phase.MONITOR_ENTER);
    assertWaitsFor(holder, "monitor", goInside(monitor));
    assertWaitsFor(last, "monitor", holder);
  }

  @Test
  void theHolderOfAMonitorThatIsToBeEnteredAgainAfterAWait() {
    Thread waiter = waitingAt(monitor);
    Thread holder =
        parked(
            () -> {
              synchronized (monitor) {
                monitor.notifyAll();
                end.await();
              }
            },
            Phase.PARKED);
    assertWaitsFor(holder, "monitor", waiter);
  }

  @Test
  void notSomebodyWhoWaitsInsideAMonitorThatAnotherHolds() {
    Thread waiter = waitingAt(monitor);
    synchronized (monitor) {
      assertUnknown(Phase.MONITOR_ENTER, goInside(monitor));
      assertUnknown(Phase.OBJECT_WAIT, waiter);
    }
  }

  @Test
  void notSomebodyWhoWasNotifiedInsideAMonitorThatAnotherHolds() {
    Thread waiter = waitingAt(monitor);
    synchronized (monitor) {
      monitor.notifyAll();
      assertUnknown(Phase.MONITOR_ENTER, waiter);
      assertUnknown(Phase.MONITOR_ENTER, goInside(monitor));
      assertUnknown(Phase.MONITOR_ENTER, waiter);
    }
  }

  @Test
  void notSomebodyWhoHidesTheMonitorThatHeWaitsForBehindABlocker() {
    synchronized (monitor) {
      Thread hiding =
          go(
              () -> {
                LockSupport.setCurrentBlocker("mine");
                synchronized (monitor) {
                  monitor.notifyAll();
                }
              });
      assertUnknown(Phase.MONITOR_ENTER, hiding);
      assertUnknown(Phase.MONITOR_ENTER, goInside(monitor));
    }
  }

  @Test
  void notAMonitorWhoseHolderRuns() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    go(
        () -> {
          synchronized (monitor) {
            inside.countDown();
            while (end.getCount() != 0) {
              Thread.onSpinWait();
            }
          }
        });
    inside.await();
    assertUnknown(Phase.MONITOR_ENTER, goInside(monitor));
    end.countDown();
  }

  @Test
  void notAMonitorWhoseHolderIsNotAmongTheOthers() {
    threads.remove(parkedInside(monitor));
    assertUnknown(Phase.MONITOR_ENTER, goInside(monitor));
  }

  // Joins.

  @Test
  void theThreadThatIsJoined() {
    Thread holder = parked(end::await);
    assertWaitsFor(holder, "Thread.join", go(holder::join));
  }

  @Test
  void aThreadThatJoinsItself() {
    Thread self = go(() -> Thread.currentThread().join());
    assertWaitsFor(self, "Thread.join", self);
  }

  @Test
  void notAThreadThatIsJoinedForATime() {
    Thread holder = parked(end::await);
    assertUnknown(Phase.TIMED_PARKED, go(() -> holder.join(TimeUnit.DAYS.toMillis(1))));
  }

  @Test
  void notAPlatformThreadThatIsJoined() {
    Thread self = Thread.currentThread();
    threads.add(self);
    assertUnknown(Phase.OBJECT_WAIT, go(() -> self.join()));
  }

  @Test
  void notAThreadThatIsJoinedAndNotAmongTheOthers() {
    Thread holder = parked(end::await);
    threads.remove(holder);
    assertUnknown(Phase.PARKED, go(holder::join));
  }

  // Cycles.

  @Test
  void twoThreadsWithTwoLocks() {
    ReentrantLock second = new ReentrantLock();
    CountDownLatch both = new CountDownLatch(2);
    Thread one = go(() -> lockBoth(lock, second, both));
    Thread other = go(() -> lockBoth(second, lock, both));
    assertWaitForEachOther(one, other);
  }

  /** Nothing can free them: their scheduler stays. */
  @Test
  void twoThreadsWithTwoMonitors() {
    Scheduler stays = Scheduler.builder().procs(1).name("deadlocked").build();
    Object second = new Object();
    CountDownLatch both = new CountDownLatch(2);
    Thread one = go(stays, () -> enterBoth(monitor, second, both));
    Thread other = go(stays, () -> enterBoth(second, monitor, both));
    assertWaitForEachOther(one, other);
  }

  @Test
  void twoThreadsWithALockAndAMonitor() {
    CountDownLatch both = new CountDownLatch(2);
    Thread one =
        go(
            () -> {
              synchronized (monitor) {
                meet(both);
                lock.lockInterruptibly();
              }
            });
    Thread other =
        go(
            () -> {
              lock.lock();
              try {
                meet(both);
                synchronized (monitor) {
                  monitor.notifyAll();
                }
              } finally {
                lock.unlock();
              }
            });
    assertWaitForEachOther(one, other);
  }

  @Test
  void twoThreadsThatJoinEachOther() {
    AtomicReference<Thread> first = new AtomicReference<>();
    Thread other =
        go(
            () -> {
              Await.until(() -> first.get() != null);
              first.get().join();
            });
    first.set(go(other::join));
    assertWaitForEachOther(first.get(), other);
  }

  // Everything else.

  @Test
  void notWhatAnybodyMayEnd() {
    assertUnknown(Phase.PARKED, go(new Semaphore(0)::acquire));
    assertUnknown(Phase.PARKED, go(end::await));
    assertUnknown(Phase.PARKED, go(() -> LockSupport.park()));
    assertUnknown(Phase.PARKED, go(() -> LockSupport.park(monitor)));
    assertUnknown(Phase.PARKED, go(() -> LockSupport.park(lock)));
    assertUnknown(Phase.TIMED_PARKED, go(() -> Thread.sleep(TimeUnit.DAYS.toMillis(1))));
    assertUnknown(Phase.OBJECT_WAIT, waitingAt(monitor));
    StampedLock stamped = new StampedLock();
    stamped.writeLock();
    assertUnknown(Phase.PARKED, go(stamped::writeLockInterruptibly));
  }

  @Test
  void notAThreadThatDoesNotWait() throws InterruptedException {
    Thread fresh = scheduler.threadFactory().newThread(() -> {});
    assertThat(waitOf(fresh)).isNull();
    fresh.start();
    fresh.join();
    assertThat(waitOf(fresh)).isNull();
    assertThat(waitOf(Thread.currentThread())).isNull();
  }

  /** A look suspends a thread: one that is unparked meanwhile must run on. Deep stacks make long looks. */
  @Test
  void aThreadThatIsUnparkedWhileItIsLookedAt() {
    AtomicInteger turn = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    Thread parking = go(() -> deep(DEPTH, () -> parkInTurn(turn, done)));
    try (Looker _ = new Looker(() -> Monitors.isHeldBy(parking, monitor))) {
      for (int round = 1; round <= ROUNDS; round++) {
        turn.set(round);
        LockSupport.unpark(parking);
        Await.until(done::get, round);
      }
    }
  }

  private static void parkInTurn(AtomicInteger turn, AtomicInteger done) {
    while (done.get() < ROUNDS) {
      while (turn.get() == done.get()) {
        LockSupport.park();
      }
      done.incrementAndGet();
    }
  }

  /** The same at a monitor. */
  @Test
  void aThreadThatIsUnblockedWhileItIsLookedAt() {
    AtomicInteger turn = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    Thread blocking = go(() -> deep(DEPTH, () -> enterInTurn(turn, done)));
    try (Looker _ = new Looker(() -> waitOf(blocking))) {
      for (int round = 1; round <= ROUNDS; round++) {
        synchronized (monitor) {
          turn.set(round);
          Await.until(() -> VirtualThreads.phase(blocking), Phase.MONITOR_ENTER);
        }
        Await.until(done::get, round);
      }
    }
  }

  private void enterInTurn(AtomicInteger turn, AtomicInteger done) {
    while (done.get() < ROUNDS) {
      while (turn.get() == done.get()) {
        Thread.yield();
      }
      synchronized (monitor) {
        done.incrementAndGet();
      }
    }
  }

  private static void deep(int frames, Runnable task) {
    if (frames == 0) {
      task.run();
    } else {
      deep(frames - 1, task);
    }
  }

  /** Threads of all kinds move on while they are looked at. */
  @Test
  void threadsThatMoveOnWhileTheyAreLookedAt() throws InterruptedException {
    List<Object> monitors = List.of(new Object(), new Object());
    CountDownLatch running = new CountDownLatch(8);
    for (long i = running.getCount(); i > 0; i--) {
      go(
          () -> {
            for (int round = 0; round < 3_000; round++) {
              contend(monitors.get(ThreadLocalRandom.current().nextInt(monitors.size())));
            }
            running.countDown();
          });
    }
    while (running.getCount() != 0) {
      for (Thread thread : threads) {
        Wait wait = waitOf(thread);
        assertThat(wait == null ? null : wait.holder()).isNotSameAs(thread);
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Who has the monitor parks for the lock; some wait a little, to be notified while others hold it. */
  private void contend(Object mine) throws InterruptedException {
    synchronized (mine) {
      lock.lock();
      try {
        Thread.yield();
      } finally {
        lock.unlock();
      }
      mine.notifyAll();
      if (ThreadLocalRandom.current().nextInt(8) == 0) {
        mine.wait(1);
      }
    }
  }

  private static synchronized void enteredByAMethod() {
    LockSupport.park();
  }

  private static void lockBoth(ReentrantLock first, ReentrantLock second, CountDownLatch both)
      throws InterruptedException {
    first.lock();
    try {
      meet(both);
      second.lockInterruptibly();
      second.unlock();
    } finally {
      first.unlock();
    }
  }

  private static void enterBoth(Object first, Object second, CountDownLatch both)
      throws InterruptedException {
    synchronized (first) {
      meet(both);
      synchronized (second) {
        second.notifyAll();
      }
    }
  }

  private static void meet(CountDownLatch both) throws InterruptedException {
    both.countDown();
    both.await();
  }

  private void assertWaitForEachOther(Thread one, Thread other) {
    assertWaitsFor(other, "", one);
    assertWaitsFor(one, "", other);
  }

  private void assertWaitsFor(Thread holder, String what, Thread waiter) {
    Await.until(() -> holderOf(waiter), holder);
    Wait wait = waitOf(waiter);
    assertThat(wait).isNotNull();
    assertThat(wait.what()).contains(what);
    assertThat(waitOf(waiter)).isEqualTo(wait);
  }

  /** In that phase, and nothing is said: not on the way there either, as far as this sees. */
  private void assertUnknown(Phase phase, Thread waiter) {
    Supplier<Phase> unlessKnown =
        () -> {
          assertThat(waitOf(waiter)).isNull();
          return VirtualThreads.phase(waiter);
        };
    Await.until(unlessKnown, phase);
    assertThat(waitOf(waiter)).isNull();
  }

  private @Nullable Thread holderOf(Thread waiter) {
    Wait wait = waitOf(waiter);
    return wait == null ? null : wait.holder();
  }

  private @Nullable Wait waitOf(Thread waiter) {
    return Waits.of(waiter, this::all);
  }

  private Stream<Thread> all() {
    return threads.stream();
  }

  private Thread parkedWith(ReentrantLock held) {
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

  private Thread parkedInside(Object held) {
    return parked(
        () -> {
          synchronized (held) {
            end.await();
          }
        });
  }

  private Thread parked(Task task) {
    return parked(task, Phase.PARKED);
  }

  private Thread parked(Task task, Phase phase) {
    Thread thread = go(task);
    Await.until(() -> VirtualThreads.phase(thread), phase);
    return thread;
  }

  private Thread waitingAt(Object object) {
    Task waits =
        () -> {
          synchronized (object) {
            object.wait();
          }
        };
    return parked(waits, Phase.OBJECT_WAIT);
  }

  private Thread goInside(Object object) {
    return go(
        () -> {
          synchronized (object) {
            object.notifyAll();
          }
        });
  }

  private Thread go(Task task) {
    return go(scheduler, task);
  }

  private Thread go(Scheduler scheduler, Task task) {
    Thread thread =
        scheduler
            .threadFactory()
            .newThread(
                () -> {
                  try {
                    task.run();
                  } catch (Exception e) {
                    // The end of the test interrupts it.
                  }
                });
    threads.add(thread);
    thread.start();
    return thread;
  }

  /** Looks again and again, until it is closed. */
  private static final class Looker implements AutoCloseable {
    private volatile boolean closed;
    private final Thread thread;

    Looker(Runnable look) {
      thread =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    while (!closed) {
                      look.run();
                    }
                  });
    }

    @Override
    public void close() {
      closed = true;
      Await.until(() -> !thread.isAlive());
    }
  }

  /** Whose initialiser waits, with a native frame on the stack. */
  private static final class Pinning {
    static final ReentrantLock LOCK = new ReentrantLock();

    static void initialize() {
      Waiting.touch();
    }

    private static final class Waiting {
      static {
        LOCK.lock();
        LOCK.unlock();
      }

      static void touch() {}
    }
  }

  /** Names an owner, and does not ask who releases it. */
  @SuppressWarnings("serial")
  private static final class Releasable extends AbstractQueuedSynchronizer {
    @Override
    protected boolean tryAcquire(int ignored) {
      if (!compareAndSetState(0, 1)) {
        return false;
      }
      setExclusiveOwnerThread(Thread.currentThread());
      return true;
    }
  }
}
