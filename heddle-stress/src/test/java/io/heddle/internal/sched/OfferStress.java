package io.heddle.internal.sched;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.heddle.internal.queue.QueueNode;
import io.heddle.internal.queue.RunQueue;
import io.heddle.internal.sched.OfferStress.Offer.Fault;
import io.heddle.internal.timer.TimerHeap;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Ready.putNext on real cores, under jcstress: a goroutine offers runNext to its P while another
 * thread takes the P from its M. Each scene with the real run queue and P's word, and with broken
 * twins.
 *
 * <p>The first result is whether the offering goroutine puts the element to the global queue in the
 * end; the second is whether the thread that takes the P gets it. If neither does, 0 and 0, the
 * element is lost; if both do, it runs twice.
 */
public class OfferStress {
  private OfferStress() {}

  /** The goroutine that is made ready. */
  static final class Item extends QueueNode<Item> {}

  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "exactly one gets it")
  public abstract static class Offer {
    /** The omitted step. */
    enum Fault {
      /** None. */
      NONE,
      /** putNext does not check the P again after the offer. */
      ONE_LOOK,
      /** putNext notices that the P is gone, but leaves the offer there. */
      NO_WITHDRAW
    }

    private final Fault fault;
    private final Item item = new Item();
    final RunQueue<Item> queue = new RunQueue<>(2, (_, _, _) -> {});
    final P p = new P(0, new RunQueue<>(2, (_, _, _) -> {}), new TimerHeap(Thread::yield, _ -> {}));
    private final long epoch;

    Offer(Fault fault) {
      this.fault = fault;
      p.restartIdle();
      boolean _ = p.tryTake();
      epoch = p.epoch();
      p.leave(epoch);
    }

    final int offer() {
      return offerNext() ? 0 : 1;
    }

    private boolean offerNext() {
      if (!p.isInUser(epoch) || !queue.offerNext(item)) {
        return false;
      }
      if (fault == Fault.ONE_LOOK || p.isInUser(epoch)) {
        return true;
      }
      return fault != Fault.NO_WITHDRAW && !queue.withdrawNext(item);
    }

    final int took() {
      return queue.takeNext() == null ? 0 : 1;
    }
  }

  /** Against a thread that stops the world and removes the P. */
  public abstract static class OfferAndRemove extends Offer {
    OfferAndRemove(Fault fault) {
      super(fault);
    }

    final int stopAndRemove() {
      boolean _ = p.tryStopUser();
      int took = took();
      p.toDead();
      return took;
    }
  }

  @JCStressTest
  @State
  public static class OfferAgainstRemove extends OfferAndRemove {
    public OfferAgainstRemove() {
      super(Fault.NONE);
    }

    @Actor
    public void goroutine(II_Result r) {
      r.r1 = offer();
    }

    @Actor
    public void stopper(II_Result r) {
      r.r2 = stopAndRemove();
    }
  }

  @JCStressTest
  @State
  public static class OfferAgainstRemoveOneLookBroken extends OfferAndRemove {
    public OfferAgainstRemoveOneLookBroken() {
      super(Fault.ONE_LOOK);
    }

    @Actor
    public void goroutine(II_Result r) {
      r.r1 = offer();
    }

    @Actor
    public void stopper(II_Result r) {
      r.r2 = stopAndRemove();
    }
  }

  @JCStressTest
  @State
  public static class OfferAgainstRemoveNoWithdrawBroken extends OfferAndRemove {
    public OfferAgainstRemoveNoWithdrawBroken() {
      super(Fault.NO_WITHDRAW);
    }

    @Actor
    public void goroutine(II_Result r) {
      r.r1 = offer();
    }

    @Actor
    public void stopper(II_Result r) {
      r.r2 = stopAndRemove();
    }
  }

  /**
   * Against another M that acquires the P, finds nothing, and releases it: the sleep protocol with
   * its last check.
   */
  public abstract static class OfferAndTakeAway extends Offer {
    OfferAndTakeAway(Fault fault) {
      super(fault);
    }

    final int takeAwayAndLook() {
      boolean _ = p.tryStopUser();
      p.restartIdle();
      boolean _ = p.tryTake();
      if (took() == 1) {
        return 1;
      }
      p.toIdle();
      return !queue.isEmpty() && p.tryTake() ? took() : 0;
    }
  }

  @JCStressTest
  @State
  public static class OfferAgainstTakeAway extends OfferAndTakeAway {
    public OfferAgainstTakeAway() {
      super(Fault.NONE);
    }

    @Actor
    public void goroutine(II_Result r) {
      r.r1 = offer();
    }

    @Actor
    public void other(II_Result r) {
      r.r2 = takeAwayAndLook();
    }
  }

  @JCStressTest
  @State
  public static class OfferAgainstTakeAwayOneLookBroken extends OfferAndTakeAway {
    public OfferAgainstTakeAwayOneLookBroken() {
      super(Fault.ONE_LOOK);
    }

    @Actor
    public void goroutine(II_Result r) {
      r.r1 = offer();
    }

    @Actor
    public void other(II_Result r) {
      r.r2 = takeAwayAndLook();
    }
  }

  @JCStressTest
  @State
  public static class OfferAgainstTakeAwayNoWithdrawBroken extends OfferAndTakeAway {
    public OfferAgainstTakeAwayNoWithdrawBroken() {
      super(Fault.NO_WITHDRAW);
    }

    @Actor
    public void goroutine(II_Result r) {
      r.r1 = offer();
    }

    @Actor
    public void other(II_Result r) {
      r.r2 = takeAwayAndLook();
    }
  }
}
