package io.heddle.internal.timer;

import io.heddle.internal.timer.BrokenTimers.Fault;
import io.heddle.stress.Check;
import io.heddle.stress.Corner;
import java.util.function.LongConsumer;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The timer heap under Lincheck. */
@Tag("full")
class TimerLincheckTest {
  private static final Corner STOP_AND_RUN = new Corner("armA(1)", "stopA", "runFirst(1)", "stopA");
  private static final Corner ARM_AND_RUN =
      new Corner("armA(1)", "armA(2)", "runFirst(1)", "runFirst(2) runFirst(2)");
  private static final Corner ARM_EARLIER_AND_RUN =
      new Corner("armA(2) armB(3)", "armB(1)", "runFirst(2)", "runFirst(3) runFirst(3)");
  private static final Corner STOP_AND_STOP =
      new Corner("armA(1)", "stopA", "stopA", "runFirst(1)");
  private static final Corner ARM_AND_ARM =
      new Corner("", "armA(1)", "armA(2)", "runFirst(2) runFirst(2)");
  private static final Corner RUN_AND_RUN =
      new Corner("armA(1) armB(1)", "runFirst(1)", "runFirst(1)", "runFirst(1)");

  private static final Corner[] CORNERS = {
    STOP_AND_RUN, ARM_AND_RUN, ARM_EARLIER_AND_RUN, STOP_AND_STOP, ARM_AND_ARM, RUN_AND_RUN
  };

  @Test
  void t1_isLinearizable() {
    Check.passes(Sound.class, OneThread.class, CORNERS);
  }

  @Test
  void twinWithoutAFaultPasses() {
    Check.passesCorners(NoFault.class, OneThread.class, CORNERS);
  }

  @Test
  void t1_stopWithoutLockIsCaught() {
    Check.fails(StopWithoutLock.class, OneThread.class, STOP_AND_RUN);
  }

  @Test
  void t1_armWithoutLockIsCaught() {
    Check.fails(ArmWithoutLock.class, OneThread.class, ARM_AND_RUN);
  }

  @Test
  void t1_fireWithoutLockIsCaught() {
    Check.fails(FireWithoutLock.class, OneThread.class, STOP_AND_RUN);
  }

  /** A named class, because Lincheck cannot analyse a lambda or a record. */
  private static final class Note implements LongConsumer {
    private final ThreadLocal<Integer> fired;
    private final int id;

    Note(ThreadLocal<Integer> fired, int id) {
      this.fired = fired;
      this.id = id;
    }

    @Override
    public void accept(long generation) {
      fired.set(id);
    }
  }

  /** Two timers; every thread performs every operation. */
  @Param(name = "time", gen = IntGen.class, conf = "1:4")
  public abstract static class Scene {
    private final Timers timers;
    private final Timers.Alarm a;
    private final Timers.Alarm b;

    /** The callback of a timer runs on the thread that runs due timers. */
    private final ThreadLocal<Integer> fired = ThreadLocal.withInitial(() -> 0);

    Scene(Timers timers) {
      this.timers = timers;
      this.a = timers.alarm(new Note(fired, 1));
      this.b = timers.alarm(new Note(fired, 2));
    }

    @Operation
    public boolean armA(@Param(name = "time") int when) {
      return a.arm(when, 0);
    }

    @Operation
    public boolean armB(@Param(name = "time") int when) {
      return b.arm(when, 0);
    }

    @Operation
    public boolean stopA() {
      return a.stop();
    }

    @Operation
    public boolean stopB() {
      return b.stop();
    }

    /** Which timers fired, 0 for none. */
    @Operation
    public int runFirst(@Param(name = "time") int now) {
      return timers.runFirstDue(now) ? fired.get() : 0;
    }
  }

  public static class Sound extends Scene {
    public Sound() {
      super(new Timers.Sound(_ -> {}));
    }
  }

  public static class NoFault extends Scene {
    public NoFault() {
      super(new BrokenTimers(Fault.NONE, _ -> {}));
    }
  }

  public static class StopWithoutLock extends Scene {
    public StopWithoutLock() {
      super(new BrokenTimers(Fault.STOP_WITHOUT_LOCK, _ -> {}));
    }
  }

  public static class ArmWithoutLock extends Scene {
    public ArmWithoutLock() {
      super(new BrokenTimers(Fault.ARM_WITHOUT_LOCK, _ -> {}));
    }
  }

  public static class FireWithoutLock extends Scene {
    public FireWithoutLock() {
      super(new BrokenTimers(Fault.FIRE_WITHOUT_LOCK, _ -> {}));
    }
  }

  /** The scene on one thread: the sequential specification. */
  public static class OneThread {
    private static final int NONE = 0;
    private final int[] when = new int[3];
    private final int[] sequence = new int[3];
    private int armings;

    public boolean armA(int when) {
      return arm(1, when);
    }

    public boolean armB(int when) {
      return arm(2, when);
    }

    public boolean stopA() {
      return stop(1);
    }

    public boolean stopB() {
      return stop(2);
    }

    public int runFirst(int now) {
      int first = isFirst(1, 2) ? 1 : 2;
      return when[first] != NONE && when[first] <= now && stop(first) ? first : 0;
    }

    private boolean isFirst(int one, int other) {
      if (when[one] == NONE || when[other] == NONE) {
        return when[other] == NONE;
      }
      return when[one] < when[other]
          || (when[one] == when[other] && sequence[one] < sequence[other]);
    }

    private boolean arm(int id, int time) {
      boolean wasLive = stop(id);
      when[id] = time;
      sequence[id] = armings++;
      return wasLive;
    }

    private boolean stop(int id) {
      boolean wasLive = when[id] != NONE;
      when[id] = NONE;
      return wasLive;
    }
  }
}
