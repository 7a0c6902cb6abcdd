package io.heddle.internal.sched;

import io.heddle.internal.base.Handles;
import io.heddle.internal.jdk.CpuTime;
import io.heddle.internal.jdk.VirtualThreads;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Up to where the CPU time of one M has been charged to goroutines; see {@link CpuTimes}.
 *
 * @param <T> the type of the goroutines
 */
final class CpuClock<T> {
  /*
   * field     writer                                       readers     mode
   * charged   the charger (sysmon; the M if exact)         observers   plain (1)
   * running   the M, if exact: the goroutine that it runs  observers   release, acquire
   * version   the M, if exact: odd while a run ends        observers   release, acquire
   *
   * Exact times. The time of a goroutine that runs is what its account says, and what its M has
   * used since charged.
   *   M, end of a run: 1. Make version odd. 2. Read its CPU time, write charged, add the difference
   *   to the account. 3. Clear running. 4. Make version even.
   *   M, begin of a run: 1. Write running. Charged is as the last run, or the begin of the row, has
   *   left it.
   *   Observer: 1. Read version; if it is odd, wait. 2. Read running. If it is another goroutine,
   *   look at the next M; after the last M the account alone tells. 3. Read account, charged, and
   *   the CPU time of the M. 4. Read version; if it has changed, begin again. After MAX_READS
   *   tries, go on as if another goroutine ran.
   * If the observer finds running cleared, it sees the account with the run (2 comes before 3). If
   * the goroutine moves to an M that the observer has passed, the account has all but that run.
   * After MAX_READS tries the account may lack the whole run, because the system can take the CPU
   * from the M while version is odd. An observer must not wait for as long as that may last. So
   * values can go back here; Account.tell replaces those that do.
   *
   * (1) The accesses of version order them, and a long is not torn on the JVMs that Heddle runs on.
   */
  private static final VarHandle RUNNING =
      Handles.field(MethodHandles.lookup(), "running", Object.class);
  private static final VarHandle VERSION =
      Handles.field(MethodHandles.lookup(), "version", int.class);

  /** How often an observer tries to read the time of a goroutine that is just switched. */
  private static final int MAX_READS = 10_000;

  private long charged;
  private @Nullable Object running;
  private int version;

  /** Returns how much CPU time {@code m} has used since it was charged last; 0 if not known. */
  long advance(Thread m) {
    long now = CpuTime.of(m);
    long delta = now - charged;
    if (now < 0 || delta <= 0) {
      return 0;
    }
    charged = now;
    return delta;
  }

  /** Records that {@code g} runs now. The CPU time of the run counts from {@code charged}. */
  void begin(T g) {
    RUNNING.setRelease(this, g);
  }

  /** Begins the end of a run. The caller must then charge what {@link #advance} returns. */
  void beginEnd() {
    version++;
    VarHandle.fullFence(); // version comes before charged and the account
  }

  /** Ends the end of a run. */
  void end() {
    RUNNING.setRelease(this, null);
    VERSION.setRelease(this, version + 1);
  }

  boolean isRunning(T g) {
    return RUNNING.getAcquire(this) == g;
  }

  /**
   * Returns the CPU time of {@code g} if it runs on {@code m}, whose clock this is; -1 if not.
   *
   * @param account reads what {@code g} was charged with
   */
  long timeOf(T g, Thread m, LongSupplier account) {
    for (int i = 0; i < MAX_READS; i++) {
      int before = (int) VERSION.getAcquire(this);
      if (before % 2 != 0) {
        VirtualThreads.osYield();
        continue;
      }
      if (!isRunning(g)) {
        return -1;
      }
      long time = account.getAsLong() + Math.max(0, CpuTime.of(m) - charged);
      VarHandle.acquireFence();
      if (before == version) {
        return time;
      }
    }
    return -1;
  }
}
