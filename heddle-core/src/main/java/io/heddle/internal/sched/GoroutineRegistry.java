package io.heddle.internal.sched;

import io.heddle.internal.base.Counter;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.jfr.JfrEvents;
import io.heddle.internal.note.RuntimeLock;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lists the living goroutines of a scheduler, and counts them; Go's {@code allgs}.
 *
 * <p>Each M records the goroutines that it starts and ends in {@link MCounters} of its own, so that
 * Ms do not contend for a shared counter or list. The registry adds these counters up.
 */
public final class GoroutineRegistry {
  /*
   * Ordering: a goroutine is counted as started before it is queued. It is counted as finished when
   * it is about to end or has ended. A goroutine that can never continue is counted as finished
   * after it was garbage collected. A reader that sees a goroutine counted as finished therefore
   * also sees it counted as started (Counter, Ordering). A reader sums the counters of finished
   * goroutines first, and those of started goroutines after that. If both sums are equal, then at
   * some moment between the two summations each started goroutine was counted as finished.
   *
   * Checked by: CloseTest, SchedulerStressTest.
   */
  private final Sched sched;
  private final List<MCounters> locals = new CopyOnWriteArrayList<>();
  private final AtomicLong ids = new AtomicLong(1);
  private final AtomicInteger interruptsBegun = new AtomicInteger();
  private final AtomicInteger interruptsEnded = new AtomicInteger();

  /**
   * The counters that all threads outside this scheduler share; guarded by {@link #outsideLock}.
   */
  private final MCounters outside = new MCounters();

  private final RuntimeLock outsideLock = new RuntimeLock(VirtualThreads::osYield);

  GoroutineRegistry(Sched sched) {
    this.sched = sched;
    locals.add(outside);
  }

  /**
   * Returns how many goroutines were started and have not ended. If it is 0, then at some moment
   * during the call no goroutine lived: see Ordering.
   */
  public int living() {
    long finished = sum(local -> local.finished);
    return (int) (sum(local -> local.started) - finished);
  }

  /**
   * Passes to {@code action} every goroutine that lives during the whole call, and perhaps some
   * that live during a part of it.
   */
  public void forEach(Consumer<G> action) {
    for (MCounters local : locals) {
      local.goroutines.forEach(action);
    }
  }

  /** Interrupts all goroutines. */
  public void interruptAll() {
    interruptsBegun.incrementAndGet(); // before it reads the lists: see LeakSearch
    try {
      // May throw: an interrupt closes the java.nio channel at which a thread waits, and that runs
      // code of the program.
      forEach(g -> g.thread().interrupt());
    } finally {
      interruptsEnded.incrementAndGet();
    }
  }

  /** Returns how many calls of {@link #interruptAll} have begun. */
  public int interruptsBegun() {
    return interruptsBegun.get();
  }

  /** Returns how many calls of {@link #interruptAll} have ended. */
  public int interruptsEnded() {
    return interruptsEnded.get();
  }

  /** Returns the goroutines that {@link #forEach} passes to its action. */
  public Stream<G> goroutines() {
    Stream.Builder<G> all = Stream.builder();
    forEach(all::add);
    return all.build();
  }

  /** Returns the threads of the living goroutines; the JDK's thread dumps ask for them. */
  public Stream<Thread> virtualThreads() {
    return goroutines().map(G::thread);
  }

  /**
   * Returns counters for one more M. The counters stay part of every sum after that M has ended.
   */
  MCounters newLocal() {
    MCounters local = new MCounters();
    locals.add(local);
    return local;
  }

  /**
   * Returns the sum of the counter that {@code which} selects, over all Ms and the threads outside
   * this scheduler.
   */
  long sum(Function<MCounters, Counter> which) {
    long sum = 0;
    for (MCounters local : locals) {
      sum += which.apply(local).get();
    }
    return sum;
  }

  /**
   * Records that {@code g} is about to be queued for the first time.
   *
   * @param local the counters of the calling M; null for a thread outside this scheduler
   */
  void recordStart(G g, @Nullable MCounters local) {
    if (local != null) {
      enter(g, local);
      return;
    }
    outsideLock.lock();
    try {
      enter(g, outside);
    } finally {
      outsideLock.unlock();
    }
  }

  /**
   * Records that {@code g} has ended, or is about to end. Called by the M that ran {@code g}, or by
   * {@code g} itself.
   */
  void recordEnd(G g) {
    GoroutineList.remove(g);
    M m = sched.currentM();
    if (m != null) {
      sched.tracing.ends(m, g);
      m.local.finished.add(1);
    }
    if (JfrEvents.areOn()) {
      JfrEvents.ended(sched.name(), g.id);
    }
    g.ended();
    sched.closing.wakeClosersIfQuiet();
  }

  /** Counts a goroutine as finished that could never continue and was garbage collected. */
  public void recordCollected() {
    outsideLock.lock();
    try {
      outside.finished.add(1);
    } finally {
      outsideLock.unlock();
    }
    VarHandle.fullFence(); // the count precedes the read of begun: see Shutdown, Ordering
    sched.closing.wakeClosersIfQuiet();
  }

  private void enter(G g, MCounters local) {
    g.id = local == outside ? ids.getAndIncrement() : local.nextId(ids);
    local.goroutines.add(g); // may fail for lack of memory; then the goroutine is not counted
    local.started.add(1);
  }
}
