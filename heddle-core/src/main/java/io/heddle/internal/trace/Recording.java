package io.heddle.internal.trace;

import io.heddle.internal.note.RuntimeLock;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/**
 * The tracks of one scheduler while its events are recorded. A track is the sequence of events of
 * one M, of sysmon, or of some foreign threads. A foreign thread is any other thread that uses the
 * scheduler.
 */
public final class Recording {
  /** The kind of owner of a track: an M, foreign threads, or sysmon. */
  enum Of {
    M(0),
    OUTSIDE(1),
    MONITOR(2);

    /** The number of this kind in the file. */
    final int number;

    Of(int number) {
      this.number = number;
    }
  }

  /** A track, the kind of its owner, and the number of the owner among the owners of that kind. */
  record OwnedTrack(EventTrack track, Of of, int ownerNumber) {}

  /**
   * The number of tracks for foreign threads. A thread uses the track whose index is the thread's
   * id modulo this number, so few threads contend for one track.
   */
  private static final int STRIPES = 4;

  private final TraceWriter writer;
  final int number;
  final String name;
  final int procs;
  final Queue<OwnedTrack> tracks = new ConcurrentLinkedQueue<>();
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

  /**
   * Returns the track of the M with number {@code m}. The supplier {@code itsP} returns the P of
   * that M and the epoch of the P, encoded by {@link EventTrack#has}, or 0 if the M has no P. The
   * epoch counts how often the P was acquired.
   */
  public EventTrack trackOfM(int m, LongSupplier itsP) {
    return ms.computeIfAbsent(m, number -> newTrack(Of.M, number, itsP));
  }

  /** Returns the track of sysmon. Only sysmon's own thread may use it. */
  public EventTrack monitor() {
    return monitor;
  }

  /**
   * Returns a track for the calling thread, which owns it until {@link #unlock}. The thread must
   * not be an M of this scheduler and must not be unmounted before it calls {@link #unlock}.
   */
  public EventTrack lock() {
    Thread me = Thread.currentThread();
    int i = stripe(me);
    locks[i].lock();
    try {
      outside[i].foreignThread(me);
    } catch (Throwable t) {
      locks[i].unlock();
      throw t;
    }
    return outside[i];
  }

  /** Ends the calling thread's ownership of the track from {@link #lock}. */
  public void unlock() {
    locks[stripe(Thread.currentThread())].unlock();
  }

  private static int stripe(Thread thread) {
    return (int) (thread.threadId() & (STRIPES - 1));
  }

  private EventTrack newTrack(Of of, int ownerNumber, LongSupplier itsP) {
    EventTrack track = writer.newTrack(itsP);
    tracks.add(new OwnedTrack(track, of, ownerNumber));
    return track;
  }
}
