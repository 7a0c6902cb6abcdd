package io.heddle.internal.sched;

import io.heddle.internal.base.Counter;
import io.heddle.internal.poll.NetPoller;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What one M notes down by itself, so that no two Ms write the same: counts, goroutines it started, and spare ids. */
final class MCounters {
  /** As in Go, so that the shared counter is touched seldom. */
  private static final int ID_BATCH = 16;

  final GoroutineList goroutines = new GoroutineList();
  final Counter started = new Counter();
  final Counter finished = new Counter();
  final Counter switches = new Counter();
  final Counter steals = new Counter();
  final Counter stolen = new Counter();
  final Counter parks = new Counter();
  final Counter timers = new Counter();
  final Counter netpolls = new Counter();
  final Counter netWaits = new Counter();
  final Counter netEnds = new Counter();

  /** What its M has found to be ready, and not woken yet. */
  NetPoller.@Nullable Events events;

  private long firstId;

  /** Room for what its M finds. */
  NetPoller.Events events(NetPoller poller) {
    NetPoller.Events mine = events;
    if (mine == null) {
      mine = poller.newEvents();
      events = mine;
    }
    return mine;
  }

  /** An id for the next one that is counted as started here. */
  long nextId(AtomicLong ids) {
    long inBatch = started.get() % ID_BATCH;
    if (inBatch == 0) {
      firstId = ids.getAndAdd(ID_BATCH);
    }
    return firstId + inBatch;
  }
}
