package io.heddle.internal.timer;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.note.RuntimeLock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The deadlines of one owner, the earliest first (rule T1). Any thread may do anything.
 *
 * <p>Times are those of a clock that starts near 0 and never goes back. The heap reads none: {@link #runDue} is told what
 * time it is, and fires nothing before its time. Of two deadlines for the same time the one armed first fires first.
 */
public final class TimerHeap {
  /*
   * Invariants, under the lock:
   *   earliest is not later than the first entry's key, so not later than any live deadline's time
   *   an entry is not later than its deadline's time: see Deadline
   *   zombies is the number of entries whose deadline is not live, clock not before the generation of any entry
   *   movedTo is null, or there are no entries and never will be
   *
   * An entry whose deadline was stopped stays until it comes to the root, or until an arming finds that there are too many
   * like it; one whose deadline was armed for later stays until it comes to the root and then moves down. So stop and
   * that arming need no lock of the heap's.
   *
   * Ordering:
   *   lock guards the entries; zombies and clock are also changed without it, atomically, under the lock of a deadline
   *   that has an entry here.
   *   earliest is volatile: an arming that has returned is in the total order of volatile accesses, if it made earliest
   *   earlier; otherwise who reads earliest sees a time that is not later, whenever it looks.
   *   onEarlier and fire are called without the lock. A deadline is taken out, or moved to its next period, before it
   *   fires, under its lock: of a stop and the firing, one is first.
   *   moveAllTo holds two heaps' locks, its own first; it is called by one thread at a time.
   *
   * Differences from Go: deadlines armed for an earlier time move at once, which their index makes O(log n), so the heap
   * never has to be searched for them. Those armed anew for later move only at the root. Ties are in order.
   *
   * Rejected: a wheel, whose tick is either too coarse for sleeps of microseconds or walks many empty slots.
   *
   * Checked by: TimerHeapTest, TimerStressTest, TimerLincheckTest, TimerStress (jcstress), the last three with a broken
   * twin.
   */
  private static final VarHandle ZOMBIES;
  private static final VarHandle CLOCK;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      ZOMBIES = lookup.findVarHandle(TimerHeap.class, "zombies", int.class);
      CLOCK = lookup.findVarHandle(TimerHeap.class, "clock", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** A deadline that is never due, however late it is. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Go's: a quarter of the entries may be zombies; a heap smaller than this is not worth a walk. */
  private static final int ZOMBIE_SHARE = 4;

  private static final int CLEAN_FROM = 64;

  /** What became of an arming. */
  enum TimerOutcome {
    WAS_LIVE,
    WAS_NOT_LIVE,
    /** Nothing was done: this heap has moved, or the deadline is, or no longer is, where it was seen. */
    NOT_HERE
  }

  private final RuntimeLock lock;
  private final Runnable osYield;
  private final LongConsumer onEarlier;
  private final HeapArray entries;

  private volatile long earliest = NEVER;
  private volatile @Nullable TimerHeap movedTo;
  private volatile int zombies;
  private volatile long clock;

  /** The generation of what takeDue returned, under the lock. */
  private long dueGeneration;

  /**
   * An empty heap.
   *
   * @param osYield gives the rest of the thread's time slice to another thread of the process
   * @param onEarlier is told the earliest deadline whenever that became earlier, by the thread that armed or moved one,
   *     with no lock held; like a deadline's fire it is short, and neither parks nor throws
   */
  public TimerHeap(Runnable osYield, LongConsumer onEarlier) {
    this(osYield, onEarlier, long[]::new);
  }

  /** With arrays from {@code memory}, which a test may refuse. */
  TimerHeap(Runnable osYield, LongConsumer onEarlier, IntFunction<long[]> memory) {
    this.lock = new RuntimeLock(osYield);
    this.osYield = osYield;
    this.onEarlier = onEarlier;
    this.entries = new HeapArray(memory);
  }

  /**
   * A time before which nothing is due: not later than that of any live deadline, but maybe that of one that was stopped,
   * or armed for later. {@link #NEVER} if the heap is empty.
   */
  public long earliest() {
    return earliest;
  }

  /**
   * Fires what is due at {@code now}, in the order of the deadlines; what is armed meanwhile, too, if it is due.
   *
   * @return how many fired
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

  /** Fires the first that is due, if there is one: the atomic step of which {@link #runDue} is made. */
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

  /** How many entries there are, those of stopped deadlines included. */
  public int size() {
    StackHeadroom.ensure();
    lock.lock();
    try {
      return entries.size();
    } finally {
      lock.unlock();
    }
  }

  /** How many of them will fire. */
  public int live() {
    StackHeadroom.ensure();
    lock.lock();
    try {
      return entries.size() - zombies;
    } finally {
      lock.unlock();
    }
  }

  /** The same to look at, without the lock: as many as there were a moment ago. */
  public int sizeAbout() {
    return entries.size();
  }

  /**
   * Moves all to {@code other}, for ever: who arms a deadline in this heap from now on arms it there. By one thread at a
   * time, and not in a circle.
   *
   * @throws OutOfMemoryError if the other cannot grow; then nothing has moved
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

  // For deadlines.

  /** This one, or where all went that came here. */
  TimerHeap last() {
    TimerHeap h = this;
    for (TimerHeap next = h.movedTo; next != null; next = h.movedTo) {
      h = next;
    }
    return h;
  }

  /** Puts it in, or makes it earlier, if it is in no heap or in this one. */
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

  /** Puts one in that nobody knows yet; false, and nothing was done, if this heap has moved. */
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

  /** A generation later than {@code own}, and than all that this heap has given. */
  long nextGeneration(long own) {
    for (; ; ) {
      long last = clock;
      long next = Math.max(last, own) + 1;
      if (CLOCK.compareAndSet(this, last, next)) {
        return next;
      }
    }
  }

  /** Under the lock of a deadline that has an entry here and became a zombie, or is no longer one. */
  void countZombies(int change) {
    int _ = (int) ZOMBIES.getAndAdd(this, change);
  }

  void osYield() {
    osYield.run();
  }

  // Under the lock.

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

  private void makeRoom() {
    dropZombiesAtRoot();
    int n = entries.size();
    if (n >= CLEAN_FROM && zombies > n / ZOMBIE_SHARE) {
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

  /** Drops all zombies, and puts the others where they belong now. */
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

  /** Takes the first that is due and live out, or moves it to its next period; null if there is none. */
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

  /** Whether the root is where it belongs: it has not been armed again since it was put there. */
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

  /** Under both locks, and with room for them. */
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

  private long publishEarliest() {
    long first = entries.size() == 0 ? NEVER : entries.key(0);
    if (first != earliest) {
      earliest = first;
    }
    return first;
  }

  private void tell(long before, long after) {
    if (after < before) {
      onEarlier.accept(after);
    }
  }

  /** For tests, when nothing moves. */
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
      check(movedTo == null || entries.size() == 0, "moved, and not empty");
    } finally {
      lock.unlock();
    }
  }

  private boolean checkEntry(int i) {
    Deadline d = entries.at(i);
    long state = d.lock();
    try {
      long generation = Deadline.generation(state);
      check(Deadline.isPlaced(state) && d.isIn(this), "an entry of one that is not here");
      check(entries.key(i) <= d.when(), "an entry that is late");
      check(entries.sequence(i) <= generation, "an entry from the future");
      check(!Deadline.isLive(state) || generation <= clock, "a clock that is behind");
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
