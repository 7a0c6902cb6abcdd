package io.heddle.internal.sched;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.heddle.internal.queue.QueueNode;
import io.heddle.internal.queue.RunQueue;
import io.heddle.internal.sched.TakeOverStress.Slot.Fault;
import io.heddle.internal.timer.TimerHeap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * ScheduleLoop.pickNextFast on real cores, under jcstress: an M in user code takes the next
 * goroutine of its P. Each scene with the real run queue and P's word, and with a broken twin.
 *
 * <p>An outcome that is not listed is forbidden.
 */
public class TakeOverStress {
  private TakeOverStress() {}

  /** The goroutine. */
  static final class Item extends QueueNode<Item> {}

  /** The run queue of a P with one element in runNext, and the twin of that step. */
  static final class Slot {
    /** The omitted step. */
    enum Fault {
      /** None: the real queue. */
      NONE,
      /** pickNextFast checks, then stores null. */
      TAKE_WITHOUT_CAS,
      /** pickNextFast does not check the P again after the take. */
      ONE_LOOK,
      /** pickNextFast forgets the goroutine that must not run here. */
      DROP
    }

    final Fault fault;
    private final Item item = new Item();
    private final RunQueue<Item> queue = new RunQueue<>(2, (_, _, _) -> {});
    private final RunQueue<Item> ringOfThief = new RunQueue<>(2, (_, _, _) -> {});

    Slot(Fault fault) {
      this.fault = fault;
      queue.put(item, true);
    }

    @Nullable Item takeAsAnybody() {
      if (fault != Fault.TAKE_WITHOUT_CAS) {
        return queue.pollNextShared();
      }
      if (queue.isEmpty()) {
        return null;
      }
      Item _ = queue.pollNextShared(); // as a store of null would
      return item;
    }

    boolean isEmpty() {
      return queue.isEmpty();
    }

    @Nullable Item takeAsOwner() {
      return queue.takeNext();
    }

    @Nullable Item steal() {
      return queue.stealInto(ringOfThief, true);
    }
  }

  /** The M in user code against a thief. */
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "exactly one gets it")
  public abstract static class TakeOverAndSteal {
    private final Slot slot;

    TakeOverAndSteal(Fault fault) {
      slot = new Slot(fault);
    }

    final int takeOver() {
      return slot.takeAsAnybody() == null ? 0 : 1;
    }

    final int steal() {
      return slot.steal() == null ? 0 : 1;
    }
  }

  @JCStressTest
  @State
  public static class TakeOverAgainstSteal extends TakeOverAndSteal {
    public TakeOverAgainstSteal() {
      super(Fault.NONE);
    }

    @Actor
    public void owner(II_Result r) {
      r.r1 = takeOver();
    }

    @Actor
    public void thief(II_Result r) {
      r.r2 = steal();
    }
  }

  @JCStressTest
  @State
  public static class TakeOverAgainstStealBroken extends TakeOverAndSteal {
    public TakeOverAgainstStealBroken() {
      super(Fault.TAKE_WITHOUT_CAS);
    }

    @Actor
    public void owner(II_Result r) {
      r.r1 = takeOver();
    }

    @Actor
    public void thief(II_Result r) {
      r.r2 = steal();
    }
  }

  /**
   * The M in user code against a thread that stops the world and removes the P. The results: how
   * often the M ran the goroutine, how often it put it to the global queue, and what the stopper
   * did: 1 if it put the goroutine there, 2 if it saw it on the stopped P and did not get it.
   */
  @Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "run, and stopped after that")
  @Outcome(id = "0, 0, 1", expect = ACCEPTABLE, desc = "removed before it was taken over")
  @Outcome(
      id = {"0, 1, 0", "0, 1, 2"},
      expect = ACCEPTABLE,
      desc = "taken, but the P was gone")
  public abstract static class TakeOverAndRemove {
    private final P p =
        new P(0, new RunQueue<>(2, (_, _, _) -> {}), new TimerHeap(Thread::yield, _ -> {}));
    private final Slot slot;
    private final long epoch;

    TakeOverAndRemove(Fault fault) {
      slot = new Slot(fault);
      p.restartIdle();
      boolean _ = p.tryTake();
      epoch = p.epoch();
      p.leave(epoch);
    }

    final void takeOver(III_Result r) {
      if (!p.isInUser(epoch) || slot.takeAsAnybody() == null) {
        return;
      }
      if (slot.fault == Fault.ONE_LOOK || p.isInUser(epoch)) {
        r.r1 = 1;
      } else if (slot.fault != Fault.DROP) {
        r.r2 = 1;
      }
    }

    final int stopAndRemove() {
      if (!p.tryStopUser()) {
        return 3;
      }
      boolean isThere = !slot.isEmpty();
      boolean isMine = slot.takeAsOwner() != null;
      p.toDead();
      return isMine ? 1 : isThere ? 2 : 0;
    }
  }

  @JCStressTest
  @State
  public static class TakeOverAgainstRemove extends TakeOverAndRemove {
    public TakeOverAgainstRemove() {
      super(Fault.NONE);
    }

    @Actor
    public void owner(III_Result r) {
      takeOver(r);
    }

    @Actor
    public void stopper(III_Result r) {
      r.r3 = stopAndRemove();
    }
  }

  @JCStressTest
  @State
  public static class TakeOverAgainstRemoveTwiceBroken extends TakeOverAndRemove {
    public TakeOverAgainstRemoveTwiceBroken() {
      super(Fault.TAKE_WITHOUT_CAS);
    }

    @Actor
    public void owner(III_Result r) {
      takeOver(r);
    }

    @Actor
    public void stopper(III_Result r) {
      r.r3 = stopAndRemove();
    }
  }

  @JCStressTest
  @State
  public static class TakeOverAgainstRemoveOneLookBroken extends TakeOverAndRemove {
    public TakeOverAgainstRemoveOneLookBroken() {
      super(Fault.ONE_LOOK);
    }

    @Actor
    public void owner(III_Result r) {
      takeOver(r);
    }

    @Actor
    public void stopper(III_Result r) {
      r.r3 = stopAndRemove();
    }
  }

  @JCStressTest
  @State
  public static class TakeOverAgainstRemoveDropBroken extends TakeOverAndRemove {
    public TakeOverAgainstRemoveDropBroken() {
      super(Fault.DROP);
    }

    @Actor
    public void owner(III_Result r) {
      takeOver(r);
    }

    @Actor
    public void stopper(III_Result r) {
      r.r3 = stopAndRemove();
    }
  }
}
