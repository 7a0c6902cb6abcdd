package io.heddle.internal.timer;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.heddle.internal.timer.BrokenTimers.Fault;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The timer heap on real cores, under jcstress: each scene with the real heap, and with a broken
 * twin.
 *
 * <p>An outcome that is not listed is forbidden.
 */
public class TimerStress {
  private TimerStress() {}

  private static Function<LongConsumer, Timers> broken(Fault fault) {
    return onEarlier -> new BrokenTimers(fault, onEarlier);
  }

  /** One timer, armed for 1, and a mark that a sleeper sets. */
  abstract static class Scene {
    final Timers timers;
    final Timers.Alarm alarm;
    private volatile int asleep;
    private int seenAsleep;

    Scene(Function<LongConsumer, Timers> make, long period) {
      timers = make.apply(_ -> seenAsleep = asleep);
      alarm = timers.alarm(_ -> {});
      alarm.arm(1, period);
    }

    final int stop() {
      return alarm.stop() ? 1 : 0;
    }

    final int arm(long when) {
      return alarm.arm(when, 0) ? 1 : 0;
    }

    /** What the arming thread saw, if its time was the earliest. */
    final int armEarlier() {
      alarm.arm(0, 0);
      return seenAsleep;
    }

    /** Whether the sleeper would sleep until the time that the other thread armed. */
    final int goToSleep() {
      asleep = 1;
      return timers.earliest() == 0 ? 1 : 0;
    }
  }

  /** Whether it was stopped, and how often it fired. */
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "stopped")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "fired")
  public abstract static class StopAndFire extends Scene {
    StopAndFire(Function<LongConsumer, Timers> make) {
      super(make, 0);
    }
  }

  @JCStressTest
  @State
  public static class StopAgainstFire extends StopAndFire {
    public StopAgainstFire() {
      super(Timers.Sound::new);
    }

    @Actor
    public void stopper(II_Result r) {
      r.r1 = stop();
    }

    @Actor
    public void runner(II_Result r) {
      r.r2 = timers.runDue(1);
    }
  }

  @JCStressTest
  @State
  public static class StopAgainstFireBroken extends StopAndFire {
    public StopAgainstFireBroken() {
      super(broken(Fault.STOP_WITHOUT_LOCK));
    }

    @Actor
    public void stopper(II_Result r) {
      r.r1 = stop();
    }

    @Actor
    public void runner(II_Result r) {
      r.r2 = timers.runDue(1);
    }
  }

  /** Whether the first was live, how often it fired at its time, how often later. */
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "armed anew in time")
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "fired, then armed anew")
  public abstract static class ArmAndFire extends Scene {
    ArmAndFire(Function<LongConsumer, Timers> make) {
      super(make, 0);
    }
  }

  @JCStressTest
  @State
  public static class ArmAgainstFire extends ArmAndFire {
    public ArmAgainstFire() {
      super(Timers.Sound::new);
    }

    @Actor
    public void armer(III_Result r) {
      r.r1 = arm(2);
    }

    @Actor
    public void runner(III_Result r) {
      r.r2 = timers.runDue(1);
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = timers.runDue(2);
    }
  }

  @JCStressTest
  @State
  public static class ArmAgainstFireBroken extends ArmAndFire {
    public ArmAgainstFireBroken() {
      super(broken(Fault.ARM_WITHOUT_LOCK));
    }

    @Actor
    public void armer(III_Result r) {
      r.r1 = arm(2);
    }

    @Actor
    public void runner(III_Result r) {
      r.r2 = timers.runDue(1);
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = timers.runDue(2);
    }
  }

  /**
   * Whether a periodic timer was stopped, how often it fired meanwhile, and how often afterwards.
   */
  @Outcome(
      id = {"1, 0, 0", "1, 1, 0"},
      expect = ACCEPTABLE,
      desc = "stopped for good")
  public abstract static class StopAndTick extends Scene {
    StopAndTick(Function<LongConsumer, Timers> make) {
      super(make, 1);
    }
  }

  @JCStressTest
  @State
  public static class StopAgainstTick extends StopAndTick {
    public StopAgainstTick() {
      super(Timers.Sound::new);
    }

    @Actor
    public void stopper(III_Result r) {
      r.r1 = stop();
    }

    @Actor
    public void runner(III_Result r) {
      r.r2 = timers.runDue(1);
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = timers.runDue(10);
    }
  }

  @JCStressTest
  @State
  public static class StopAgainstTickBroken extends StopAndTick {
    public StopAgainstTickBroken() {
      super(broken(Fault.FIRE_WITHOUT_LOCK));
    }

    @Actor
    public void stopper(III_Result r) {
      r.r1 = stop();
    }

    @Actor
    public void runner(III_Result r) {
      r.r2 = timers.runDue(1);
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = timers.runDue(10);
    }
  }

  /** Whether the arming thread saw the sleeper, and whether the sleeper saw the time. */
  @Outcome(
      id = {"1, 0", "0, 1", "1, 1"},
      expect = ACCEPTABLE,
      desc = "no sleeper sleeps too long")
  public abstract static class ArmAndSleep extends Scene {
    ArmAndSleep(Function<LongConsumer, Timers> make) {
      super(make, 0);
    }
  }

  @JCStressTest
  @State
  public static class ArmAgainstSleep extends ArmAndSleep {
    public ArmAgainstSleep() {
      super(Timers.Sound::new);
    }

    @Actor
    public void armer(II_Result r) {
      r.r1 = armEarlier();
    }

    @Actor
    public void sleeper(II_Result r) {
      r.r2 = goToSleep();
    }
  }

  @JCStressTest
  @State
  public static class ArmAgainstSleepBroken extends ArmAndSleep {
    public ArmAgainstSleepBroken() {
      super(broken(Fault.EARLIEST_RELEASED));
    }

    @Actor
    public void armer(II_Result r) {
      r.r1 = armEarlier();
    }

    @Actor
    public void sleeper(II_Result r) {
      r.r2 = goToSleep();
    }
  }

  /** Whether the first thread and whether the second thread stopped it. */
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "one of them")
  public abstract static class StopAndStop extends Scene {
    StopAndStop(Function<LongConsumer, Timers> make) {
      super(make, 0);
    }
  }

  @JCStressTest
  @State
  public static class StopAgainstStop extends StopAndStop {
    public StopAgainstStop() {
      super(Timers.Sound::new);
    }

    @Actor
    public void left(II_Result r) {
      r.r1 = stop();
    }

    @Actor
    public void right(II_Result r) {
      r.r2 = stop();
    }
  }

  @JCStressTest
  @State
  public static class StopAgainstStopBroken extends StopAndStop {
    public StopAgainstStopBroken() {
      super(broken(Fault.STOP_WITHOUT_LOCK));
    }

    @Actor
    public void left(II_Result r) {
      r.r1 = stop();
    }

    @Actor
    public void right(II_Result r) {
      r.r2 = stop();
    }
  }
}
