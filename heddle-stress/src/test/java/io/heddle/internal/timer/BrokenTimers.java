package io.heddle.internal.timer;

import io.heddle.internal.note.RuntimeLock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The broken twin of {@link TimerHeap} and {@link Deadline}: a copy of their protocol with a list
 * instead of a heap, and without one step.
 */
final class BrokenTimers implements Timers {
  /** The omitted step. */
  enum Fault {
    /** None: shows that the tests detect only the fault. */
    NONE,
    /** A stop checks whether the timer is live, then stores that it is not. */
    STOP_WITHOUT_LOCK,
    /** An arming for a later time checks whether there is an entry, then stores its time. */
    ARM_WITHOUT_LOCK,
    /** A firing thread checks whether the timer is live, then stores the next state. */
    FIRE_WITHOUT_LOCK,
    /** The earliest time is not in the total order of volatile accesses. */
    EARLIEST_RELEASED
  }

  private static final long LOCKED = 1;
  private static final long LIVE = 2;
  private static final long PLACED = 4;
  private static final long GENERATION = 8;

  private final Fault fault;
  private final LongConsumer onEarlier;
  private final RuntimeLock lock = new RuntimeLock(Thread::yield);
  private final List<BrokenAlarm> entries = new ArrayList<>();
  private final AtomicLong earliest = new AtomicLong(TimerHeap.NEVER);

  /** Must be called with the lock held. */
  private long dueGeneration;

  BrokenTimers(Fault fault, LongConsumer onEarlier) {
    this.fault = fault;
    this.onEarlier = onEarlier;
  }

  @Override
  public Alarm alarm(LongConsumer fire) {
    return new BrokenAlarm(fire);
  }

  @Override
  public long earliest() {
    return earliest.get();
  }

  @Override
  public int runDue(long now) {
    int fired = 0;
    while (earliest.get() <= now) {
      fired += runFirstDue(now) ? 1 : 0;
    }
    return fired;
  }

  @Override
  public boolean runFirstDue(long now) {
    lock.lock();
    BrokenAlarm due = takeDue(now);
    long generation = dueGeneration;
    publishEarliest();
    lock.unlock();
    if (due == null) {
      return false;
    }
    due.fire.accept(generation);
    return true;
  }

  private @Nullable BrokenAlarm takeDue(long now) {
    for (BrokenAlarm a = first(); a != null && a.key <= now; a = first()) {
      long state = a.lock(Fault.FIRE_WITHOUT_LOCK);
      if ((state & LIVE) == 0) {
        entries.remove(a);
        a.state.set(state & ~PLACED);
      } else if (a.when > a.key) {
        a.key = a.when;
        a.state.set(state);
      } else {
        take(a, state, now);
        return a;
      }
    }
    return null;
  }

  private void take(BrokenAlarm a, long state, long now) {
    dueGeneration = state / GENERATION;
    if (a.period > 0) {
      a.when = now + a.period;
      a.key = a.when;
      a.state.set(state);
    } else {
      entries.remove(a);
      a.state.set(state & ~(PLACED | LIVE));
    }
  }

  private @Nullable BrokenAlarm first() {
    BrokenAlarm first = null;
    for (BrokenAlarm a : entries) {
      first = first == null || a.key < first.key ? a : first;
    }
    return first;
  }

  private long publishEarliest() {
    BrokenAlarm first = first();
    long when = first == null ? TimerHeap.NEVER : first.key;
    if (fault == Fault.EARLIEST_RELEASED) {
      earliest.setRelease(when);
    } else {
      earliest.set(when);
    }
    return when;
  }

  private final class BrokenAlarm implements Alarm {
    private final LongConsumer fire;
    private final AtomicLong state = new AtomicLong();
    private long when;
    private long period;
    private long key;

    BrokenAlarm(LongConsumer fire) {
      this.fire = fire;
    }

    @Override
    public boolean arm(long when, long period) {
      if ((state.get() & PLACED) != 0) {
        long before = lock(Fault.ARM_WITHOUT_LOCK);
        if ((before & PLACED) != 0 && when >= this.when) {
          return arm(before, when, period);
        }
        unlock(before, Fault.ARM_WITHOUT_LOCK);
      }
      BrokenTimers.this.lock.lock();
      long oldEarliest = earliest.get();
      boolean wasLive = armLocked(when, period);
      long newEarliest = publishEarliest();
      BrokenTimers.this.lock.unlock();
      if (newEarliest < oldEarliest) {
        onEarlier.accept(newEarliest);
      }
      return wasLive;
    }

    private boolean armLocked(long when, long period) {
      long before = lock(Fault.NONE);
      if ((before & PLACED) == 0) {
        entries.add(this);
        key = when;
      }
      key = Math.min(key, when);
      return arm(before, when, period);
    }

    private boolean arm(long before, long when, long period) {
      this.when = when;
      this.period = period;
      state.set((before + GENERATION) | LIVE | PLACED);
      return (before & LIVE) != 0;
    }

    @Override
    public boolean stop() {
      long before = lock(Fault.STOP_WITHOUT_LOCK);
      state.set((before & ~LIVE) + GENERATION);
      return (before & LIVE) != 0;
    }

    /** Locks, unless the fault omits that. */
    private long lock(Fault without) {
      boolean locks = fault == Fault.NONE || fault != without;
      for (int spin = 1; ; spin++) {
        long before = state.get();
        if ((before & LOCKED) == 0 && (!locks || state.compareAndSet(before, before | LOCKED))) {
          return before;
        }
        if (spin % 100 == 0) {
          Thread.yield();
        }
      }
    }

    private void unlock(long before, Fault without) {
      if (fault == Fault.NONE || fault != without) {
        state.set(before);
      }
    }
  }
}
