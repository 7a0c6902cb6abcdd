package io.heddle.internal.trace;

import io.heddle.internal.note.RuntimeLock;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/** The tracks of one scheduler, while it is recorded. */
public final class Recording {
  /** Of whom a track is. */
  enum Of {
    M(0),
    OUTSIDE(1),
    MONITOR(2);

    /** In the file. */
    final int number;

    Of(int number) {
      this.number = number;
    }
  }

  /** A track, and of whom. */
  record Entry(EventTrack track, Of of, int who) {}

  /** Threads outside use the one that their number leads to: few wait for another one. */
  private static final int STRIPES = 4;

  private final TraceWriter writer;
  final int number;
  final String name;
  final int procs;
  final Queue<Entry> tracks = new ConcurrentLinkedQueue<>();
  private final Map<Integer, EventTrack> ms = new ConcurrentHashMap<>();
  private final EventTrack monitor;
  private final EventTrack[] outside = new EventTrack[STRIPES];
  private final RuntimeLock[] locks = new RuntimeLock[STRIPES];

  Recording(TraceWriter writer, int number, String name, int procs, Runnable osYield) {
    this.writer = writer;
    this.number = number;
    this.name = name;
    this.procs = procs;
    this.monitor = newTrack(Of.MONITOR, 0, () -> 0);
    for (int i = 0; i < STRIPES; i++) {
      outside[i] = newTrack(Of.OUTSIDE, i, () -> 0);
      locks[i] = new RuntimeLock(osYield);
    }
  }

  /** For the M of that number; {@code itsP} as {@link EventTrack#has} says, or 0. */
  public EventTrack trackOfM(int m, LongSupplier itsP) {
    return ms.computeIfAbsent(m, number -> newTrack(Of.M, number, itsP));
  }

  /** For the monitor's own thread. */
  public EventTrack monitor() {
    return monitor;
  }

  /** For a thread that is no M of this scheduler, and cannot be unmounted: its until {@link #unlock}. */
  public EventTrack lock() {
    Thread me = Thread.currentThread();
    int i = stripe(me);
    locks[i].lock();
    try {
      outside[i].who(me);
    } catch (Throwable t) {
      locks[i].unlock();
      throw t;
    }
    return outside[i];
  }

  public void unlock() {
    locks[stripe(Thread.currentThread())].unlock();
  }

  private static int stripe(Thread thread) {
    return (int) (thread.threadId() & (STRIPES - 1));
  }

  private EventTrack newTrack(Of of, int who, LongSupplier itsP) {
    EventTrack track = writer.newTrack(itsP);
    tracks.add(new Entry(track, of, who));
    return track;
  }
}
