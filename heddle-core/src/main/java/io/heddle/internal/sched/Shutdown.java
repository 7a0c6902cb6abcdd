package io.heddle.internal.sched;

import io.heddle.internal.jdk.VirtualThreads;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * The end of a scheduler: wait for its goroutines, then end its Ms.
 *
 * <p>A goroutine that becomes ready after that (one that was made here and started later, say) is served all the same:
 * an M is made for it, which ends when there is nothing to do.
 */
public final class Shutdown {
  /*
   * States: open, begun (nobody outside may start goroutines; those that live may), over (idle Ms end).
   *
   * Ordering: a closer sets begun and adds itself, then reads the books. The books are kept with release stores, which
   * another M may not see yet when it looks; so who sees a goroutine end while closing puts a fence between its entry and
   * its look, and every M looks again when it goes to sleep, after the compare-and-set that enters it in the idle list:
   * that covers an entry made just before begun was set. One of them sees all entries.
   */
  private final Sched sched;
  private final Queue<Thread> closers = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean released = new AtomicBoolean();
  private volatile boolean begun;
  private volatile boolean over;

  Shutdown(Sched sched) {
    this.sched = sched;
  }

  /** Whether {@code close} has been called. */
  public boolean hasBegun() {
    return begun;
  }

  public boolean isOver() {
    return over;
  }

  /** Whether also nobody lives who was started afterwards. */
  boolean isAllOver() {
    return over && sched.books.living() == 0;
  }

  /** From now on nobody outside may start goroutines. */
  public void begin() {
    begun = true;
  }

  /** Waits for the goroutines, then ends the Ms. {@code onInterrupt} is run if the caller is interrupted meanwhile. */
  public void close(Runnable onInterrupt) {
    begin();
    boolean interrupted = awaitGoroutines(onInterrupt);
    interrupted |= awaitEnd(sched.sysmon.end()); // or it might start one more
    List<M> ms = List.copyOf(sched.threads.all()); // before they may end, and take themselves off
    over = true;
    sched.deregister();
    sched.threads.releaseIdleMs();
    interrupted |= awaitEnds(ms);
    letGo();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the Ms at once, and leaves the goroutines where they are: they are garbage. For one that is turned by hand. */
  public void abandon() {
    begin();
    over = true;
    sched.deregister();
    letGo();
  }

  /** What others hold, too, once: a scheduler may be closed again and again, and by several. */
  private void letGo() {
    sched.listener.onClose(); // it may fail, and be tried again
    if (released.compareAndSet(false, true)) {
      sched.net.release();
    }
  }

  /** A goroutine has been entered in the books as finished. */
  void died() {
    lookAgain();
  }

  /** Tells the closers if nobody lives any more. */
  void lookAgain() {
    if (begun) {
      VarHandle.fullFence();
      checkQuiet();
    }
  }

  /** Tells the closers if nobody lives any more. After a full fence: see Ordering. */
  void checkQuiet() {
    if (begun && sched.books.living() == 0) {
      for (Thread closer : closers) {
        LockSupport.unpark(closer);
      }
    }
  }

  private boolean awaitGoroutines(Runnable onInterrupt) {
    boolean interrupted = false;
    Thread me = Thread.currentThread();
    closers.add(me);
    while (sched.books.living() != 0) {
      LockSupport.park(this);
      if (Thread.interrupted()) {
        interrupted = true;
        onInterrupt.run();
      }
    }
    closers.remove(me);
    return interrupted;
  }

  /**
   * Also of those that one of them, or somebody outside, was about to start for a goroutine that has died meanwhile: they
   * are listed before they are started.
   */
  private boolean awaitEnds(List<M> ms) {
    boolean interrupted = false;
    for (List<M> left = ms;
        !left.isEmpty() && isAllOver();
        left = List.copyOf(sched.threads.all())) {
      for (M m : left) {
        interrupted |= awaitEnd(m);
      }
      VirtualThreads.osYield(); // one may be listed and not started yet
    }
    return interrupted;
  }

  private static boolean awaitEnd(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }
}
