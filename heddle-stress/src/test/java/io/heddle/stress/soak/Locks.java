package io.heddle.stress.soak;

import io.heddle.Go;
import io.heddle.Mutex;
import io.heddle.RWMutex;
import io.heddle.Semaphore;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * Locks that live as long as the run and guard plain fields, which would be wrong without
 * them.
 */
final class Locks implements Load {
  private static final int ROOM = 4;
  private static final long WEIGHT = 7;

  private final Mutex mutex = new Mutex();
  private long counter;
  private final AtomicLong counted = new AtomicLong();

  private final RWMutex readWrite = new RWMutex();
  private long left;
  private long right;

  private final Semaphore semaphore = new Semaphore(WEIGHT);
  private final AtomicLong weight = new AtomicLong();

  private final Mutex buffer = new Mutex();
  private final Condition notFull = buffer.newCondition();
  private final Condition notEmpty = buffer.newCondition();
  private final Queue<Long> kept = new ArrayDeque<>();
  private final AtomicLong sums = new AtomicLong();

  @Override
  public void step(Worker me) throws Exception {
    Crew crew = new Crew(me);
    int times = me.between(1, 60);
    AtomicLong in = new AtomicLong();
    AtomicLong out = new AtomicLong();
    for (int i = 0; i < 8; i++) {
      SplittableRandom random = me.random.split();
      int kind = i % 5;
      crew.go(
          () -> {
            for (int n = 0; n < times; n++) {
              switch (kind) {
                case 0 -> count(me, random);
                case 1 -> readOrWrite(random);
                case 2 -> weigh(random);
                case 3 -> in.addAndGet(put(random.nextLong()));
                default -> readOrWrite(random);
              }
            }
          });
    }
    crew.go(
        () -> {
          for (int n = 0;
              n < 2 * times;
              n++) { // as many as are put, by one of the eight and by this worker
            out.addAndGet(take());
          }
        });
    for (int n = 0; n < times; n++) {
      in.addAndGet(put(n));
    }
    crew.await();
    checkCounter();
    me.did(10L * times);
    // A taken value may have been put by another step: only the sum over all steps is checked.
    sums.addAndGet(in.get() - out.get());
  }

  @Override
  public Where where() {
    return Where.EVERYWHERE;
  }

  /** Called when no step is running. */
  void checkAtRest() {
    Expect.same("what was put into the buffer, and not taken out", sums.get(), 0L);
    Expect.that(kept.isEmpty(), "the buffer is not empty: " + kept);
    Expect.same("weight held", weight.get(), 0L);
    Expect.that(semaphore.tryAcquire(WEIGHT), "the semaphore is not free: " + semaphore);
    semaphore.release(WEIGHT);
    Expect.that(mutex.tryLock(), "the mutex is locked: " + mutex);
    mutex.unlock();
    Expect.that(readWrite.writeLock().tryLock(), "the lock is held: " + readWrite);
    readWrite.writeLock().unlock();
  }

  private void count(Worker me, SplittableRandom random) throws InterruptedException {
    long since = System.nanoTime();
    switch (random.nextInt(4)) {
      case 0 -> mutex.lockInterruptibly();
      case 1 -> {
        if (!mutex.tryLock()) {
          mutex.lock();
        }
      }
      case 2 -> {
        if (!mutex.tryLock(random.nextInt(500), TimeUnit.MICROSECONDS)) {
          mutex.lock();
        }
      }
      default -> mutex.lock();
    }
    me.world.tally.waited(Tally.Wait.LOCK, System.nanoTime() - since);
    try {
      long now = counter;
      if (random.nextInt(16) == 0) {
        Go.gosched();
      }
      counter = now + 1;
      counted.incrementAndGet();
    } finally {
      mutex.unlock();
    }
  }

  private void checkCounter() {
    mutex.lock();
    try {
      Expect.same("what the mutex guards", counter, counted.get());
    } finally {
      mutex.unlock();
    }
  }

  private void readOrWrite(SplittableRandom random) throws InterruptedException {
    boolean writes = random.nextInt(5) == 0;
    Lock lock = writes ? readWrite.writeLock() : readWrite.readLock();
    if (random.nextBoolean() || !lock.tryLock(random.nextInt(500), TimeUnit.MICROSECONDS)) {
      lock.lock();
    }
    try {
      Expect.same("the right side", right, left);
      if (writes) {
        left++;
        Go.gosched();
        right++;
      } else if (random.nextInt(8) == 0) {
        Go.gosched();
        Expect.same("the right side, read again", right, left);
      }
    } finally {
      lock.unlock();
    }
  }

  private void weigh(SplittableRandom random) throws InterruptedException {
    int n = random.nextInt((int) WEIGHT + 1);
    if (!semaphore.tryAcquire(n)) {
      semaphore.acquire(n);
    }
    try {
      long all = weight.addAndGet(n);
      Expect.that(all <= WEIGHT, all + " is held of a semaphore of " + WEIGHT);
      if (random.nextInt(8) == 0) {
        Go.gosched();
      }
    } finally {
      weight.addAndGet(-n);
      semaphore.release(n);
    }
  }

  private long put(long value) throws InterruptedException {
    buffer.lock();
    try {
      while (kept.size() == ROOM) {
        notFull.await();
      }
      kept.add(value);
      notEmpty.signal();
    } finally {
      buffer.unlock();
    }
    return value;
  }

  private long take() throws InterruptedException {
    buffer.lock();
    try {
      while (kept.isEmpty()) {
        boolean _ = notEmpty.await(1, TimeUnit.MILLISECONDS);
      }
      notFull.signal();
      return kept.remove();
    } finally {
      buffer.unlock();
    }
  }
}
