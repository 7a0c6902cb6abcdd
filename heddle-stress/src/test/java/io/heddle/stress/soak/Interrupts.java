package io.heddle.stress.soak;

import static io.heddle.Select.after;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;

import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.Mutex;
import io.heddle.Semaphore;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Goroutines are interrupted all the time in every kind of wait, and retry. An interrupted
 * operation has not happened, and a completed one has: each value arrives once, and every lock is
 * free afterwards.
 */
final class Interrupts implements Load {
  private static final int WEIGHT = 3;

  @Override
  public void step(Worker me) throws Exception {
    new Storm(me).rage();
  }

  private interface Interruptible {
    void run() throws InterruptedException;
  }

  private static final class Storm {
    private final Worker me;
    private final int each;
    private final int victims;
    private final Chan<Integer> chan;
    private final BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(2);
    private final AtomicIntegerArray got;
    private final AtomicIntegerArray polled;
    private final Mutex mutex = new Mutex();
    private final Semaphore semaphore = new Semaphore(WEIGHT);
    private final ReentrantLock lock = new ReentrantLock();
    private final Object monitor = new Object();
    private final Chan<Integer> never = Chan.make();
    private long guarded;
    private long guardedByJdk;

    Storm(Worker me) {
      this.me = me;
      this.each = me.between(1, 40);
      this.victims = me.between(1, 6);
      this.chan = Chan.make(me.between(0, 1));
      this.got = new AtomicIntegerArray(victims * each);
      this.polled = new AtomicIntegerArray(victims * each);
    }

    void rage() throws Exception {
      Crew crew = new Crew(me);
      for (int i = 0; i < victims; i++) {
        int first = i * each;
        SplittableRandom random = me.random.split();
        crew.go(() -> suffer(first, random));
      }
      crew.go(() -> drain());
      crew.go(() -> poll());
      AtomicBoolean over = new AtomicBoolean();
      SplittableRandom random = me.random.split();
      Goroutine interrupter =
          me.anyScheduler()
              .go(
                  () -> {
                    while (!over.get()) {
                      crew.members().get(random.nextInt(crew.members().size())).interrupt();
                      Go.sleep(Duration.ofNanos(random.nextInt(200_000)));
                    }
                  });
      try {
        crew.await();
      } finally {
        over.set(true);
        interrupter.join();
      }
      check();
    }

    private void check() throws InterruptedException {
      Expect.once("value through the channel", got);
      Expect.once("value through the queue", polled);
      Expect.same("what the mutex guards", guarded, (long) victims * each);
      Expect.same("what the lock guards", guardedByJdk, (long) victims * each);
      Expect.that(mutex.tryLock(), "the mutex is locked");
      mutex.unlock();
      Expect.that(semaphore.tryAcquire(WEIGHT), "the semaphore is not free: " + semaphore);
      Expect.that(!lock.isLocked(), "the lock is locked");
      me.did(8L * victims * each);
    }

    private void suffer(int first, SplittableRandom random) {
      for (int i = first; i < first + each; i++) {
        int number = i;
        untilDone(() -> chan.send(number));
        untilDone(() -> queue.put(number));
        untilDone(mutex::lockInterruptibly);
        guarded++;
        mutex.unlock();
        untilDone(lock::lockInterruptibly);
        guardedByJdk++;
        lock.unlock();
        int n = random.nextInt(1, WEIGHT + 1);
        untilDone(() -> semaphore.acquire(n));
        Go.gosched();
        semaphore.release(n);
        once(() -> Go.sleep(Duration.ofNanos(random.nextInt(300_000))));
        once(() -> select(recv(never), after(Duration.ofNanos(random.nextInt(300_000)))));
        once(() -> waitALittle());
      }
    }

    private void waitALittle() throws InterruptedException {
      synchronized (monitor) {
        monitor.wait(1);
        monitor.notify();
      }
    }

    private void drain() {
      for (int i = 0; i < got.length(); i++) {
        untilDone(() -> got.incrementAndGet(chan.receive()));
      }
    }

    private void poll() {
      int n = 0;
      while (n < polled.length()) {
        Integer[] there = new Integer[1];
        once(() -> there[0] = queue.poll(1, TimeUnit.MILLISECONDS));
        if (there[0] != null) {
          polled.incrementAndGet(there[0]);
          n++;
        }
      }
    }

    private static void untilDone(Interruptible action) {
      while (!once(action)) {
        Thread.onSpinWait();
      }
    }

    /** Whether the operation completed. */
    private static boolean once(Interruptible action) {
      try {
        action.run();
        return true;
      } catch (InterruptedException e) {
        return false;
      }
    }
  }
}
