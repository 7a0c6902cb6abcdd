package io.heddle.internal.poll;

import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A watched file descriptor. It has two slots: one for the thread that waits to read, and one for
 * the thread that waits to write.
 */
public final class PollDesc {
  /*
   * States of each of the two slots, as in Go's pollDesc:
   *   null      no thread waits, and a thread has been told of each reported change
   *   READY     a change was reported while no thread waited, and no thread has entered since
   *   a Thread  this thread waits
   * Transitions, each one compare-and-set:
   *   null   -> Thread   enter: the thread has tried, and would block
   *   READY  -> null     enter: the thread must try again before it waits
   *   null   -> READY    ready: the system has reported a change
   *   Thread -> null     ready or stop, which unpark the thread; or leave, by the thread itself
   *
   * No lost wake-up, although the system reports each change only once:
   *   1. The thread tries to read or write, and would block.
   *   2. It enters.
   *   3. It parks.
   * A change before step 2 was seen by the attempt or has left READY, so enter fails and the thread
   * tries again. A change after 2 finds the thread in the slot and unparks it; an unpark before the
   * park is not lost.
   *
   * A spurious wake-up is harmless, because the thread tries again and waits again.
   *
   * Forgotten (the descriptor is no longer watched): the poller sets forgotten and then empties the
   * slots; a thread enters and then reads forgotten. All accesses are volatile, so either the
   * poller sees the thread or the thread sees the flag.
   *
   * Differences from Go: a slot has no state "about to park", because an unpark before the park is
   * not lost.
   *
   * Checked by: PollDescTest, EpollPollerTest, SocketChurnTest.
   */

  /** The result of {@link #enter}. */
  public enum Entry {
    /** The thread may park now and must call {@link #leave} afterwards. */
    ENTERED,
    /** A change was reported: the thread must try to read or write again. */
    READY,
    /** Another thread waits in this slot. */
    TAKEN
  }

  private static final Object READY = new Object();
  private static final VarHandle READER =
      Handles.field(MethodHandles.lookup(), "reader", Object.class);
  private static final VarHandle WRITER =
      Handles.field(MethodHandles.lookup(), "writer", Object.class);

  /** The number of the descriptor. */
  final int fd;

  /**
   * The kernel returns this number with each event. It distinguishes this descriptor from earlier
   * and later ones with the same {@link #fd}.
   */
  final int generation;

  /** The object that owns the descriptor; null if it is not known. See {@link NetPoller#watch}. */
  final @Nullable Object owner;

  /**
   * The number of useless events in a row. An event is useless if no thread waits for it, and the
   * slot is READY already because of an earlier one. After too many the poller stops watching the
   * descriptor. Polling threads write this field without synchronization, because an inexact count
   * does no harm.
   */
  int unclaimed;

  private volatile @Nullable Object reader;
  private volatile @Nullable Object writer;
  private volatile boolean forgotten;

  /** An object that the reading thread keeps here from one wait to the next: its timer. */
  private @Nullable Object readerKeeps;

  /** An object that the writing thread keeps here from one wait to the next: its timer. */
  private @Nullable Object writerKeeps;

  PollDesc(int fd, int generation, @Nullable Object owner) {
    this.fd = fd;
    this.generation = generation;
    this.owner = owner;
  }

  /**
   * Registers the calling thread as waiting. Must be called after the thread has tried to read or
   * write and would have blocked.
   *
   * @param write whether the thread waits to write; otherwise it waits to read
   * @return {@code ENTERED}, or why the thread was not registered
   */
  public Entry enter(boolean write) {
    VarHandle slot = slot(write);
    for (; ; ) {
      Object now = slot.getVolatile(this);
      if (now instanceof Thread) {
        return Entry.TAKEN;
      }
      if (now == null && slot.compareAndSet(this, null, Thread.currentThread())) {
        return Entry.ENTERED;
      }
      if (now == READY && slot.compareAndSet(this, READY, null)) {
        return Entry.READY;
      }
    }
  }

  /**
   * Ends the wait of the calling thread. Does nothing if another thread has already removed the
   * calling thread from the slot.
   */
  public void leave(boolean write) {
    boolean _ = slot(write).compareAndSet(this, Thread.currentThread(), null);
  }

  /**
   * Wakes the waiting thread, because of a timeout or because the descriptor is about to be closed.
   */
  public void stop(boolean write) {
    VarHandle slot = slot(write);
    if (slot.getVolatile(this) instanceof Thread waiter && slot.compareAndSet(this, waiter, null)) {
      LockSupport.unpark(waiter);
    }
  }

  /**
   * Whether the poller no longer watches the descriptor. If so, a thread that has entered must
   * leave, and call {@link NetPoller#watch} for a new object.
   */
  public boolean isForgotten() {
    return forgotten;
  }

  /**
   * Returns the object that the reading, or writing, thread has {@linkplain #keep kept}; null if it
   * has kept none.
   */
  public @Nullable Object kept(boolean write) {
    return write ? writerKeeps : readerKeeps;
  }

  /** Keeps {@code what} for the next wait of the reading, or writing, thread. */
  public void keep(boolean write, Object what) {
    if (write) {
      writerKeeps = what;
    } else {
      readerKeeps = what;
    }
  }

  /** Marks the descriptor as no longer watched and wakes both waiting threads. */
  void forget() {
    forgotten = true;
    stop(false);
    stop(true);
  }

  /**
   * Records a change that the system has reported, and wakes the waiting thread if there is one.
   * Returns false if an earlier change is still unseen; then this call has no effect.
   */
  boolean ready(boolean write) {
    VarHandle slot = slot(write);
    for (; ; ) {
      Object now = slot.getVolatile(this);
      if (now == READY) {
        return false;
      }
      if (now == null && slot.compareAndSet(this, null, READY)) {
        return true;
      }
      if (now instanceof Thread waiter && slot.compareAndSet(this, waiter, null)) {
        LockSupport.unpark(waiter);
        return true;
      }
    }
  }

  private static VarHandle slot(boolean write) {
    return write ? WRITER : READER;
  }
}
