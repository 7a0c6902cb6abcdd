package io.heddle.internal.sched;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.heddle.internal.sched.BrokenP.Fault;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The word of a P on real cores, under jcstress: each scene with the real P, and with a broken
 * twin.
 *
 * <p>1 is success, 0 is none. An outcome that is not listed is forbidden.
 */
public class PStress {
  private PStress() {}

  /** A contended P. */
  abstract static class Scene {
    final Proc p;
    final long epoch;

    Scene(Proc p) {
      this.p = p;
      this.epoch = p.epoch();
    }

    final int enter() {
      return p.enter(epoch) ? 1 : 0;
    }

    final int take() {
      return p.tryTake() ? 1 : 0;
    }

    final int stopIdle() {
      return p.tryStopIdle() ? 1 : 0;
    }

    final int stopUser() {
      return p.tryStopUser() ? 1 : 0;
    }
  }

  /** Its M re-enters while another thread stops the world. */
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "exactly one gets it")
  public abstract static class EnterAndStop extends Scene {
    EnterAndStop(Proc p) {
      super(p);
    }
  }

  @JCStressTest
  @State
  public static class EnterAgainstStop extends EnterAndStop {
    public EnterAgainstStop() {
      super(Proc.inUser(new Proc.Sound()));
    }

    @Actor
    public void owner(II_Result r) {
      r.r1 = enter();
    }

    @Actor
    public void stopper(II_Result r) {
      r.r2 = stopUser();
    }
  }

  @JCStressTest
  @State
  public static class EnterAgainstStopBroken extends EnterAndStop {
    public EnterAgainstStopBroken() {
      super(Proc.inUser(new BrokenP(Fault.ENTER_WITHOUT_CAS)));
    }

    @Actor
    public void owner(II_Result r) {
      r.r1 = enter();
    }

    @Actor
    public void stopper(II_Result r) {
      r.r2 = stopUser();
    }
  }

  /** Two Ms take an idle P. */
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "exactly one gets it")
  public abstract static class TakeAndTake extends Scene {
    TakeAndTake(Proc p) {
      super(p);
    }
  }

  @JCStressTest
  @State
  public static class TakeAgainstTake extends TakeAndTake {
    public TakeAgainstTake() {
      super(Proc.idle(new Proc.Sound()));
    }

    @Actor
    public void taker(II_Result r) {
      r.r1 = take();
    }

    @Actor
    public void other(II_Result r) {
      r.r2 = take();
    }
  }

  @JCStressTest
  @State
  public static class TakeAgainstTakeBroken extends TakeAndTake {
    public TakeAgainstTakeBroken() {
      super(Proc.idle(new BrokenP(Fault.TAKE_WITHOUT_CAS)));
    }

    @Actor
    public void taker(II_Result r) {
      r.r1 = take();
    }

    @Actor
    public void other(II_Result r) {
      r.r2 = take();
    }
  }

  /** One thread takes the idle P, and another one stops it. */
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "exactly one gets it")
  public abstract static class TakeAndStop extends Scene {
    TakeAndStop(Proc p) {
      super(p);
    }
  }

  @JCStressTest
  @State
  public static class TakeAgainstStop extends TakeAndStop {
    public TakeAgainstStop() {
      super(Proc.idle(new Proc.Sound()));
    }

    @Actor
    public void taker(II_Result r) {
      r.r1 = take();
    }

    @Actor
    public void stopper(II_Result r) {
      r.r2 = stopIdle();
    }
  }

  @JCStressTest
  @State
  public static class TakeAgainstStopBroken extends TakeAndStop {
    public TakeAgainstStopBroken() {
      super(Proc.idle(new BrokenP(Fault.TAKE_WITHOUT_CAS)));
    }

    @Actor
    public void taker(II_Result r) {
      r.r1 = take();
    }

    @Actor
    public void stopper(II_Result r) {
      r.r2 = stopIdle();
    }
  }

  /** Its M re-enters while the P passes to another M, which also runs user code with it. */
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "exactly one gets it")
  public abstract static class EnterAndGoRound extends Scene {
    EnterAndGoRound(Proc p) {
      super(p);
    }

    final int goRound() {
      if (!p.tryStopUser()) {
        return 0;
      }
      p.restartIdle();
      boolean taken = p.tryTake();
      p.leaveWith(false, p.epoch());
      return taken ? 1 : 0;
    }
  }

  @JCStressTest
  @State
  public static class EnterAgainstGoRound extends EnterAndGoRound {
    public EnterAgainstGoRound() {
      super(Proc.inUser(new Proc.Sound()));
    }

    @Actor
    public void owner(II_Result r) {
      r.r1 = enter();
    }

    @Actor
    public void others(II_Result r) {
      r.r2 = goRound();
    }
  }

  @JCStressTest
  @State
  public static class EnterAgainstGoRoundBroken extends EnterAndGoRound {
    public EnterAgainstGoRoundBroken() {
      super(Proc.inUser(new BrokenP(Fault.SAME_EPOCH)));
    }

    @Actor
    public void owner(II_Result r) {
      r.r1 = enter();
    }

    @Actor
    public void others(II_Result r) {
      r.r2 = goRound();
    }
  }

  /**
   * Whether the P was stopped when its M left, and whether the stopper then sees what the M wrote
   * before.
   */
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "not stopped: still in the scheduler")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "stopped, and seen")
  public abstract static class LeaveAndStop extends Scene {
    LeaveAndStop(Proc p) {
      super(p);
    }

    final void leave() {
      p.leaveWith(true, epoch);
    }

    final void stopAndLook(II_Result r) {
      r.r1 = stopUser();
      r.r2 = r.r1 == 1 && p.only() ? 1 : 0;
    }
  }

  @JCStressTest
  @State
  public static class LeaveAgainstStop extends LeaveAndStop {
    public LeaveAgainstStop() {
      super(Proc.inSched(new Proc.Sound()));
    }

    @Actor
    public void owner() {
      leave();
    }

    @Actor
    public void stopper(II_Result r) {
      stopAndLook(r);
    }
  }

  @JCStressTest
  @State
  public static class LeaveAgainstStopBroken extends LeaveAndStop {
    public LeaveAgainstStopBroken() {
      super(Proc.inSched(new BrokenP(Fault.LEAVE_TOO_EARLY)));
    }

    @Actor
    public void owner() {
      leave();
    }

    @Actor
    public void stopper(II_Result r) {
      stopAndLook(r);
    }
  }

  /**
   * Its M re-enters while the world is stopped and restarted. Whether the M has its P in the end,
   * whether it sees what the stopper wrote, and whether the P was stopped.
   */
  @Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "back before it could be stopped")
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "stopped, and given back")
  public abstract static class ComeBackAndRestart extends Scene {
    ComeBackAndRestart(Proc p) {
      super(p);
    }

    final void comeBack(III_Result r) {
      while (!p.enter(epoch)) {
        if (p.epoch() != epoch) {
          return; // lost
        }
        Thread.onSpinWait();
      }
      r.r1 = 1;
      r.r2 = p.only() ? 1 : 0;
    }

    final int stopAndRestart() {
      if (!p.tryStopUser()) {
        return 0;
      }
      p.restartWithOwner(true);
      return 1;
    }
  }

  @JCStressTest
  @State
  public static class ComeBackAgainstRestart extends ComeBackAndRestart {
    public ComeBackAgainstRestart() {
      super(Proc.inUser(new Proc.Sound()));
    }

    @Actor
    public void owner(III_Result r) {
      comeBack(r);
    }

    @Actor
    public void stopper(III_Result r) {
      r.r3 = stopAndRestart();
    }
  }

  @JCStressTest
  @State
  public static class ComeBackAgainstRestartBroken extends ComeBackAndRestart {
    public ComeBackAgainstRestartBroken() {
      super(Proc.inUser(new BrokenP(Fault.RESTART_TOO_EARLY)));
    }

    @Actor
    public void owner(III_Result r) {
      comeBack(r);
    }

    @Actor
    public void stopper(III_Result r) {
      r.r3 = stopAndRestart();
    }
  }
}
