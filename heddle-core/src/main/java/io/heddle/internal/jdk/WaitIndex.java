package io.heddle.internal.jdk;

import java.util.Collection;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Answers the questions of {@link BlockedOn} for many threads. The index has two facts about each
 * thread: the monitors that the thread holds, and the latch at which other threads wait for its
 * end. To find the monitors, it reads each stack once, and only if a thread is blocked at a
 * monitor. Each fact was true at some moment while the index was made. It is still true if the
 * thread has not run since.
 */
public final class WaitIndex implements BlockedOn.Owners {
  private final IdentityHashMap<Object, Thread> holders = new IdentityHashMap<>();
  private final IdentityHashMap<Object, Thread> ending = new IdentityHashMap<>();
  private final IdentityHashMap<Thread, Boolean> threads = new IdentityHashMap<>();

  /** Reads {@code all}, which are virtual threads. */
  public WaitIndex(Collection<Thread> all) {
    boolean anyAtMonitor =
        all.stream().anyMatch(thread -> VirtualThreads.phase(thread) == ThreadState.MONITOR_ENTER);
    for (Thread thread : all) {
      threads.put(thread, true);
      Object latch = BlockedOn.latchOf(thread);
      if (latch != null) {
        ending.put(latch, thread);
      }
      if (anyAtMonitor) {
        MonitorOwners.heldBy(thread).forEach(monitor -> holders.put(monitor, thread));
      }
    }
  }

  /**
   * Returns the wait of {@code waiter}, or null: see {@link BlockedOn#of}. Finds the holders of
   * monitors, and joined threads, only among the threads of this index.
   */
  public BlockedOn.@Nullable Wait waitOf(Thread waiter) {
    return BlockedOn.of(waiter, this);
  }

  @Override
  public @Nullable Thread holderOf(Object monitor, Thread waiter) {
    Thread holder = holders.get(monitor);
    return holder == waiter ? null : holder;
  }

  @Override
  public @Nullable Thread endingAt(Object latch) {
    return ending.get(latch);
  }

  @Override
  public boolean contains(Thread thread) {
    return threads.containsKey(thread);
  }
}
