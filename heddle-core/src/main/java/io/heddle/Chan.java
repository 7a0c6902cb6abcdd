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
 * <h2>Waits that never end</h2>
 * If every goroutine waits for a value that no thread can send, {@link Go#main} and
 * {@link Scheduler#run} throw a {@link DeadlockException}. A thread that has called neither of them
 * waits forever without a report. So the {@code main} method of the program should call
 * {@link Go#main} first.
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
  // The file is long because a third of it is Javadoc, and each step of send, receive and select
  // shares the lock.

  /*
   * Invariants, under the lock:
   *   1. A receiver waits only if there is no value and no waiting sender. Exception: one select
   *      may wait at this channel both as a sender and as a receiver.
   *   2. A sender waits only if the buffer is full.
   *   3. If the channel is closed, no thread waits. Exception: close may lack the memory to end all
   *      waits at once. It then ends them one by one, and unlocks in between.
   *
   * Ordering: the lock guards every field. Two operations take no lock: trySend to a full open
   * channel, and tryReceive of an empty open channel. For them size and closed are volatile, and
   * WaitQueue.isEmpty needs no lock. Each of the two has one deciding read, which tells whether it
   * would have to wait. With a buffer this is a read of size. Without a buffer, trySend reads
   * whether receivers is empty, and tryReceive reads whether senders is empty.
   * - A full fence precedes the deciding read. It orders that read after the caller's earlier
   *   operations, because their stores under the lock are only release stores.
   * - trySend reads closed after the deciding read. close sets closed before it empties the queue
   *   of receivers. So if close has emptied the queue, trySend sees that the channel is closed.
   * - tryReceive reads closed before the deciding read. If the channel is closed between the two
   *   reads, the answer null is still right: the channel is then closed and drained.
   * A select makes the same reads without a fence, because it checks the result again under the
   * lock.
   *
   * The lock is a RuntimeLock, which is a spin lock. Its holder must not be unmounted. So no code
   * between lock and unlock parks. Before the lock, StackHeadroom makes sure that the stack has
   * room for that code. Waiters are unparked after the unlock.
   *
   * Difference from Go: an interrupt ends a wait, and the waiter then removes itself from its
   * queue. One compare-and-set in the waiter's WaitState decides between the interrupt and the
   * value.
   *
   * Checked by: ChanTest, ChanLincheckTest, ChanWaitLincheckTest, ChanStress.
   */
  private static final VarHandle SIZE = Handles.field(MethodHandles.lookup(), "size", int.class);
  private static final VarHandle ORDER = Handles.field(MethodHandles.lookup(), "order", long.class);
  private static final AtomicLong ORDERS = new AtomicLong();

  /** Marks, as the item of a waiter, that the close of the channel has ended the wait. */
  private static final Object CLOSED = new Object();

  /** The result of an operation that succeeded and has no waiter to wake. */
  private static final WaitNode NO_WAITER = new WaitNode(new WaitState(), 0);

  private static final WaitReasons UNLABELLED =
      new WaitReasons("chan send", "chan receive", "select");

  private static final Runnable OS_YIELD = VirtualThreads::osYield;

  static {
    EarlyInitialization.run();
  }

  private final RuntimeLock lock = new RuntimeLock(OS_YIELD);
  private final @Nullable Object[] buffer;
  private final WaitQueue receivers = new WaitQueue();
  private final WaitQueue senders = new WaitQueue();
  private int head;

  /**
   * The value that {@link #receiveLocked} has received. Its caller takes the value with
   * {@link #takeTaken} before it unlocks.
   */
  private @Nullable Object taken;

  private volatile int size;
  private volatile boolean closed;

  /**
   * The rank of this channel in the total order in which selects lock channels. It is 0 until the
   * first select on this channel calls {@link #order()}.
   */
  private volatile long order;

  /**
   * The scheduler of the goroutine that made this channel. It is null if no goroutine made the
   * channel, and for a channel of {@link #external}. The deadlock detector needs it: see
   * {@link CreatorScheduler}.
   */
  private final @Nullable Sched maker;

  private final WaitReasons reasons;

  private Chan(int capacity, @Nullable Sched maker, WaitReasons reasons) {
    this.buffer = new Object[capacity];
    this.maker = maker;
    this.reasons = reasons;
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
    return new Chan<>(checked(capacity), CreatorScheduler.currentScheduler(), UNLABELLED);
  }

  /**
   * Makes a channel whose other side is outside of the program's goroutines: another process, a
   * device, a callback of a foreign thread. It is for libraries that connect such a side to
   * channels.
   *
   * <p>It behaves as a channel of {@link #make(int)} with two differences. Dumps and
   * {@link Goroutine#waitReason} show the label, as in {@code chan receive (remote orders)}; a
   * select shows the label of the first such channel among its cases. A goroutine that waits for
   * such a channel is never part of a deadlock report, because the other side may wake it.
   *
   * @param <T> the type of the values
   * @param label names the other side, for dumps
   * @param capacity the size of the buffer; 0 makes an unbuffered channel
   * @return a new open channel
   * @throws IllegalArgumentException if {@code capacity} is negative
   */
  public static <T> Chan<T> external(String label, int capacity) {
    Objects.requireNonNull(label, "label");
    WaitReasons reasons =
        new WaitReasons(
            "chan send (" + label + ")", "chan receive (" + label + ")", "select (" + label + ")");
    return new Chan<>(checked(capacity), null, reasons);
  }

  private static int checked(int capacity) {
    if (capacity < 0) {
      throw new IllegalArgumentException("capacity " + capacity + ": allowed is 0 or more");
    }
    return capacity;
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
        round = wait.begin(reasons.send);
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
        round = wait.begin(reasons.receive);
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

  /**
   * Returns an array with room for all waiters of this channel; null if there is no memory for the
   * array. The caller holds the lock.
   */
  private @Nullable WaitNode @Nullable [] roomForAll() {
    try {
      return new WaitNode[receivers.size() + senders.size()];
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  /**
   * Wakes the waiters of a closed channel one by one, because there was no memory for an array of
   * them. The loop ends, because no waiter is added to a closed channel.
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

  // lock and unlock are for SelectOperation, which locks several channels in the order of order().

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  /**
   * Returns this channel's rank in the order in which selects lock channels. No two channels have
   * the same rank, so two selects cannot wait for each other's locks.
   */
  long order() {
    if (order == 0) {
      ORDER.compareAndSet(this, 0L, ORDERS.incrementAndGet());
    }
    return order;
  }

  /** Returns the reason of a wait in a select; null if this channel has no name to show. */
  @Nullable String namedSelect() {
    return reasons == UNLABELLED ? null : reasons.select;
  }

  /** Returns whether a goroutine of the caller's scheduler made this channel. */
  boolean isInside() {
    return CreatorScheduler.isInside(maker);
  }

  /**
   * Begins a public operation, which any thread may call. Checks that the stack has room for the
   * operation, and records the use for the deadlock detector. Must be called before the operation
   * takes the lock, because the check may throw. Another reason is that in a bubble (a test's
   * closed world) another goroutine may run here.
   */
  private static void enterFromAnywhere() {
    StackHeadroom.ensure();
    CreatorScheduler.recordUse();
  }

  /**
   * Returns whether {@link #canSend} would probably return true. Takes no lock, so the result is
   * only a hint.
   */
  boolean looksOpenToSend() {
    return closed || size < buffer.length || !receivers.isEmpty();
  }

  /**
   * Returns whether {@link #canReceive} would probably return true. Takes no lock, so the result is
   * only a hint.
   */
  boolean looksOpenToReceive() {
    return closed || size > 0 || !senders.isEmpty();
  }

  /**
   * Returns whether a send would return or throw without waiting. The result true may be wrong if
   * the waiting receiver is about to leave. The caller holds the lock.
   */
  boolean canSend() {
    return closed || size < buffer.length || hasLive(receivers);
  }

  /**
   * Returns whether a receive would return without waiting. The result true may be wrong if the
   * waiting sender is about to leave. The caller holds the lock.
   */
  boolean canReceive() {
    return closed || size > 0 || hasLive(senders);
  }

  /** Adds {@code place} to the queue of waiting senders. The caller holds the lock. */
  void waitToSend(WaitNode place) {
    senders.add(place);
  }

  /** Adds {@code place} to the queue of waiting receivers. The caller holds the lock. */
  void waitToReceive(WaitNode place) {
    receivers.add(place);
  }

  /** Removes {@code place} from the queue in which it waits, if any. The caller holds the lock. */
  void leave(WaitNode place) {
    if (!receivers.remove(place)) {
      senders.remove(place);
    }
  }

  /**
   * Sends {@code v} if that is possible without waiting. Throws {@link ClosedChanException} if the
   * channel is closed. The caller holds the lock.
   *
   * @return the receiver to {@linkplain #wake wake} after the unlock, {@link #NO_WAITER} if there
   *     is none to wake, or null if the send would have to wait
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
   * Receives a value if that is possible without waiting; {@link #takeTaken} then returns it. The
   * caller holds the lock.
   *
   * @return the sender to {@linkplain #wake wake} after the unlock, {@link #NO_WAITER} if there is
   *     none to wake, or null if the receive would have to wait
   */
  @Nullable WaitNode receiveLocked() {
    int n = size;
    if (n == 0) {
      WaitNode sender = takeFromSender();
      return sender == null && closed ? NO_WAITER : sender;
    }
    Object oldest = buffer[head];
    WaitNode sender = takeFromSender();
    buffer[head] = taken; // the sender's value, now the newest in the buffer; null if no sender
    head = slot(1);
    if (sender == null) {
      sizeRelease(n - 1);
    }
    taken = oldest;
    return sender == null ? NO_WAITER : sender;
  }

  /**
   * Returns and clears the value that the last {@link #receiveLocked} received; null if the channel
   * is closed and drained. The caller holds the lock.
   */
  @Nullable Object takeTaken() {
    Object v = taken;
    taken = null;
    return v;
  }

  /**
   * Unparks the waiter of the node {@code met}, whose wait has ended. Does nothing for null and for
   * {@link #NO_WAITER}. The caller holds no lock.
   */
  static void wake(@Nullable WaitNode met) {
    if (met != null && met != NO_WAITER) {
      met.owner().wakeUp();
    }
  }

  /**
   * Returns what a receive returns to the user after it got {@code v}: null for the mark
   * {@link #CLOSED}, otherwise {@code v}.
   */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // only T are sent
  static <T> @Nullable T received(@Nullable Object v) {
    return v == CLOSED ? null : (T) v;
  }

  /**
   * Throws if {@code item} is the mark {@link #CLOSED}: the channel was closed while the sender
   * waited. {@code item} is the item of a sender whose wait has ended; null if the value was sent.
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
        leave(wait, queue); // also after a StackOverflowError: the waiter's node must not stay
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

  /**
   * Moves the value of the first sender that still waits to {@code taken}, and ends that wait.
   * Returns the node of that sender. If no sender waits, sets {@code taken} to null and returns
   * null. The caller holds the lock.
   */
  private @Nullable WaitNode takeFromSender() {
    for (WaitNode sender = senders.peek(); sender != null; sender = senders.peek()) {
      taken = sender.item;
      sender.item = null;
      boolean fired = sender.fire();
      senders.remove(sender); // after fire, so that the queue is never empty while a sender waits
      if (fired) {
        return sender;
      }
    }
    taken = null;
    return null;
  }

  /**
   * Ends all waits in {@code queue} because the channel was closed. Stores the nodes of these waits
   * in {@code fired} from index {@code n} on. The caller holds the lock.
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

  /**
   * Returns whether a thread still waits in {@code queue}. Removes nodes at its head whose wait has
   * ended. The caller holds the lock.
   */
  private static boolean hasLive(WaitQueue queue) {
    for (WaitNode place = queue.peek(); place != null; place = queue.peek()) {
      if (place.isOpen()) {
        return true;
      }
      queue.remove(place);
    }
    return false;
  }

  /**
   * Returns whether a send would have had to wait at one moment during the call. Takes no lock.
   */
  private boolean seesFull() {
    VarHandle.fullFence(); // orders the read after the caller's earlier operations, on any channel
    boolean full = buffer.length == 0 ? receivers.isEmpty() : size == buffer.length;
    return full && !closed; // closed is read last: close sets it before it empties the queue
  }

  /**
   * Returns whether a receive would have had to wait at one moment during the call. Takes no lock.
   */
  private boolean seesNothing() {
    VarHandle.fullFence(); // orders the reads after the caller's earlier operations, on any channel
    return !closed && (buffer.length == 0 ? senders.isEmpty() : size == 0);
  }

  /**
   * The reasons that dumps show for a wait at a channel. The strings are made together with the
   * channel, because at the start of a wait the lock is held.
   */
  private record WaitReasons(String send, String receive, String select) {}

  /** Returns the index in {@code buffer} of the slot {@code behindHead} slots after the head. */
  private int slot(int behindHead) {
    int i = head + behindHead;
    return i < buffer.length ? i : i - buffer.length;
  }

  private void sizeRelease(int n) {
    SIZE.setRelease(this, n);
  }
}
