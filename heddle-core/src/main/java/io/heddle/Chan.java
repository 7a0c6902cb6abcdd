package io.heddle;

import io.heddle.internal.base.Handles;
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
 * A channel as in Go: a queue that hands values from the threads that send to the threads that
 * receive, in the order in which they were sent.
 *
 * {@snippet :
 * Chan<String> words = Chan.make();        // unbuffered; Chan.make(10) has a buffer of 10
 * go(() -> {
 *   words.send("warp");
 *   words.send("weft");
 *   words.close();
 * });
 * for (String word : words) {              // ends after close, when every value was received
 *   System.out.println(word);
 * }
 * }
 *
 * <h2>Unbuffered and buffered</h2>
 * An unbuffered channel ({@link #make()}, capacity 0) makes sender and receiver meet: {@link #send}
 * returns after a receiver has taken the value. A buffered channel ({@link #make(int)}) holds up to
 * {@link #capacity} values that no receiver has taken yet. There, {@link #send} waits only while
 * the buffer is full and {@link #receive} waits only while it is empty. Threads that wait are
 * served first come, first served. {@link #trySend} and {@link #tryReceive} never wait, and
 * {@link Select} waits for the first of several channels.
 *
 * <h2>Closing</h2>
 * {@link #close} says that no value will follow. Receivers first get the values that are left, then
 * {@code null}. A waiting receiver gets that {@code null} at once; a waiting sender gets a
 * {@link ClosedChanException}. To send to a closed channel, or to close it again, throws the same
 * exception. So the sending side closes a channel, once, after its last send; with several senders,
 * let one goroutine {@linkplain WaitGroup#await() wait} for them and then close it. A channel need
 * not be closed if no receiver depends on its end: the garbage collector collects it like any
 * object.
 *
 * <h2>Null</h2>
 * A {@code null} from {@link #receive} means that the channel is closed and drained. Therefore
 * {@code null} cannot be sent: that throws a {@link NullPointerException}.
 *
 * <h2>Threads and interruption</h2>
 * Goroutines and all other threads, platform or virtual, can use a channel at the same time. Only
 * an operation that has to wait responds to an interrupt, and it does so also if the interrupt came
 * before the call. It then throws {@link InterruptedException}, clears the interrupt flag, and has
 * neither sent nor received a value. If the operation succeeded before the interrupt took effect,
 * it returns normally and the flag stays set. A {@code for} loop over a channel throws the
 * unchecked {@link CancelledException} instead.
 *
 * <h2>Memory consistency</h2>
 * <ul>
 * <li>Actions before a send <i>happen-before</i> actions after the receive that returns its value.
 * <li>Actions before {@link #close} <i>happen-before</i> actions after a receive that returns
 *     {@code null} because the channel is closed, and after an {@link #isClosed} that returns true.
 * <li>Actions before the <i>k</i>-th receive <i>happen-before</i> actions after the send of value
 *     number <i>k</i> + {@link #capacity}. On an unbuffered channel: actions before a receive
 *     <i>happen-before</i> actions after its send.
 * </ul>
 *
 * @param <T> the type of the values
 */
public final class Chan<T> implements Sender<T>, Receiver<T> {
  /*
   * Invariants, under the lock:
   *   1. A receiver waits only if there is no value and no sender (or one select waits as both).
   *   2. A sender waits only if the buffer is full.
   *   3. If the channel is closed, no thread waits.
   *
   * Ordering: the lock guards everything. Two operations take no lock: tryReceive of an empty open
   * channel and trySend to a full open channel. For them size and closed are volatile, and the
   * queues can be asked whether they are empty. One read decides each answer: of size if there is a
   * buffer, otherwise of the other side's queue.
   * - A full fence precedes that read. It orders the read after the caller's earlier operations,
   *   because stores under the lock are only release stores.
   * - trySend reads closed after that read, because close sets closed before it empties the queue.
   * - tryReceive reads closed before that read, because a value may have been there until the
   *   close.
   * A select makes the same reads without a fence: it repeats under the lock what it sees.
   *
   * The lock is a RuntimeLock. It must not be held where a goroutine could be unmounted. So nothing
   * between lock and unlock parks, and StackHeadroom makes room on the stack before. Waiters are
   * unparked after the unlock.
   *
   * Differences from Go: an interrupted waiter leaves its queue itself. One compare-and-set in its
   * WaitState decides whether it left or got its value.
   *
   * Checked by: ChanTest, ChanLincheckTest, ChanWaitLincheckTest, ChanStress.
   */
  private static final VarHandle SIZE = Handles.field(MethodHandles.lookup(), "size", int.class);
  private static final VarHandle ORDER = Handles.field(MethodHandles.lookup(), "order", long.class);
  private static final AtomicLong ORDERS = new AtomicLong();

  /** The item of a waiter whose wait was ended by the close of the channel. */
  private static final Object CLOSED = new Object();

  /** The result of an operation that succeeded and has no waiter to wake. */
  private static final WaitNode NO_WAITER = new WaitNode(new WaitState(), 0);

  private static final Runnable OS_YIELD = VirtualThreads::osYield;

  static {
    EarlyInitialization.run();
  }

  private final RuntimeLock lock = new RuntimeLock(OS_YIELD);
  private final @Nullable Object[] buffer;
  private final WaitQueue receivers = new WaitQueue();
  private final WaitQueue senders = new WaitQueue();
  private int head;
  private @Nullable Object taken;
  private volatile int size;
  private volatile boolean closed;

  /**
   * The rank in the total order in which selects lock channels; 0 before a select has asked for it.
   */
  private volatile long order;

  /** The scheduler of the goroutine that made this channel; null if another thread made it. */
  private final @Nullable Sched maker;

  private Chan(int capacity) {
    this.buffer = new Object[capacity];
    this.maker = CreatorScheduler.currentScheduler();
  }

  /**
   * Makes an unbuffered channel: each send waits for its receiver.
   *
   * @param <T> the type of the values
   * @return a new open channel
   */
  public static <T> Chan<T> make() {
    return make(0);
  }

  /**
   * Makes a channel with room for {@code capacity} values that no receiver has taken yet. The
   * memory for the buffer is allocated at once.
   *
   * @param <T> the type of the values
   * @param capacity the size of the buffer; 0 makes an unbuffered channel
   * @return a new open channel
   * @throws IllegalArgumentException if {@code capacity} is negative
   */
  public static <T> Chan<T> make(int capacity) {
    if (capacity < 0) {
      throw new IllegalArgumentException("capacity " + capacity + ": allowed is 0 or more");
    }
    return new Chan<>(capacity);
  }

  /**
   * Returns the number of values in the buffer. It may have changed when the caller sees it. It is
   * always 0 for an unbuffered channel.
   *
   * @return from 0 to {@link #capacity}
   */
  public int length() {
    return size;
  }

  /**
   * Returns the size of the buffer.
   *
   * @return the capacity that the channel was made with
   */
  public int capacity() {
    return buffer.length;
  }

  /**
   * Returns whether {@link #close} was called. Values may be left to receive. A false may be
   * outdated when the caller sees it.
   *
   * @return whether the channel is closed
   */
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

  /** Under the lock: an array with room for all waiters; null if there is no memory for it. */
  private @Nullable WaitNode @Nullable [] roomForAll() {
    try {
      return new WaitNode[receivers.size() + senders.size()];
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  /**
   * Wakes the waiters of a closed channel without extra memory. This ends, because no waiter is
   * added to a closed channel.
   */
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

  // The methods from here on are for SelectOperation, which locks several channels in the order
  // given by order().

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  /** A number that no other channel has. */
  long order() {
    if (order == 0) {
      ORDER.compareAndSet(this, 0L, ORDERS.incrementAndGet());
    }
    return order;
  }

  /** Whether a goroutine of the caller's scheduler made this channel. */
  boolean isInside() {
    return CreatorScheduler.isInside(maker);
  }

  /** Begins a public operation; called before anything is locked. */
  private static void enterFromAnywhere() {
    StackHeadroom.ensure();
    CreatorScheduler.recordUse();
  }

  /** A hint, without the lock, for {@link #canSend}. */
  boolean looksOpenToSend() {
    return closed || size < buffer.length || !receivers.isEmpty();
  }

  /** A hint, without the lock, for {@link #canReceive}. */
  boolean looksOpenToReceive() {
    return closed || size > 0 || !senders.isEmpty();
  }

  /**
   * Under the lock: whether a send would not wait. A true may be wrong if the waiting receiver is
   * about to leave.
   */
  boolean canSend() {
    return closed || size < buffer.length || hasLive(receivers);
  }

  /**
   * Under the lock: whether a receive would not wait. A true may be wrong if the waiting sender is
   * about to leave.
   */
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

  /**
   * Under the lock: sends {@code v} if that needs no waiting.
   *
   * @return the receiver to {@linkplain #wake wake} after the unlock, {@link #NO_WAITER} if there is
   *     none to wake, or null if the send would have to wait
   */
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
    return NO_WAITER;
  }

  /**
   * Under the lock: receives if that needs no waiting; {@link #takeTaken} then returns the value.
   *
   * @return the sender to wake, {@link #NO_WAITER} or null, as {@link #sendLocked} does
   */
  @Nullable WaitNode receiveLocked() {
    int n = size;
    if (n == 0) {
      WaitNode sender = takeFromSender();
      return sender == null && closed ? NO_WAITER : sender;
    }
    Object oldest = buffer[head];
    WaitNode sender = takeFromSender();
    buffer[head] = taken; // which comes after the others in the buffer, or is null
    head = slot(1);
    if (sender == null) {
      sizeRelease(n - 1);
    }
    taken = oldest;
    return sender == null ? NO_WAITER : sender;
  }

  /**
   * Under the lock: the value of the last {@link #receiveLocked}; null if the channel is closed and
   * drained.
   */
  @Nullable Object takeTaken() {
    Object v = taken;
    taken = null;
    return v;
  }

  /** Unparks the waiter whose wait {@code met} ended, if there is one; called without a lock. */
  static void wake(@Nullable WaitNode met) {
    if (met != null && met != NO_WAITER) {
      met.owner().wakeUp();
    }
  }

  /**
   * Converts the item of a waiting receiver, or a value taken out of the channel, to the result of
   * a receive.
   */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // only T are sent
  static <T> @Nullable T received(@Nullable Object v) {
    return v == CLOSED ? null : (T) v;
  }

  /**
   * Checks the item of a sender whose wait has ended: throws if the channel was closed meanwhile.
   */
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
        leave(wait, queue); // also after a StackOverflowError: the node must not stay queued
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

  /** Takes the value of the first sender whose wait has not ended otherwise, and ends that wait. */
  private @Nullable WaitNode takeFromSender() {
    for (WaitNode sender = senders.peek(); sender != null; sender = senders.peek()) {
      taken = sender.item;
      sender.item = null;
      boolean fired = sender.fire();
      senders.remove(sender); // only after fire: see WaitQueue.fireFirst
      if (fired) {
        return sender;
      }
    }
    taken = null;
    return null;
  }

  /**
   * Ends the waits in {@code queue} and adds their nodes to {@code fired} from index {@code n} on.
   *
   * @return the number of nodes in {@code fired} now
   */
  private static int fireAll(WaitQueue queue, @Nullable WaitNode[] fired, int n) {
    int count = n;
    for (WaitNode place = queue.fireFirst(CLOSED); place != null; place = queue.fireFirst(CLOSED)) {
      fired[count++] = place;
    }
    return count;
  }

  /** Whether a thread still waits in {@code queue}; drops the nodes whose wait has ended. */
  private static boolean hasLive(WaitQueue queue) {
    for (WaitNode place = queue.peek(); place != null; place = queue.peek()) {
      if (place.isOpen()) {
        return true;
      }
      queue.remove(place);
    }
    return false;
  }

  /** Without the lock: whether, at one moment during the call, a send would have had to wait. */
  private boolean seesFull() {
    VarHandle.fullFence(); // orders the read after the caller's earlier operations, on any channel
    boolean full = buffer.length == 0 ? receivers.isEmpty() : size == buffer.length;
    return full && !closed; // read after the queue: close sets it before it empties the queue
  }

  /** Without the lock: whether, at one moment during the call, a receive would have had to wait. */
  private boolean seesNothing() {
    VarHandle.fullFence(); // as in seesFull
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
