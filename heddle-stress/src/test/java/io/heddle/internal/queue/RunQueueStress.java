package io.heddle.internal.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.heddle.internal.queue.BrokenRunQueue.Fault;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The run queue on real cores, under jcstress: each scene with the real queue, and with a broken
 * twin.
 *
 * <p>An outcome that is not listed is forbidden. Elements are numbered from 1, 0 is none, and
 * several elements are digits.
 *
 * <p>The file is long because jcstress requires a class for each scene.
 */
public class RunQueueStress {
  private RunQueueStress() {}

  /** A ring of two elements, and a thief's ring. */
  abstract static class Scene {
    final Ring ring;
    final Ring ringOfThief;
    private final Token three = new Token(3);
    private int overflowed;

    Scene(Ring.Maker maker) {
      ring = maker.make(2, (first, _, _) -> overflowed = Token.digits(first));
      ringOfThief = maker.make(2, (_, _, _) -> {});
    }

    final void fill(int id, boolean next) {
      ring.put(new Token(id), next);
    }

    /** Its element is created in advance: the shorter the actors, the more often they meet. */
    final boolean putThree(boolean next) {
      return ring.put(three, next);
    }

    final int takeHead() {
      return Token.id(ring.takeHead());
    }

    final int steal(Ring into, boolean runNextToo) {
      return Token.id(ring.stealInto(into, runNextToo));
    }

    /** All remaining elements: the overflow, then runNext, then the ring. */
    final int drain() {
      int digits = overflowed;
      Token next = ring.takeNext();
      if (next != null) {
        digits = digits * 10 + next.id;
      }
      for (int id = takeHead(); id != 0; id = takeHead()) {
        digits = digits * 10 + id;
      }
      return digits;
    }
  }

  /** The owner takes the oldest and puts another into the same slot, while a thief steals one. */
  @Outcome(
      id = {"1, 2", "2, 1"},
      expect = ACCEPTABLE,
      desc = "each gets one of its own")
  public abstract static class TakeAndSteal extends Scene {
    TakeAndSteal(Ring.Maker maker) {
      super(maker);
      fill(1, false);
      fill(2, false);
    }

    final int takeAndPut() {
      int taken = takeHead();
      putThree(false);
      return taken;
    }
  }

  @JCStressTest
  @State
  public static class TakeAgainstSteal extends TakeAndSteal {
    public TakeAgainstSteal() {
      super(Ring.Sound::new);
    }

    @Actor
    public void owner(II_Result r) {
      r.r1 = takeAndPut();
    }

    @Actor
    public void thief(II_Result r) {
      r.r2 = steal(ringOfThief, false);
    }
  }

  @JCStressTest
  @State
  public static class TakeAgainstStealBroken extends TakeAndSteal {
    public TakeAgainstStealBroken() {
      super(BrokenRunQueue.with(Fault.TAKE_WITHOUT_CAS));
    }

    @Actor
    public void owner(II_Result r) {
      r.r1 = takeAndPut();
    }

    @Actor
    public void thief(II_Result r) {
      r.r2 = steal(ringOfThief, false);
    }
  }

  /** Two thieves. */
  @Outcome(
      id = {"1, 2", "2, 1"},
      expect = ACCEPTABLE,
      desc = "each gets one of its own")
  public abstract static class StealAndSteal extends Scene {
    final Ring ringOfOther;

    StealAndSteal(Ring.Maker maker) {
      super(maker);
      ringOfOther = maker.make(2, (_, _, _) -> {});
      fill(1, false);
      fill(2, false);
    }
  }

  @JCStressTest
  @State
  public static class StealAgainstSteal extends StealAndSteal {
    public StealAgainstSteal() {
      super(Ring.Sound::new);
    }

    @Actor
    public void thief(II_Result r) {
      r.r1 = steal(ringOfThief, false);
    }

    @Actor
    public void other(II_Result r) {
      r.r2 = steal(ringOfOther, false);
    }
  }

  @JCStressTest
  @State
  public static class StealAgainstStealBroken extends StealAndSteal {
    public StealAgainstStealBroken() {
      super(BrokenRunQueue.with(Fault.STEAL_WITHOUT_CAS));
    }

    @Actor
    public void thief(II_Result r) {
      r.r1 = steal(ringOfThief, false);
    }

    @Actor
    public void other(II_Result r) {
      r.r2 = steal(ringOfOther, false);
    }
  }

  /** The owner moves runNext to the ring while a thief steals runNext. */
  @Outcome(id = "1, 3", expect = ACCEPTABLE, desc = "the thief gets the old one")
  @Outcome(id = "3, 1", expect = ACCEPTABLE, desc = "the thief gets the new one")
  @Outcome(id = "0, 31", expect = ACCEPTABLE, desc = "the thief came in between and gets none")
  public abstract static class KickAndSteal extends Scene {
    KickAndSteal(Ring.Maker maker) {
      super(maker);
      fill(1, true);
    }
  }

  @JCStressTest
  @State
  public static class KickAgainstSteal extends KickAndSteal {
    public KickAgainstSteal() {
      super(Ring.Sound::new);
    }

    @Actor
    public void owner() {
      putThree(true);
    }

    @Actor
    public void thief(II_Result r) {
      r.r1 = steal(ringOfThief, true);
    }

    @Arbiter
    public void rest(II_Result r) {
      r.r2 = drain();
    }
  }

  @JCStressTest
  @State
  public static class KickAgainstStealBroken extends KickAndSteal {
    public KickAgainstStealBroken() {
      super(BrokenRunQueue.with(Fault.STEAL_NEXT_WITHOUT_CAS));
    }

    @Actor
    public void owner() {
      putThree(true);
    }

    @Actor
    public void thief(II_Result r) {
      r.r1 = steal(ringOfThief, true);
    }

    @Arbiter
    public void rest(II_Result r) {
      r.r2 = drain();
    }
  }

  /**
   * The owner's ring overflows while a thief steals: first the thief's elements, then the overflow
   * and the rest.
   */
  @Outcome(id = "1, 23", expect = ACCEPTABLE, desc = "the thief made room")
  @Outcome(id = "2, 13", expect = ACCEPTABLE, desc = "1 and 3 went to the overflow")
  public abstract static class OverflowAndSteal extends Scene {
    OverflowAndSteal(Ring.Maker maker) {
      super(maker);
      fill(1, false);
      fill(2, false);
    }
  }

  @JCStressTest
  @State
  public static class OverflowAgainstSteal extends OverflowAndSteal {
    public OverflowAgainstSteal() {
      super(Ring.Sound::new);
    }

    @Actor
    public void owner() {
      putThree(false);
    }

    @Actor
    public void thief(II_Result r) {
      r.r1 = steal(ringOfThief, false);
    }

    @Arbiter
    public void rest(II_Result r) {
      r.r2 = drain();
    }
  }

  @JCStressTest
  @State
  public static class OverflowAgainstStealBroken extends OverflowAndSteal {
    public OverflowAgainstStealBroken() {
      super(BrokenRunQueue.with(Fault.OVERFLOW_WITHOUT_CAS));
    }

    @Actor
    public void owner() {
      putThree(false);
    }

    @Actor
    public void thief(II_Result r) {
      r.r1 = steal(ringOfThief, false);
    }

    @Arbiter
    public void rest(II_Result r) {
      r.r2 = drain();
    }
  }

  /**
   * The sleep protocol (rule F6) without a fence: the submitter makes an element ready and checks
   * for a sleeper; an M that goes to sleep registers and checks for an element. If both find
   * nothing, 0 and 0, the wakeup is lost.
   */
  @Outcome(
      id = {"0, 1", "1, 0", "1, 1"},
      expect = ACCEPTABLE,
      desc = "one of them notices")
  public abstract static class PutAndSleep extends Scene {
    private volatile int idle;

    PutAndSleep(Ring.Maker maker) {
      super(maker);
    }

    /** As in Ready.putNext. */
    final int putAndLook() {
      if (putThree(true)) {
        VarHandle.fullFence();
      }
      return idle;
    }

    final int sleepAndLook() {
      idle = 1;
      return ring.isEmpty() ? 0 : 1;
    }
  }

  @JCStressTest
  @State
  public static class PutAgainstSleep extends PutAndSleep {
    public PutAgainstSleep() {
      super(Ring.Sound::new);
    }

    @Actor
    public void submitter(II_Result r) {
      r.r1 = putAndLook();
    }

    @Actor
    public void sleeper(II_Result r) {
      r.r2 = sleepAndLook();
    }
  }

  @JCStressTest
  @State
  public static class PutAgainstSleepBroken extends PutAndSleep {
    public PutAgainstSleepBroken() {
      super(BrokenRunQueue.with(Fault.PUT_NEXT_WITHOUT_EXCHANGE));
    }

    @Actor
    public void submitter(II_Result r) {
      r.r1 = putAndLook();
    }

    @Actor
    public void sleeper(II_Result r) {
      r.r2 = sleepAndLook();
    }
  }

  /**
   * The sleep protocol for an element that was moved out of runNext, while a thief takes the
   * element that replaced it. One of the two is left, and either the submitter or the M that goes
   * to sleep notices it.
   */
  @Outcome(
      id = {"0, 1", "1, 0", "1, 1"},
      expect = ACCEPTABLE,
      desc = "one of them notices")
  public abstract static class KickAndSleep extends PutAndSleep {
    KickAndSleep(Ring.Maker maker) {
      super(maker);
      fill(1, true);
    }

    final int stealSleepAndLook() {
      steal(ringOfThief, true);
      return sleepAndLook();
    }
  }

  @JCStressTest
  @State
  public static class KickAgainstSleep extends KickAndSleep {
    public KickAgainstSleep() {
      super(Ring.Sound::new);
    }

    @Actor
    public void submitter(II_Result r) {
      r.r1 = putAndLook();
    }

    @Actor
    public void sleeper(II_Result r) {
      r.r2 = stealSleepAndLook();
    }
  }

  @JCStressTest
  @State
  public static class KickAgainstSleepBroken extends KickAndSleep {
    public KickAgainstSleepBroken() {
      super(BrokenRunQueue.with(Fault.KICK_IN_SILENCE));
    }

    @Actor
    public void submitter(II_Result r) {
      r.r1 = putAndLook();
    }

    @Actor
    public void sleeper(II_Result r) {
      r.r2 = stealSleepAndLook();
    }
  }
}
