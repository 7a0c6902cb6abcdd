package io.heddle.internal.part;

import io.heddle.internal.base.Handles;
import io.heddle.internal.jdk.CpuTime;
import io.heddle.internal.jdk.VirtualThreads;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers how much of the CPU time of one M has been charged to goroutines; see {@code CpuTimes}.
 *
 * @param <T> the type of the goroutines
 */
public final class CpuClock<T> {
  /*
   * field     writer                                       readers     mode
   * charged   the charger (sysmon; the M if exact)         observers   plain (1)
   * running   the M, if exact: the goroutine that it runs  observers   release, acquire
   * version   the M, if exact: odd while a run ends        observers   release, acquire
   *
   * charged is the CPU time that the M had at its last charge. A row of runs is what an M runs
   * between two visits to the scheduler (RunSlots).
   *
   * Exact times. The time of a goroutine that runs is the sum of the time in its account, and of
   * the CPU time that its M has used since charged.
   *   M, end of a run: 1. Make version odd. 2. Read its CPU time, write charged, add the difference
   *   to the account. 3. Clear running. 4. Make version even.
   *   M, beginning of a run: 1. Write running. The field charged still has the value from the end
   *   of the run before, or from the beginning of the row.
   *   Observer: 1. Read version; if it is odd, wait. 2. Read running. If it is another goroutine,
   *   look at the next M; if no M runs the goroutine, the result is the account alone. 3. Read
   *   account, charged, and the CPU time of the M. 4. Read version; if it has changed, begin again.
   *   After MAX_READS tries, go on as if another goroutine ran.
   * If the observer finds running cleared, it sees the account with the run (2 comes before 3). If
   * the goroutine moves to an M that the observer has passed, the account has all but that run.
   * After MAX_READS tries the account may lack the whole run, because the system can take the CPU
   * from the M while version is odd. An observer must not wait for as long as that may last. So
   * the values can decrease here; Account.tell replaces those that do.
   *
   * (1) The accesses of version order them, and a long is not torn on the JVMs that Heddle runs on.
   */
  private static final VarHandle RUNNING =
      Handles.field(MethodHandles.lookup(), "running", Object.class);
  private static final VarHandle VERSION =
      Handles.field(MethodHandles.lookup(), "version", int.class);

  /** How often an observer tries to read the time of a goroutine whose M switches meanwhile. */
  private static final int MAX_READS = 10_000;

  private long charged;
  private @Nullable Object running;
  private int version;

  /**
   * Returns how much CPU time {@code m}, whose clock this is, has used since the last call, and
   * counts that as charged. Returns 0 if the CPU time is not known. Called by the charger.
   */
  public long advance(Thread m) {
    long now = CpuTime.of(m);
    long delta = now - charged;
    if (now < 0 || delta <= 0) {
      return 0;
    }
    charged = now;
    return delta;
  }

  /**
   * Records that {@code g} runs now. The CPU time that the M has used since the last {@link
   * #advance} counts for this run.
   */
  public void begin(T g) {
    RUNNING.setRelease(this, g);
  }

  /** Begins the end of a run. The caller must then charge what {@link #advance} returns. */
  public void beginEnd() {
    version++;
    VarHandle.fullFence(); // version comes before charged and the account
  }

  /** Completes the end of a run, after {@link #beginEnd} and the charge. */
  public void end() {
    RUNNING.setRelease(this, null);
    VERSION.setRelease(this, version + 1);
  }

  /** Whether {@code g} runs on this M, as far as {@link #begin} and {@link #end} have told. */
  public boolean isRunning(T g) {
    return RUNNING.getAcquire(this) == g;
  }

  /**
   * Returns the CPU time of {@code g} if it runs on {@code m}, whose clock this is; else -1. Also
   * -1 if no attempt of {@link #MAX_READS} was free of a switch. Callable by any thread.
   *
   * @param account reads what {@code g} was charged with
   */
  public long timeOf(T g, Thread m, LongSupplier account) {
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
