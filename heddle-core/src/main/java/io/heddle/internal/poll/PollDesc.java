package io.heddle.internal.poll;

import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A descriptor that is watched, with room for one thread that waits to read and one that waits to write. */
public final class PollDesc {
  /*
   * States of each of the two slots, as in Go's pollDesc:
   *   null      nobody waits, and nothing has happened since somebody last found that it would have to wait
   *   READY     something has happened, and nobody has looked since
   *   a Thread  it waits
   * Moves, each one compare-and-set:
   *   null   -> Thread   enter: it has tried, and could not go on
   *   READY  -> null     enter: it is to try again before it waits
   *   null   -> READY    ready: the system says so
   *   Thread -> null     ready, stop or expire, which unpark it; or leave, by itself
   *
   * The system tells of changes alone, once each. So whoever comes here has tried first; a change before that is in READY
   * or has been seen by the attempt, a change after it finds the thread here.
   *
   * To be woken for nothing does no harm: whoever waits for a descriptor tries again, and comes back.
   *
   * Forgotten: it is no longer watched. Set, then the slots are emptied; a thread enters, then looks at it. All are volatile:
   * one sees the other.
   *
   * Differences from Go: one slot has no "about to park", as an unpark before the park is not lost.
   *
   * Checked by: PollDescTest, EpollPollerTest, SocketChurnTest.
   */

  /** What an attempt to wait came to. */
  public enum Entry {
    /** It may park now, and must leave. */
    ENTERED,
    /** Something has happened: it is to try again. */
    READY,
    /** Somebody else waits here. */
    TAKEN
  }

  private static final Object READY = new Object();
  private static final VarHandle READER =
      Handles.field(MethodHandles.lookup(), "reader", Object.class);
  private static final VarHandle WRITER =
      Handles.field(MethodHandles.lookup(), "writer", Object.class);

  final int fd;

  /** Tells this use of the number from others, in what the system reports. */
  final int generation;

  final @Nullable Object owner;

  /** Changes in a row that nobody waited for or looked at. For the threads that report them: a guess is enough. */
  int unclaimed;

  private volatile @Nullable Object reader;
  private volatile @Nullable Object writer;
  private volatile boolean forgotten;

  /** For whoever waits here: what it wants to find again the next time. */
  private @Nullable Object readerKeeps;

  private @Nullable Object writerKeeps;

  PollDesc(int fd, int generation, @Nullable Object owner) {
    this.fd = fd;
    this.generation = generation;
    this.owner = owner;
  }

  /** The calling thread, which has tried to read or write and could not, is about to wait for that. */
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

  /** The calling thread waits no more, for whatever reason. */
  public void leave(boolean write) {
    boolean _ = slot(write).compareAndSet(this, Thread.currentThread(), null);
  }

  /** Wakes who waits, because its time is over, or the descriptor is about to be closed. */
  public void stop(boolean write) {
    VarHandle slot = slot(write);
    if (slot.getVolatile(this) instanceof Thread waiter && slot.compareAndSet(this, waiter, null)) {
      LockSupport.unpark(waiter);
    }
  }

  /** Whether it is not watched any more: who has entered is to leave, and ask for another one. */
  public boolean isForgotten() {
    return forgotten;
  }

  /** What the thread that reads, or writes, has {@linkplain #keep kept}. */
  public @Nullable Object kept(boolean write) {
    return write ? writerKeeps : readerKeeps;
  }

  public void keep(boolean write, Object what) {
    if (write) {
      writerKeeps = what;
    } else {
      readerKeeps = what;
    }
  }

  void forget() {
    forgotten = true;
    stop(false);
    stop(true);
  }

  /** The system says so. Wakes who waits for it; false if nobody did, and nobody has looked since the last time. */
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
