package io.heddle.internal.timer;

import io.heddle.internal.base.Handles;
import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.note.RuntimeLock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The deadlines of one owner, such as a P, ordered by time (rule T1). Any thread may call any
 * method.
 *
 * <p>Times are those of a monotonic clock that starts near 0. The heap does not read a clock: the
 * caller passes the time to {@link #runDue}, which never fires a deadline early. Deadlines for the
 * same time fire in the order in which they were armed.
 *
 * <p>The file is long because all operations on the heap share one lock, one set of invariants and
 * one argument.
 */
public final class TimerHeap {
  /*
   * Invariants, under the lock:
   *   earliest is not later than the first entry's key, so not later than any live deadline's time
   *   an entry is not later than its deadline's time: see Deadline
   *   zombies is the number of entries whose deadline is not live
   *   clock is not before the generation of any entry
   *   if movedTo is not null, there are no entries and never will be
   *
   * Lazy updates: stop, and arming for a later time, leave the entry as it is. So both need no lock
   * of the heap. The entry of a stopped deadline (a zombie) is dropped when it comes to the root,
   * or when an arming finds too many zombies. An entry that is too early moves down when it comes
   * to the root.
   *
   * Ordering:
   *   lock guards the entries. A thread that holds the lock of a deadline with an entry in this
   *   heap also changes zombies and clock without this lock, atomically.
   *   earliest is volatile. An arming that made earliest earlier has done this volatile write
   *   before it returns. After any other arming, a reader of earliest sees a time that is not later
   *   than the armed one.
   *   onEarlier and fire are called without the lock. A deadline is taken out, or moved to its next
   *   period, before it fires, under its own lock. So a stop is either before or after that step.
   *   moveAllTo holds the locks of two heaps, its own first. Only one thread at a time calls it.
   *
   * Differences from Go: a deadline armed for an earlier time moves at once. Its index makes this
   * O(log n), without a search. An entry with a later time moves only at the root. Deadlines for
   * the same time fire in the order in which they were armed.
   *
   * Rejected: a timer wheel. Its tick is too coarse for sleeps of microseconds, or it walks many
   * empty slots.
   *
   * Checked by: TimerHeapTest, TimerStressTest, TimerLincheckTest, TimerStress (jcstress). The last
   * three also test a broken twin: a copy with a deliberate error, which the test must find.
   */
  private static final VarHandle ZOMBIES =
      Handles.field(MethodHandles.lookup(), "zombies", int.class);
  private static final VarHandle CLOCK = Handles.field(MethodHandles.lookup(), "clock", long.class);

  /** A time that is never due. */
  public static final long NEVER = Long.MAX_VALUE;

  /** An arming removes the zombies if they are more than a quarter of the entries, as in Go. */
  private static final int ZOMBIE_SHARE = 4;

  /** An arming does not clean up a heap with fewer entries than this number. */
  private static final int MIN_SIZE_TO_CLEAN = 64;

  /** The result of an attempt to arm a deadline. */
  enum TimerOutcome {
    /** The deadline is armed, and was live before. */
    WAS_LIVE,
    /** The deadline is armed, and was not live before. */
    WAS_NOT_LIVE,
    /**
     * The arming had no effect, because this heap has moved, or the deadline has entered or left a
     * heap meanwhile. The caller must retry.
     */
    NOT_HERE
  }

  private final RuntimeLock lock;
  private final Runnable osYield;
  private final LongConsumer onEarlier;
  private final HeapArray entries;

  private volatile long earliest = NEVER;

  /**
   * The heap to which all entries have moved, because this heap has no P any more; null if they
   * have not moved.
   */
  private volatile @Nullable TimerHeap movedTo;

  private volatile int zombies;

  /** The latest generation that this heap has given to an arming. */
  private volatile long clock;

  /** The generation of the arming that takeDue has found due last; guarded by the lock. */
  private long dueGeneration;

  /**
   * Creates an empty heap.
   *
   * @param osYield gives the rest of the thread's time slice to another thread of the process
   * @param onEarlier receives the earliest time whenever that time became earlier. It is called by
   *     the thread that armed or moved a deadline, without any lock. Must be short, must not park
   *     and must not throw.
   */
  public TimerHeap(Runnable osYield, LongConsumer onEarlier) {
    this(osYield, onEarlier, long[]::new);
  }

  /** Creates a heap for a test. {@code memory} makes the arrays; it may throw OutOfMemoryError. */
  TimerHeap(Runnable osYield, LongConsumer onEarlier, IntFunction<long[]> memory) {
    this.lock = new RuntimeLock(osYield);
    this.osYield = osYield;
    this.onEarlier = onEarlier;
    this.entries = new HeapArray(memory);
  }

  /**
   * Returns a time before which nothing is due. It is not later than the time of any live deadline,
   * but may belong to a deadline that was stopped or armed for a later time. Returns {@link #NEVER}
   * if the heap is empty.
   */
  public long earliest() {
    return earliest;
  }

  /**
   * Fires all deadlines that are due at {@code now}, in their order, including those that are armed
   * meanwhile.
   *
   * @return the number of deadlines that fired
   */
  public int runDue(long now) {
    if (earliest > now) {
      return 0;
    }
    StackHeadroom.ensure();
    long limit = Math.min(now, NEVER - 1);
    int fired = 0;
    while (earliest <= limit) {
      fired += runFirstDue(limit) ? 1 : 0;
    }
    return fired;
  }

  /** Fires the first deadline that is due: the atomic step of {@link #runDue}; false if none is. */
  boolean runFirstDue(long now) {
    Deadline due;
    long generation;
    lock.lock();
    try {
      due = takeDue(now);
      generation = dueGeneration;
      publishEarliest();
    } finally {
      lock.unlock();
    }
    if (due == null) {
      return false;
    }
    due.fire(generation);
    return true;
  }

  /** Returns the number of entries, including those of stopped deadlines. */
  public int size() {
    StackHeadroom.ensure();
    lock.lock();
    try {
      return entries.size();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of live deadlines. */
  public int live() {
    StackHeadroom.ensure();
    lock.lock();
    try {
      return entries.size() - zombies;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of entries without the lock. May be out of date at once. */
  public int sizeAbout() {
    return entries.size();
  }

  /**
   * Moves all entries to {@code other}. From now on a deadline that is armed in this heap goes to
   * {@code other}. Only one thread at a time may call this method, and heaps must not move in a
   * cycle.
   *
   * @throws OutOfMemoryError if {@code other} cannot grow; then nothing has moved
   */
  public void moveAllTo(TimerHeap other) {
    StackHeadroom.ensure();
    TimerHeap target = other.last();
    if (target == this) {
      throw new IllegalArgumentException("a timer heap cannot move into itself");
    }
    long before;
    long after;
    lock.lock();
    target.lock.lock();
    try {
      before = target.earliest;
      target.entries.reserve(entries.size());
      moveEntries(target);
      after = target.publishEarliest();
    } finally {
      target.lock.unlock();
      lock.unlock();
    }
    target.tell(before, after);
  }

  // The following methods are for Deadline.

  /** Returns this heap, or the heap to which its entries have moved. */
  TimerHeap last() {
    TimerHeap h = this;
    for (TimerHeap next = h.movedTo; next != null; next = h.movedTo) {
      h = next;
    }
    return h;
  }

  /**
   * Arms {@code d} in this heap: adds an entry, or moves the present entry to an earlier time. Has
   * no effect if {@code d} is in another heap.
   */
  TimerOutcome arm(Deadline d, long when, long period) {
    TimerOutcome outcome;
    long before;
    long after;
    lock.lock();
    try {
      before = earliest;
      outcome = movedTo == null ? armLocked(d, when, period) : TimerOutcome.NOT_HERE;
      after = publishEarliest();
    } finally {
      lock.unlock();
    }
    tell(before, after);
    return outcome;
  }

  /**
   * Adds a deadline that no other thread knows yet, so that its own lock is not needed. Returns
   * false, with no effect, if the entries of this heap have moved to another heap.
   */
  boolean armFirst(Deadline d, long when) {
    long before;
    long after;
    lock.lock();
    try {
      if (movedTo != null) {
        return false;
      }
      before = earliest;
      makeRoom();
      long armed = d.toArmed(0, this, when, 0);
      entries.add(d, when, Deadline.generation(armed));
      d.publish(armed);
      after = publishEarliest();
    } finally {
      lock.unlock();
    }
    tell(before, after);
    return true;
  }

  /**
   * Returns a generation that is later than {@code own}, and later than all generations that this
   * heap has returned before.
   */
  long nextGeneration(long own) {
    for (; ; ) {
      long last = clock;
      long next = Math.max(last, own) + 1;
      if (CLOCK.compareAndSet(this, last, next)) {
        return next;
      }
    }
  }

  /**
   * Adds {@code change} to the number of zombies. The caller holds the lock of the deadline whose
   * entry in this heap has become a zombie, or is no longer a zombie.
   */
  void countZombies(int change) {
    int _ = (int) ZOMBIES.getAndAdd(this, change);
  }

  Runnable osYield() {
    return osYield;
  }

  // The caller of the following private methods, except tell, must hold the lock of this heap.

  private TimerOutcome armLocked(Deadline d, long when, long period) {
    boolean isNew = !d.isPlaced();
    if (isNew) {
      makeRoom();
    }
    long before = d.lock();
    if (Deadline.isPlaced(before) == isNew || !(isNew || d.isIn(this))) {
      d.unlock(before);
      return TimerOutcome.NOT_HERE;
    }
    long after = d.toArmed(before, this, when, period);
    if (isNew) {
      entries.add(d, when, Deadline.generation(after));
    } else {
      entries.advance(d, when, Deadline.generation(after));
      if (!Deadline.isLive(before)) {
        countZombies(-1);
      }
    }
    d.unlock(after);
    return Deadline.isLive(before) ? TimerOutcome.WAS_LIVE : TimerOutcome.WAS_NOT_LIVE;
  }

  /** Makes room for one entry, and drops zombies. Throws OutOfMemoryError if that fails. */
  private void makeRoom() {
    dropZombiesAtRoot();
    int n = entries.size();
    if (n >= MIN_SIZE_TO_CLEAN && zombies > n / ZOMBIE_SHARE) {
      cleanUp();
    }
    entries.reserve(1);
  }

  private void dropZombiesAtRoot() {
    while (entries.size() > 0 && !entries.at(0).isLive()) {
      Deadline d = entries.at(0);
      long before = d.lock();
      if (Deadline.isLive(before)) {
        d.unlock(before);
        return;
      }
      dropRoot(d, before);
    }
  }

  /** Drops all zombies and gives the other entries their present time. */
  private void cleanUp() {
    int kept = 0;
    for (int i = 0; i < entries.size(); i++) {
      Deadline d = entries.at(i);
      long before = d.lock();
      if (Deadline.isLive(before)) {
        entries.set(kept++, d, d.when(), Deadline.generation(before));
        d.unlock(before);
      } else {
        drop(d, before);
      }
    }
    entries.keepFirst(kept);
    entries.trim();
  }

  /**
   * Returns the first live deadline that is due, after it was taken out of the heap or, if it has a
   * period, moved to its next time. Returns null if no live deadline is due.
   */
  private @Nullable Deadline takeDue(long now) {
    entries.trim();
    while (entries.size() > 0 && entries.key(0) <= now) {
      Deadline d = entries.at(0);
      long state = d.lock();
      if (!Deadline.isLive(state)) {
        dropRoot(d, state);
      } else if (!isUpToDate(d, state)) {
        postponeRoot(d, state);
      } else {
        takeRoot(d, state, now);
        return d;
      }
    }
    return null;
  }

  /**
   * Whether the root entry is up to date: its deadline has not been armed again since the entry was
   * written.
   */
  private boolean isUpToDate(Deadline d, long state) {
    return entries.key(0) == d.when() && entries.sequence(0) == Deadline.generation(state);
  }

  private void takeRoot(Deadline d, long state, long now) {
    dueGeneration = Deadline.generation(state);
    if (d.toNextPeriod(now)) {
      postponeRoot(d, state);
    } else {
      entries.removeFirst();
      d.unlock(d.toUnplaced(state));
    }
  }

  private void postponeRoot(Deadline d, long state) {
    entries.postponeFirst(d.when(), Deadline.generation(state));
    d.unlock(state);
  }

  private void dropRoot(Deadline d, long state) {
    entries.removeFirst();
    drop(d, state);
  }

  private void drop(Deadline d, long state) {
    countZombies(-1);
    d.unlock(d.toUnplaced(state));
  }

  /**
   * Moves all live entries to {@code target} and drops the zombies. The caller must hold the locks
   * of both heaps, and {@code target} must have room.
   */
  private void moveEntries(TimerHeap target) {
    long _ = target.nextGeneration(clock);
    for (int i = 0; i < entries.size(); i++) {
      Deadline d = entries.at(i);
      long state = d.lock();
      if (Deadline.isLive(state)) {
        long _ = target.nextGeneration(Deadline.generation(state));
        target.entries.add(d, d.when(), Deadline.generation(state));
        d.unlock(d.toMoved(state, target));
      } else {
        drop(d, state);
      }
    }
    entries.clear();
    movedTo = target;
    publishEarliest();
  }

  /** Sets {@code earliest} to the time of the root entry, and returns it. */
  private long publishEarliest() {
    long first = entries.size() == 0 ? NEVER : entries.key(0);
    if (first != earliest) {
      earliest = first;
    }
    return first;
  }

  /** Calls onEarlier if the earliest time has changed from {@code before} to an earlier one. */
  private void tell(long before, long after) {
    if (after < before) {
      onEarlier.accept(after);
    }
  }

  /** Checks the invariants, for a test, while no other thread uses the heap. */
  void checkInvariants() {
    lock.lock();
    try {
      entries.checkInvariants();
      int dead = 0;
      for (int i = 0; i < entries.size(); i++) {
        dead += checkEntry(i) ? 0 : 1;
      }
      check(dead == zombies, dead + " zombies, counted as " + zombies);
      check(entries.size() == 0 || earliest <= entries.key(0), "earliest is late");
      check(movedTo == null || entries.size() == 0, "moved, but not empty");
    } finally {
      lock.unlock();
    }
  }

  /** Checks the entry in slot {@code i}; returns whether its deadline is live. */
  private boolean checkEntry(int i) {
    Deadline d = entries.at(i);
    long state = d.lock();
    try {
      long generation = Deadline.generation(state);
      check(Deadline.isPlaced(state) && d.isIn(this), "an entry of a deadline in another heap");
      check(entries.key(i) <= d.when(), "an entry later than its deadline");
      check(entries.sequence(i) <= generation, "an entry newer than its deadline");
      check(!Deadline.isLive(state) || generation <= clock, "a clock before an entry's generation");
      return Deadline.isLive(state);
    } finally {
      d.unlock(state);
    }
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError("timer heap: " + otherwise);
    }
  }
}
