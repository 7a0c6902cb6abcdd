package io.heddle;

import static io.heddle.Interruptible.calmly;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.locks.Lock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Locks, the semaphore, the wait group and once on real cores, under jcstress. An outcome that is
 * not listed is forbidden; a lost wakeup hangs, which JcstressTest detects. Common parts of scenes
 * are in superclasses; actors are not, because jcstress looks for them only in the scene's own
 * class.
 */
public class SyncStress {
  private SyncStress() {}

  /** The twin's lock: checks whether it is free, then stores that it is locked. */
  private static final class LooksThenLocks {
    private volatile boolean locked;

    void lock() {
      while (locked) {
        Thread.onSpinWait();
      }
      locked = true;
    }

    void unlock() {
      locked = false;
    }
  }

  /** Two actors increment a plain field, twice each. */
  @Outcome(id = "4", expect = ACCEPTABLE, desc = "one after the other")
  public abstract static class CountAndCount {
    private int count;

    abstract void lock();

    abstract void unlock();

    private void countOnce() {
      lock();
      count++;
      unlock();
    }

    final void countTwice() {
      countOnce();
      countOnce();
    }

    final void tell(I_Result r) {
      r.r1 = count;
    }
  }

  @JCStressTest
  @State
  public static class LockAgainstLock extends CountAndCount {
    private final Mutex mutex = new Mutex();

    @Override
    void lock() {
      mutex.lock();
    }

    @Override
    void unlock() {
      mutex.unlock();
    }

    @Actor
    public void one() {
      countTwice();
    }

    @Actor
    public void other() {
      countTwice();
    }

    @Arbiter
    public void total(I_Result r) {
      tell(r);
    }
  }

  @JCStressTest
  @State
  public static class WriteAgainstWrite extends CountAndCount {
    private final Lock lock = new RWMutex().writeLock();

    @Override
    void lock() {
      lock.lock();
    }

    @Override
    void unlock() {
      lock.unlock();
    }

    @Actor
    public void one() {
      countTwice();
    }

    @Actor
    public void other() {
      countTwice();
    }

    @Arbiter
    public void total(I_Result r) {
      tell(r);
    }
  }

  @JCStressTest
  @State
  public static class AcquireAgainstAcquire extends CountAndCount {
    private final Semaphore semaphore = new Semaphore(2);

    @Override
    void lock() {
      calmly(() -> semaphore.acquire(2));
    }

    @Override
    void unlock() {
      semaphore.release(2);
    }

    @Actor
    public void one() {
      countTwice();
    }

    @Actor
    public void other() {
      countTwice();
    }

    @Arbiter
    public void total(I_Result r) {
      tell(r);
    }
  }

  @JCStressTest
  @State
  public static class LockAgainstLockBroken extends CountAndCount {
    private final LooksThenLocks lock = new LooksThenLocks();

    @Override
    void lock() {
      lock.lock();
    }

    @Override
    void unlock() {
      lock.unlock();
    }

    @Actor
    public void one() {
      countTwice();
    }

    @Actor
    public void other() {
      countTwice();
    }

    @Arbiter
    public void total(I_Result r) {
      tell(r);
    }
  }

  /** One actor writes two fields, the other one reads them. */
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "before")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "after")
  public abstract static class WriteAndRead {
    private final RWMutex lock = new RWMutex();
    private int first;
    private int second;

    final void write() {
      lock.writeLock().lock();
      first = 1;
      second = 1;
      lock.writeLock().unlock();
    }

    final void read(II_Result r) {
      lock.readLock().lock();
      readUnlocked(r);
      lock.readLock().unlock();
    }

    final void readUnlocked(II_Result r) {
      r.r1 = first;
      r.r2 = second;
    }
  }

  @JCStressTest
  @State
  public static class WriteAgainstRead extends WriteAndRead {
    @Actor
    public void writer() {
      write();
    }

    @Actor
    public void reader(II_Result r) {
      read(r);
    }
  }

  @JCStressTest
  @State
  public static class WriteAgainstReadBroken extends WriteAndRead {
    @Actor
    public void writer() {
      write();
    }

    @Actor
    public void reader(II_Result r) {
      readUnlocked(r);
    }
  }

  /** A waiter sees what the finished actor wrote. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "the letter")
  @State
  public static class DoneAgainstAwait {
    private final WaitGroup group = new WaitGroup();
    private int letter;

    public DoneAgainstAwait() {
      group.add(1);
    }

    @Actor
    public void worker() {
      letter = 1;
      group.done();
    }

    @Actor
    public void waiter(I_Result r) {
      calmly(group::await);
      r.r1 = letter;
    }
  }

  /** Every returned caller finds that the action ran, exactly once. */
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "done for both, and once")
  public abstract static class RunAndRun {
    private int letter;
    private int runs;

    abstract void runOnce();

    final void run() {
      runs++;
      letter = 1;
    }

    final int letter() {
      runOnce();
      return letter;
    }

    final int runs() {
      return runs;
    }
  }

  @JCStressTest
  @State
  public static class RunAgainstRun extends RunAndRun {
    private final Once once = new Once();

    @Override
    void runOnce() {
      try {
        once.run(this::run);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }

    @Actor
    public void one(III_Result r) {
      r.r1 = letter();
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = letter();
    }

    @Arbiter
    public void count(III_Result r) {
      r.r3 = runs();
    }
  }

  @JCStressTest
  @State
  public static class RunAgainstRunBroken extends RunAndRun {
    private volatile boolean ran;

    @Override
    void runOnce() {
      if (!ran) {
        ran = true;
        run();
      }
    }

    @Actor
    public void one(III_Result r) {
      r.r1 = letter();
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = letter();
    }

    @Arbiter
    public void count(III_Result r) {
      r.r3 = runs();
    }
  }
}
