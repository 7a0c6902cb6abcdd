package io.heddle;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.note.RuntimeLock;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.wait.WaitNode;
import io.heddle.internal.wait.WaitQueue;
import io.heddle.internal.wait.WaitState;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A channel, as in Go: values are handed from who sends to who receives, first come first.
 *
 * <p>With a capacity of 0 a send waits for its receiver; otherwise up to that many values wait in between. Works from
 * goroutines and from any other thread.
 */
public final class Chan<T> implements Sender<T>, Receiver<T> {
  /*
   * Invariants, under the lock:
   *   receivers wait only if there is no value and no sender (or they are cases of a select that sends here, too)
   *   senders wait only if the buffer is full
   *   closed implies that nobody waits
   *
   * Ordering: the lock guards everything. size and closed are volatile, and the queues can be asked whether they are empty,
   * for the ways that take no lock: tryReceive of an empty channel and trySend to a full one that is open. One read decides
   * whether it is (size if there is a buffer, the other side's queue if not). A full fence in front of it keeps it behind
   * what the same thread did before: stores under the lock are only released. trySend reads closed after that, since a
   * close sets it before it empties the queue; tryReceive before, since a value may have been there until the close. A
   * select looks at the same without a fence: what it sees, it looks at again under the lock.
   *
   * The lock is a RuntimeLock, which must not be held where a goroutine could be taken off its M: nothing between lock and
   * unlock parks, and there is room on the stack for it. Threads are woken after it.
   *
   * Differences from Go: a waiter that is interrupted leaves by itself; one compare-and-set in its Wait decides whether it
   * has left or got its value.
   *
   * Checked by: ChanTest, ChanLincheckTest, ChanWaitLincheckTest, ChanStress.
   */
  private static final VarHandle SIZE;
  private static final VarHandle ORDER;
  private static final AtomicLong ORDERS = new AtomicLong();

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      SIZE = lookup.findVarHandle(Chan.class, "size", int.class);
      ORDER = lookup.findVarHandle(Chan.class, "order", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** What the place of a waiter gets when the channel is closed. */
  private static final Object CLOSED = new Object();

  /** For what was done and nobody is to be woken for. */
  private static final WaitNode NOBODY = new WaitNode(new WaitState(), 0);

  private static final Runnable OS_YIELD = VirtualThreads::osYield;

  private final RuntimeLock lock = new RuntimeLock(OS_YIELD);
  private final @Nullable Object[] buffer;
  private final WaitQueue receivers = new WaitQueue();
  private final WaitQueue senders = new WaitQueue();
  private int head;
  private @Nullable Object taken;
  private volatile int size;
  private volatile boolean closed;

  /** Where it stands in the order in which a select locks channels; 0 until one needs it. */
  private volatile long order;

  /** The scheduler whose goroutine made it; null if it was made outside. */
  private final @Nullable Sched maker;

  private Chan(int capacity) {
    this.buffer = new Object[capacity];
    this.maker = CreatorScheduler.currentScheduler();
  }

  /** One without a buffer. */
  public static <T> Chan<T> make() {
    return make(0);
  }

  /** One with room for so many values that nobody has received yet. */
  public static <T> Chan<T> make(int capacity) {
    if (capacity < 0) {
      throw new IllegalArgumentException("capacity " + capacity + ": allowed is 0 or more");
    }
    return new Chan<>(capacity);
  }

  /** How many values are in the buffer. */
  public int length() {
    return size;
  }

  /** How many values fit into the buffer. */
  public int capacity() {
    return buffer.length;
  }

  /** Whether it was closed; there may be values left to receive. */
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void send(T v) throws InterruptedException {
    Objects.requireNonNull(v, "v");
    enterFromAnywhere();
    WaitNode met;
    WaitState wait = null;
    long round = 0;
    lock.lock();
    try {
      met = sendLocked(v);
      if (met == null) {
        wait = new WaitState();
        round = wait.begin("chan send");
        wait.setClosedWorld(isInside());
        wait.item = v;
        senders.add(wait);
      }
    } finally {
      lock.unlock();
    }
    if (wait == null) {
      wake(met);
    } else {
      await(wait, round, senders);
      checkSent(wait.item);
    }
  }

  @Override
  public boolean trySend(T v) {
    Objects.requireNonNull(v, "v");
    enterFromAnywhere();
    if (seesFull()) {
      return false;
    }
    WaitNode met;
    lock.lock();
    try {
      met = sendLocked(v);
    } finally {
      lock.unlock();
    }
    wake(met);
    return met != null;
  }

  @Override
  public @Nullable T receive() throws InterruptedException {
    enterFromAnywhere();
    WaitNode met;
    WaitState wait = null;
    long round = 0;
    Object v = null;
    lock.lock();
    try {
      met = receiveLocked();
      if (met == null) {
        wait = new WaitState();
        round = wait.begin("chan receive");
        wait.setClosedWorld(isInside());
        receivers.add(wait);
      } else {
        v = takeTaken();
      }
    } finally {
      lock.unlock();
    }
    if (wait == null) {
      wake(met);
    } else {
      await(wait, round, receivers);
      v = wait.item;
    }
    return received(v);
  }

  @Override
  public @Nullable T tryReceive() {
    enterFromAnywhere();
    if (seesNothing()) {
      return null;
    }
    WaitNode met;
    Object v = null;
    lock.lock();
    try {
      met = receiveLocked();
      if (met != null) {
        v = takeTaken();
      }
    } finally {
      lock.unlock();
    }
    wake(met);
    return received(v);
  }

  @Override
  public void close() {
    enterFromAnywhere();
    @Nullable WaitNode[] woken;
    lock.lock();
    try {
      if (closed) {
        throw new ClosedChanException("close of a closed channel");
      }
      woken = roomForAll();
      closed = true;
      if (woken != null) {
        fireAll(senders, woken, fireAll(receivers, woken, 0));
      }
    } finally {
      lock.unlock();
    }
    if (woken == null) {
      wakeOneByOne();
    } else {
      for (WaitNode each : woken) {
        wake(each);
      }
    }
  }

  /** Under the lock: room for all that wait; null if there is no memory for it. */
  private @Nullable WaitNode @Nullable [] roomForAll() {
    try {
      return new WaitNode[receivers.size() + senders.size()];
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  /** For one that is closed: as nobody waits there any more who was not there before, this ends. */
  private void wakeOneByOne() {
    WaitNode fired;
    do {
      lock.lock();
      try {
        fired = receivers.fireFirst(CLOSED);
        if (fired == null) {
          fired = senders.fireFirst(CLOSED);
        }
      } finally {
        lock.unlock();
      }
      wake(fired);
    } while (fired != null);
  }

  @Override
  public Iterator<T> iterator() {
    return new ChanIterator<>(this);
  }

  @Override
  public String toString() {
    return "Chan[" + length() + " of " + capacity() + (isClosed() ? ", closed]" : "]");
  }

  // For a select, which locks several channels, in the order that they give.

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  /** A number of its own. */
  long order() {
    if (order == 0) {
      ORDER.compareAndSet(this, 0L, ORDERS.incrementAndGet());
    }
    return order;
  }

  /** Whether it was made by a goroutine of the caller's scheduler. */
  boolean isInside() {
    return CreatorScheduler.isInside(maker);
  }

  /** Before anything is locked. */
  private static void enterFromAnywhere() {
    StackHeadroom.ensure();
    CreatorScheduler.recordUse();
  }

  /** Without the lock, as a hint: the same as {@link #canSend}. */
  boolean looksOpenToSend() {
    return closed || size < buffer.length || !receivers.isEmpty();
  }

  /** Without the lock, as a hint: the same as {@link #canReceive}. */
  boolean looksOpenToReceive() {
    return closed || size > 0 || !senders.isEmpty();
  }

  /** Under the lock: whether a send would not wait, unless who waits for it is about to leave. */
  boolean canSend() {
    return closed || size < buffer.length || hasLive(receivers);
  }

  /** Under the lock: the same for a receive. */
  boolean canReceive() {
    return closed || size > 0 || hasLive(senders);
  }

  /** Under the lock. */
  void waitToSend(WaitNode place) {
    senders.add(place);
  }

  /** Under the lock. */
  void waitToReceive(WaitNode place) {
    receivers.add(place);
  }

  /** Under the lock. */
  void leave(WaitNode place) {
    if (!receivers.remove(place)) {
      senders.remove(place);
    }
  }

  /** Under the lock: sends. Null if that would have to wait; otherwise who is to be {@linkplain #wake woken} for it. */
  @Nullable WaitNode sendLocked(Object v) {
    if (closed) {
      throw new ClosedChanException("send on a closed channel");
    }
    WaitNode receiver = receivers.fireFirst(v);
    if (receiver != null) {
      return receiver;
    }
    int n = size;
    if (n == buffer.length) {
      return null;
    }
    buffer[slot(n)] = v;
    sizeRelease(n + 1);
    return NOBODY;
  }

  /** Under the lock: receives, for {@link #takeTaken}. The answer is as with {@link #sendLocked}. */
  @Nullable WaitNode receiveLocked() {
    int n = size;
    if (n == 0) {
      WaitNode sender = takeFromSender();
      return sender == null && closed ? NOBODY : sender;
    }
    Object oldest = buffer[head];
    WaitNode sender = takeFromSender();
    buffer[head] = taken; // which is behind the others, if there is one
    head = slot(1);
    if (sender == null) {
      sizeRelease(n - 1);
    }
    taken = oldest;
    return sender == null ? NOBODY : sender;
  }

  /** Under the lock: what was received last; null if that was the end of the channel. */
  @Nullable Object takeTaken() {
    Object v = taken;
    taken = null;
    return v;
  }

  /** Without a lock. */
  static void wake(@Nullable WaitNode met) {
    if (met != null && met != NOBODY) {
      met.owner().wakeUp();
    }
  }

  /** What came to the place of a waiting receiver, or out of the channel. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // only T are sent
  static <T> @Nullable T received(@Nullable Object v) {
    return v == CLOSED ? null : (T) v;
  }

  /** What is at the place of a waiting sender when its wait is over. */
  static void checkSent(@Nullable Object item) {
    if (item == CLOSED) {
      throw new ClosedChanException("send on a channel that was closed meanwhile");
    }
  }

  private void await(WaitState wait, long round, WaitQueue queue) throws InterruptedException {
    boolean ended = false;
    try {
      ended = wait.await(round);
    } finally {
      if (!ended) {
        leave(wait, queue); // also if there is no room for the stack: it must not stand there
      }
    }
    if (!ended) {
      throw new InterruptedException();
    }
  }

  private void leave(WaitNode place, WaitQueue queue) {
    lock.lock();
    try {
      queue.remove(place);
    } finally {
      lock.unlock();
    }
  }

  /** Takes the value of the first sender whose wait has not ended otherwise, which ends with that. */
  private @Nullable WaitNode takeFromSender() {
    for (WaitNode sender = senders.peek(); sender != null; sender = senders.peek()) {
      taken = sender.item;
      sender.item = null;
      boolean fired = sender.fire();
      senders.remove(sender); // not before: see WaitQueue.fireFirst
      if (fired) {
        return sender;
      }
    }
    taken = null;
    return null;
  }

  /** Adds those whose wait this ends to {@code fired}, from {@code n} on; returns how many there are then. */
  private static int fireAll(WaitQueue queue, @Nullable WaitNode[] fired, int n) {
    int count = n;
    for (WaitNode place = queue.fireFirst(CLOSED); place != null; place = queue.fireFirst(CLOSED)) {
      fired[count++] = place;
    }
    return count;
  }

  /** Whether somebody waits there; those that do not any more are dropped. */
  private static boolean hasLive(WaitQueue queue) {
    for (WaitNode place = queue.peek(); place != null; place = queue.peek()) {
      if (place.isOpen()) {
        return true;
      }
      queue.remove(place);
    }
    return false;
  }

  /** Without the lock: whether at one moment during the call a send would have had to wait. */
  private boolean seesFull() {
    VarHandle.fullFence(); // behind what the caller did before, on this channel or another
    boolean full = buffer.length == 0 ? receivers.isEmpty() : size == buffer.length;
    return full && !closed; // closed is set before the queue is emptied
  }

  /** The same for a receive. */
  private boolean seesNothing() {
    VarHandle.fullFence(); // as above
    return !closed && (buffer.length == 0 ? senders.isEmpty() : size == 0);
  }

  private int slot(int behindHead) {
    int i = head + behindHead;
    return i < buffer.length ? i : i - buffer.length;
  }

  private void sizeRelease(int n) {
    SIZE.setRelease(this, n);
  }
}
