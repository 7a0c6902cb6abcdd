package io.heddle.internal.sched;

import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.jdk.WaitReason;
import io.heddle.internal.trace.EventTrack;
import io.heddle.internal.trace.Recording;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Records the events of a scheduler while it is traced. Each hook costs one read of a field if the
 * scheduler is not traced.
 *
 * <p>This class holds all hooks: {@link M} and the other classes call these methods.
 */
public final class TraceHooks {
  /*
   * A track is a sequence of events with one writer at a time (EventTrack); a recording consists of
   * tracks. While the scheduler is traced, each M has a track of its own, into which the M and the
   * goroutine that it carries write events. Sysmon has another. All other threads share a few
   * tracks, each of which is guarded by a lock.
   *
   * Ordering of the events of one goroutine. READY is recorded before the goroutine is queued, and
   * RUN before the goroutine can be made ready again. So the READY and RUN events of a goroutine
   * are recorded in the order in which they happen. The event that the goroutine has stepped off
   * its M is recorded later, perhaps when the goroutine already runs elsewhere. That event tells
   * what the M does, and not when the goroutine could continue.
   *
   * Checked by: OrderTest, TracedProgramsTest.
   */
  // Allocated in advance. The thread that has stopped the world records these events, and an
  // OutOfMemoryError at that time would leave the world stopped.
  @SuppressWarnings("UnnecessaryLambda")
  private static final ObjIntConsumer<EventTrack> STOP = (t, _) -> t.stop();

  private static final ObjIntConsumer<EventTrack> PROCS = EventTrack::procs;

  @SuppressWarnings("UnnecessaryLambda")
  private static final ObjIntConsumer<EventTrack> GO_ON = (t, _) -> t.goOn();

  private final Sched sched;
  private volatile @Nullable Recording on; // null: the scheduler is not traced

  TraceHooks(Sched sched) {
    this.sched = sched;
  }

  /** Records that the caller is about to queue {@code g}. */
  void ready(@Nullable M m, G g, boolean isNew) {
    if (m == null) {
      readyOutside(g, isNew);
      return;
    }
    EventTrack t = m.track;
    if (t != null) {
      ready(t, g, isNew);
    }
  }

  private void readyOutside(G g, boolean isNew) {
    Recording recording = on;
    if (recording != null) {
      EventTrack t = recording.lock();
      try {
        ready(t, g, isNew);
      } finally {
        recording.unlock();
      }
    }
  }

  private static void ready(EventTrack t, G g, boolean isNew) {
    if (isNew) {
      t.start(g.id, g.site(), g.thread.getName());
    } else {
      t.ready(g.id, g.turn());
    }
  }

  /** Records that {@code g} has yielded and stepped off {@code m}. */
  void yielded(M m, G g) {
    EventTrack t = m.track;
    if (t != null) {
      t.yielded(g.id, g.turn());
    }
  }

  void run(M m, G g) {
    EventTrack t = m.track;
    if (t != null) {
      t.run(g.id, g.turn());
    }
  }

  /**
   * Records that {@code g} has stepped off {@code m}, because it has ended or waits. Does nothing
   * if {@link #yielded} has recorded that.
   */
  void off(M m, G g) {
    EventTrack t = m.track;
    if (t != null && t.isOn()) {
      if (VirtualThreads.isTerminated(g.thread)) {
        ends(m, g); // the thread of an adopted goroutine does not record its end itself
        t.done();
      } else {
        t.block(WaitReason.quick(g.thread));
      }
    }
  }

  /**
   * Records the end of {@code g}, once: on the thread of {@code g}, or after that thread has ended.
   */
  void ends(M m, G g) {
    EventTrack t = m.track;
    if (t != null && t.isOn() && !t.hasEnded()) {
      t.end(g.id);
    }
  }

  /**
   * Records that {@code m} has acquired {@code taken}. If {@code before} is not null, first records
   * that {@code before}, which {@code m} had acquired at {@code epochBefore}, was retaken from it.
   */
  void acquired(M m, @Nullable P before, long epochBefore, P taken) {
    EventTrack t = m.track;
    if (t != null) {
      if (before != null) {
        t.lose(before.number, epochBefore);
      }
      t.own(taken.number, taken.epoch());
    }
  }

  /** Records that {@code m} releases {@code p}, which it acquired at {@code epoch}. */
  void released(M m, P p, long epoch) {
    EventTrack t = m.track;
    if (t != null) {
      t.give(p.number, epoch);
    }
  }

  /** Records that {@code p}, which {@code m} acquired at {@code epoch}, was retaken. */
  void lost(M m, P p, long epoch) {
    EventTrack t = m.track;
    if (t != null) {
      t.lose(p.number, epoch);
    }
  }

  /** Records that {@code m} goes to sleep. */
  void park(M m) {
    EventTrack t = m.track;
    if (t != null) {
      t.park();
    }
  }

  void callBegins(M m) {
    EventTrack t = m.track;
    if (t != null) {
      t.call();
    }
  }

  void callEnds(M m) {
    EventTrack t = m.track;
    if (t != null) {
      t.returned();
    }
  }

  void spin(M m) {
    EventTrack t = m.track;
    if (t != null) {
      t.spin();
    }
  }

  void spun(M m) {
    EventTrack t = m.track;
    if (t != null) {
      t.spun();
    }
  }

  void steal(M m, P victim, int n) {
    EventTrack t = m.track;
    if (t != null) {
      t.steal(victim.number, n);
    }
  }

  void timers(M m, int n) {
    EventTrack t = m.track;
    if (t != null) {
      t.timers(n);
    }
  }

  /**
   * Records a poll of the network by {@code m}, or by sysmon if {@code m} is null, with {@code n}
   * events.
   */
  void poll(@Nullable M m, int n) {
    Recording recording = on;
    EventTrack t = m != null ? m.track : recording == null ? null : recording.monitor();
    if (t != null) {
      t.poll(n);
    }
  }

  /**
   * Records that {@code m}, at the end of a marked call, did not get back {@code old}, the P that
   * it had released for the call.
   */
  void marked(M m, P old) {
    EventTrack t = m.track;
    if (t != null) {
      t.marked(old.number);
    }
  }

  /** Records that sysmon asks the goroutine that runs on {@code p} to yield. */
  void preempt(P p) {
    Recording recording = on;
    if (recording != null) {
      recording.monitor().preempt(p.number);
    }
  }

  /** Records that sysmon has retaken {@code p}. */
  void retake(P p, long epoch, HandOff.Reason reason) {
    Recording recording = on;
    if (recording != null) {
      recording.monitor().retake(p.number, epoch, numberOf(reason));
    }
  }

  private static int numberOf(HandOff.Reason reason) {
    return switch (reason) {
      case COMPUTING -> 0;
      case NATIVE -> 1;
      case PINNED -> 2;
      case MARKED -> 3;
    };
  }

  /** Records that the caller has stopped the world. */
  void stopped() {
    byCaller(STOP, 0);
  }

  /** Records that there will be {@code n} Ps. */
  void procs(int n) {
    byCaller(PROCS, n);
  }

  /** Records that the caller has started the world again. */
  void worldStarted() {
    byCaller(GO_ON, 0);
  }

  private void byCaller(ObjIntConsumer<EventTrack> event, int n) {
    Recording recording = on;
    M m = sched.currentM();
    if (m != null) {
      EventTrack t = m.track;
      if (t != null) {
        event.accept(t, n);
      }
    } else if (recording != null) {
      EventTrack t = recording.lock();
      try {
        event.accept(t, n);
      } finally {
        recording.unlock();
      }
    }
  }

  /** Gives {@code m}, which starts, a track if the scheduler is traced. */
  void begin(M m) {
    Recording recording = on;
    if (recording != null) {
      try {
        attach(m, recording);
      } catch (OutOfMemoryError e) {
        // The events of this M are not recorded.
      }
    }
  }

  /** Closes the track of {@code m}, which ends. */
  void end(M m) {
    EventTrack t = m.track;
    if (t != null) {
      m.track = null;
      t.close();
    }
  }

  private static void attach(M m, Recording recording) {
    m.track = recording.trackOfM(m.number, m::hasP);
  }

  /** Makes every M record into {@code recording}. Called under the lock of the trace session. */
  public void attach(Recording recording) {
    on = recording;
    try {
      for (M m : sched.threads.all()) {
        attach(m, recording);
      }
    } catch (OutOfMemoryError e) {
      on = null;
      throw e;
    }
  }

  /**
   * Makes every M stop recording. If there is no memory for that, throws and changes nothing.
   * Called under the lock of the trace session.
   */
  public void detach() {
    Recording recording = on;
    on = null;
    try {
      sched.threads.all().forEach(m -> m.track = null);
    } catch (OutOfMemoryError e) {
      on = recording;
      throw e;
    }
  }
}
