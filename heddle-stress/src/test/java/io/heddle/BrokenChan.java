package io.heddle;

import io.heddle.internal.note.RuntimeLock;
import io.heddle.internal.wait.WaitNode;
import io.heddle.internal.wait.WaitQueue;
import io.heddle.internal.wait.WaitState;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The broken twin of {@link Chan}: a copy of its protocol with a deque instead of a ring, and
 * without one step.
 */
final class BrokenChan implements Pipe {
  /** The omitted step. */
  enum Fault {
    /** None: shows that the tests detect only the fault. */
    NONE,
    /**
     * The fast path of trySend checks whether the channel is closed before it checks for receivers.
     */
    CLOSED_BEFORE_FULL,
    /** A receive removes a value and publishes that, and only then moves a sender's value in. */
    REFILL_IN_TWO_STEPS,
    /**
     * The waker removes the waiter from the queue before it knows whether the waiter still waits.
     */
    REMOVE_BEFORE_FIRE,
    /** A sender to a waiting receiver does not check whether the receiver still waits. */
    FIRE_UNHEARD,
    /** A close does not wake the senders. */
    CLOSE_LEAVES_SENDERS,
    /** A caller that must wait releases the lock before it joins the queue. */
    LOOKS_THEN_STANDS,
    /** An interrupted waiter leaves even if a value has arrived. */
    LEAVES_UNASKED,
    /** No fence before the check without the lock. */
    NO_FENCE
  }

  private static final Object CLOSED = new Object();

  /** The result of an operation that wakes no waiter. */
  private static final WaitNode NOBODY = new WaitNode(new WaitState(), 0);

  /**
   * A waiter counts as forgotten after this many nanoseconds, because a twin must not hang. Longer
   * than a busy machine keeps a thread off the CPU.
   */
  private static final long FORGOTTEN = 50_000_000;

  private final Fault fault;
  private final int capacity;
  private final RuntimeLock lock = new RuntimeLock(Thread::yield);
  private final Deque<Integer> buffer = new ArrayDeque<>();
  private final WaitQueue receivers = new WaitQueue();
  private final WaitQueue senders = new WaitQueue();
  private final AtomicInteger size = new AtomicInteger();
  private volatile boolean closed;
  private int taken;

  BrokenChan(int capacity, Fault fault) {
    this.capacity = capacity;
    this.fault = fault;
  }

  @Override
  public boolean trySend(int v) {
    if (seesFull()) {
      return false;
    }
    lock.lock();
    WaitNode met;
    try {
      met = sendLocked(v);
    } finally {
      lock.unlock();
    }
    wake(met);
    return met != null;
  }

  @Override
  public int tryReceive() {
    if (seesNothing()) {
      return NOTHING;
    }
    WaitNode met;
    int v;
    lock.lock();
    try {
      met = receiveLocked();
      v = met == null ? NOTHING : taken;
    } finally {
      lock.unlock();
    }
    wake(met);
    return v;
  }

  @Override
  public @Nullable WaitNode standToSend(WaitState wait, int v) {
    lock.lock();
    try {
      WaitNode met = sendLocked(v);
      if (met == null) {
        lookedThenStands();
        stand(wait, v);
        senders.add(wait);
      }
      return met;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable WaitNode standToReceive(WaitState wait) {
    lock.lock();
    try {
      WaitNode met = receiveLocked();
      if (met == null) {
        lookedThenStands();
        stand(wait, null);
        receivers.add(wait);
      } else {
        wait.item = taken;
      }
      return met;
    } finally {
      lock.unlock();
    }
  }

  private void lookedThenStands() {
    if (fault == Fault.LOOKS_THEN_STANDS) {
      lock.unlock();
      dawdle();
      lock.lock();
    }
  }

  /** Makes it more likely that the other actor comes in between. */
  static void dawdle() {
    for (int i = 0; i < 50; i++) {
      Thread.onSpinWait();
    }
  }

  private static void stand(WaitState wait, @Nullable Object item) {
    long _ = wait.begin("test");
    wait.item = item;
  }

  @Override
  public void leave(WaitState wait) {
    lock.lock();
    try {
      if (!receivers.remove(wait)) {
        senders.remove(wait);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int got(WaitState wait) {
    return wait.item instanceof Integer v ? v : NOTHING;
  }

  @Override
  public boolean wasClosed(WaitState wait) {
    return wait.item == CLOSED;
  }

  @Override
  public boolean send(int v) throws InterruptedException {
    WaitState wait = new WaitState();
    WaitNode met = standToSend(wait, v);
    wake(met);
    boolean sent = met != null || await(wait);
    if (wasClosed(wait)) {
      throw new ClosedChanException("closed");
    }
    return sent;
  }

  @Override
  public int receive() throws InterruptedException {
    WaitState wait = new WaitState();
    WaitNode met = standToReceive(wait);
    wake(met);
    return met != null || await(wait) ? got(wait) : FORGOTTEN_HERE;
  }

  /** Returns false if the waiter was forgotten. */
  private boolean await(WaitState wait) throws InterruptedException {
    long end = System.nanoTime() + FORGOTTEN;
    while (wait.ended(wait.round()) < 0) {
      LockSupport.parkNanos(this, FORGOTTEN);
      if (Thread.interrupted()) {
        leaveInterrupted(wait);
      }
      if (end - System.nanoTime() < 0 && wait.giveUp(wait.round())) {
        leave(wait);
        return false;
      }
    }
    return true;
  }

  private void leaveInterrupted(WaitState wait) throws InterruptedException {
    if (wait.giveUp(wait.round()) || fault == Fault.LEAVES_UNASKED) {
      leave(wait);
      throw new InterruptedException();
    }
  }

  @Override
  public void close() {
    Deque<WaitNode> woken = new ArrayDeque<>();
    lock.lock();
    try {
      if (closed) {
        throw new ClosedChanException("close of a closed channel");
      }
      closed = true;
      fireAll(receivers, woken);
      if (fault != Fault.CLOSE_LEAVES_SENDERS) {
        fireAll(senders, woken);
      }
    } finally {
      lock.unlock();
    }
    woken.forEach(BrokenChan::wake);
  }

  private void fireAll(WaitQueue queue, Deque<WaitNode> fired) {
    for (WaitNode place = fireFirst(queue, CLOSED);
        place != null;
        place = fireFirst(queue, CLOSED)) {
      fired.add(place);
    }
  }

  @Override
  public int length() {
    return size.get();
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  static void wake(@Nullable WaitNode met) {
    if (met != null && met != NOBODY) {
      met.owner().wakeUp();
    }
  }

  private @Nullable WaitNode sendLocked(int v) {
    if (closed) {
      throw new ClosedChanException("send on a closed channel");
    }
    WaitNode receiver = fireFirst(receivers, v);
    if (receiver != null) {
      return receiver;
    }
    if (buffer.size() == capacity) {
      return null;
    }
    buffer.add(v);
    size.setRelease(buffer.size());
    return NOBODY;
  }

  private @Nullable WaitNode receiveLocked() {
    Integer oldest = buffer.poll();
    if (fault == Fault.REFILL_IN_TWO_STEPS) {
      size.setRelease(buffer.size());
    }
    WaitNode sender = takeFromSender();
    if (oldest != null) {
      if (sender != null) {
        buffer.add(taken);
      }
      taken = oldest;
      size.setRelease(buffer.size());
      return sender == null ? NOBODY : sender;
    }
    return sender == null && closed ? NOBODY : sender;
  }

  private @Nullable WaitNode takeFromSender() {
    for (WaitNode sender = senders.peek(); sender != null; sender = senders.peek()) {
      taken = sender.item instanceof Integer v ? v : NOTHING;
      if (fireAndRemove(senders, sender, null)) {
        return sender;
      }
    }
    taken = NOTHING;
    return null;
  }

  private @Nullable WaitNode fireFirst(WaitQueue queue, Object item) {
    for (WaitNode place = queue.peek(); place != null; place = queue.peek()) {
      if (fireAndRemove(queue, place, item) || fault == Fault.FIRE_UNHEARD) {
        return place;
      }
    }
    return null;
  }

  private boolean fireAndRemove(WaitQueue queue, WaitNode place, @Nullable Object item) {
    if (fault == Fault.REMOVE_BEFORE_FIRE) {
      queue.remove(place);
    }
    place.item = item;
    boolean fired = place.fire();
    queue.remove(place);
    return fired;
  }

  private boolean seesFull() {
    fence();
    if (fault == Fault.CLOSED_BEFORE_FULL) {
      return !closed && isFull();
    }
    return isFull() && !closed;
  }

  private boolean isFull() {
    return capacity == 0 ? receivers.isEmpty() : size.get() == capacity;
  }

  private boolean seesNothing() {
    fence();
    return capacity == 0 ? senders.isEmpty() : size.get() == 0;
  }

  private void fence() {
    if (fault != Fault.NO_FENCE) {
      VarHandle.fullFence();
    }
  }
}
