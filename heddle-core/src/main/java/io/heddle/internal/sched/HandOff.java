package io.heddle.internal.sched;

import java.lang.invoke.VarHandle;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Gives a P that was taken from its M to another one, or to nobody (rules S4, G7). */
public final class HandOff {
  /** Why a P went from one M to another. */
  public enum Reason {
    /** Its goroutine computed for longer than its time slice. */
    COMPUTING,
    /** Its goroutine was in native code that did not return. */
    NATIVE,
    /** Its goroutine parked and took its M along: a native frame or a class initialiser was on its stack. */
    PINNED,
    /** Its goroutine said so: {@code Go.blocking}, and what the JDK marks. */
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

  public long count(Reason reason) {
    return adder(reason).sum();
  }

  /** For all reasons. */
  public long count() {
    return counts.values().stream().mapToLong(LongAdder::sum).sum();
  }

  void recordHandOff(Reason reason) {
    adder(reason).increment();
  }

  private LongAdder adder(Reason reason) {
    return Objects.requireNonNull(counts.get(reason));
  }

  /** For who owns {@code p}, in SCHED, and is no M: to an M at once if there is something to do, else it goes idle. */
  void handOff(P p) {
    if (hasWorkFor(p)) {
      sched.threads.startM(p, false); // or else it is idle, and sysmon tries again
      return;
    }
    sched.spinning.giveBack(p);
    recheckAfterIdle();
  }

  /** Whether there is something that only the owner of {@code p}, or of another P, can do. */
  boolean hasWorkFor(P p) {
    return !p.runQueue.isEmpty() || !sched.globalQueue.isEmpty() || sched.timekeeper.isDue();
  }

  /** A P has become idle, and nobody is about to look for work: somebody is, if there is any. */
  void recheckAfterIdle() {
    VarHandle.fullFence(); // pairs with those in Ready, as in FindRunnable.giveUp
    if (sched.findRunnable.hasWork() || sched.timekeeper.isUnwatched()) {
      sched.spinning.wakeP();
    }
  }

  /** {@code m} has found a goroutine that may run on another M alone: that gets both, and m is without a P. */
  void toLocked(M m, P p, G g) {
    M itsM;
    try {
      itsM = sched.threads.lockedTo(g);
    } catch (OutOfMemoryError e) { // a look around takes some memory
      m.deferLockedG(g); // it tries again
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
