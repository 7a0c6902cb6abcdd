package io.heddle;

import io.heddle.internal.note.RuntimeLock;
import io.heddle.internal.wait.WaitQueue;
import io.heddle.stress.Check;
import io.heddle.stress.Corner;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The mutex under Lincheck. It has no owner, so every thread performs every operation.
 *
 * <p>A lock occurs only in scenarios with an unlock, because Lincheck reports an endless wait as a
 * failure.
 */
@Tag("full")
class MutexLincheckTest {
  private static final Corner TRY_AND_TRY = new Corner("", "tryLock", "tryLock", "isLocked");
  private static final Corner UNLOCK_AND_UNLOCK =
      new Corner("tryLock", "unlock", "unlock", "isLocked");
  private static final Corner LOCK_AND_UNLOCK =
      new Corner("tryLock", "lock", "unlock", "isLocked unlock isLocked");
  private static final Corner LOCK_AND_LOCK =
      new Corner("", "lock unlock", "lock unlock", "isLocked tryLock");

  @Test
  void isLinearizable() {
    Check.passes(
        Sound.class,
        OneThread.class,
        TRY_AND_TRY,
        UNLOCK_AND_UNLOCK,
        LOCK_AND_UNLOCK,
        LOCK_AND_LOCK);
  }

  @Test
  void twinWithoutAFaultPasses() {
    Check.passesCorners(NoFault.class, OneThread.class, TRY_AND_TRY, UNLOCK_AND_UNLOCK);
  }

  @Test
  void tryingWithoutCasIsCaught() {
    Check.fails(TryWithoutCas.class, OneThread.class, TRY_AND_TRY);
  }

  @Test
  void unlockingWithoutCasIsCaught() {
    Check.fails(UnlockWithoutCas.class, OneThread.class, UNLOCK_AND_UNLOCK);
  }

  @Test
  void checkingBeforeJoiningTheQueueIsCaught() {
    Check.fails(LooksThenStands.class, OneThread.class, LOCK_AND_UNLOCK);
  }

  public static class Sound {
    private final Mutex mutex = new Mutex();

    @Operation
    public boolean tryLock() {
      return mutex.tryLock();
    }

    @Operation
    public void unlock() {
      mutex.unlock();
    }

    @Operation
    public boolean isLocked() {
      return mutex.isLocked();
    }

    public void lock() {
      mutex.lock();
    }
  }

  /** The word of the broken twins: one bit. */
  public abstract static class Broken {
    final AtomicBoolean locked = new AtomicBoolean();

    @Operation
    public boolean tryLock() {
      return locked.compareAndSet(false, true);
    }

    @Operation
    public void unlock() {
      if (!locked.compareAndSet(true, false)) {
        throw new IllegalStateException();
      }
    }

    @Operation
    public boolean isLocked() {
      return locked.get();
    }
  }

  public static class NoFault extends Broken {}

  /** Checks whether it is free, then stores that it is locked. */
  public static class TryWithoutCas extends Broken {
    @Override
    @Operation
    public boolean tryLock() {
      boolean isFree = !locked.get();
      if (isFree) {
        locked.set(true);
      }
      return isFree;
    }
  }

  /** Checks whether it is locked, then stores that it is free. */
  public static class UnlockWithoutCas extends Broken {
    @Override
    @Operation
    public void unlock() {
      if (!locked.get()) {
        throw new IllegalStateException();
      }
      locked.set(false);
    }
  }

  /** A caller that finds it locked does not check again after it joined the queue. */
  public static class LooksThenStands extends Broken {
    private final RuntimeLock guard = Waiter.guard();
    private final WaitQueue queue = new WaitQueue();

    public void lock() {
      if (!tryLock()) {
        Waiter waiter = Waiter.one();
        guard.lock();
        waiter.begin("test", null);
        queue.add(waiter);
        guard.unlock();
        boolean _ = waiter.await(WaitLimit.UNINTERRUPTIBLE);
      }
    }

    @Override
    @Operation
    public void unlock() {
      guard.lock();
      Waiter next = Waiter.fireFirst(queue);
      if (next == null) {
        super.unlock();
      }
      guard.unlock();
      Waiter.wakeAll(next);
    }
  }

  /** The scene on one thread: the sequential specification. */
  public static class OneThread {
    private boolean locked;

    public boolean tryLock() {
      boolean isFree = !locked;
      locked = true;
      return isFree;
    }

    public void unlock() {
      if (!locked) {
        throw new IllegalStateException();
      }
      locked = false;
    }

    public boolean isLocked() {
      return locked;
    }

    /** Where the call would have to wait, it cannot come next; this result stands for that. */
    public void lock() {
      if (!tryLock()) {
        throw new IllegalStateException("has to wait");
      }
    }
  }
}
