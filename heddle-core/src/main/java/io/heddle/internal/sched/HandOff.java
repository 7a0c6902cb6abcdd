package io.heddle.internal.sched;

import java.lang.invoke.VarHandle;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * Takes a P that its M has lost or given away, and hands it to another M or makes it idle (rules
 * S4, G7).
 */
public final class HandOff {
  /** Why an M lost its P. */
  public enum Reason {
    /** The goroutine of the M computed for longer than its time slice. */
    COMPUTING,
    /** The goroutine of the M was in native code for longer than its time slice. */
    NATIVE,
    /**
     * The goroutine of the M waited and could not unmount, for example because of a native frame or
     * class initializer on its stack.
     */
    PINNED,
    /**
     * The goroutine of the M was in a marked call: {@code Go.blocking}, or a call that the JDK
     * marks. Counted only if the P was not idle any more when the call ended.
     */
    MARKED
  }

  private final Sched sched;
  private final Map<Reason, LongAdder> counts = new EnumMap<>(Reason.class);

  HandOff(Sched sched) {
    this.sched = sched;
    for (Reason reason : Reason.values()) {
      counts.put(reason, new LongAdder());
    }
  }

  /** Returns the number of hand-offs for {@code reason}. */
  public long count(Reason reason) {
    return adder(reason).sum();
  }

  /** Returns the number of hand-offs for all reasons. */
  public long count() {
    return counts.values().stream().mapToLong(LongAdder::sum).sum();
  }

  void recordHandOff(Reason reason) {
    adder(reason).increment();
  }

  private LongAdder adder(Reason reason) {
    return Objects.requireNonNull(counts.get(reason));
  }

  /**
   * Gives {@code p} to an M if there is work for it, else makes it idle; Go's {@code handoffp}. The
   * caller has acquired {@code p} (state SCHED), and must not use it after this call.
   */
  void handOff(P p) {
    if (hasWorkFor(p)) {
      sched.threads.startM(p, false); // if this fails, p is idle and sysmon tries again
      return;
    }
    sched.spinning.giveBack(p);
    recheckAfterIdle();
  }

  /**
   * Whether there is work for an M with {@code p}: goroutines in a queue, or a timer that is due.
   */
  boolean hasWorkFor(P p) {
    return !p.runQueue.isEmpty() || !sched.globalQueue.isEmpty() || sched.timekeeper.isDue();
  }

  /**
   * Wakes an M if there is work, or if no timekeeper watches the timers and sockets. Called by a
   * thread that has made a P idle and will not search for work itself. This is step 4 of going to
   * sleep: see {@link Sched}.
   */
  void recheckAfterIdle() {
    VarHandle.fullFence(); // pairs with the fences in Ready, as in FindRunnable.giveUp
    if (sched.findRunnable.hasWork() || sched.timekeeper.isUnwatched()) {
      sched.spinning.wakeP();
    }
  }

  /**
   * Hands {@code g}, which {@code m} has taken from a queue, together with {@code p} to the M that
   * {@code g} is locked to. Afterwards {@code m} has no P.
   */
  void toLocked(M m, P p, G g) {
    M itsM;
    try {
      itsM = sched.threads.lockedTo(g);
    } catch (OutOfMemoryError e) { // the search for the M allocates
      m.slots.defer(g); // m hands g over in the next round of its loop
      throw e;
    }
    m.forgetP();
    if (m.spinning) {
      sched.spinning.stopSpinningAndWakeNext(m);
    }
    itsM.mailbox.putLocked(p, g);
    itsM.mailbox.note.wakeup();
  }
}
