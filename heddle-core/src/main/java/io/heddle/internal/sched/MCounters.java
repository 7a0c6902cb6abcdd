package io.heddle.internal.sched;

import io.heddle.internal.base.Counter;
import io.heddle.internal.poll.NetPoller;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What one M records by itself: counts, the goroutines that it started, and spare ids. Each M has
 * its own instance, so that no two Ms write the same field. The threads outside the scheduler share
 * one instance, under a lock.
 */
final class MCounters {
  /**
   * How many ids an M takes from the shared counter at a time, so that Ms seldom contend for it;
   * Go's {@code _GoidCacheBatch}.
   */
  private static final int ID_BATCH = 16;

  final GoroutineList goroutines = new GoroutineList();

  // Counters. started, finished: goroutines. switches: runs of goroutines. steals: successful
  // steals. stolen: goroutines taken by them. parks: sleeps of the M. timers: timers fired.
  // netpolls: polls of the sockets. netWaits, netEnds: waits for sockets that have begun, and that
  // have ended (see NetPolling).
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

  /**
   * The buffer for the socket events that the M has polled and not delivered yet; null before the
   * first poll.
   */
  NetPoller.@Nullable Events events;

  private long firstId;

  /** Returns the buffer for socket events, made at the first call. */
  NetPoller.Events events(NetPoller poller) {
    NetPoller.Events mine = events;
    if (mine == null) {
      mine = poller.newEvents();
      events = mine;
    }
    return mine;
  }

  /** Returns the id for the next goroutine that is counted as started here. */
  long nextId(AtomicLong ids) {
    long inBatch = started.get() % ID_BATCH;
    if (inBatch == 0) {
      firstId = ids.getAndAdd(ID_BATCH);
    }
    return firstId + inBatch;
  }
}
