package io.heddle.internal.sched;

import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.jdk.WaitReason;
import io.heddle.internal.trace.EventTrack;
import io.heddle.internal.trace.Recording;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** What is noted about a scheduler, if somebody wants to know: one look at a field if nobody does. */
public final class TraceHooks {
  /*
   * An M has a track while it is recorded, and writes there, as does the goroutine that it carries. A thread without an M
   * uses a track that it shares with others.
   *
   * Ordering: that a goroutine is ready is noted before it is queued, and that it runs before it can be made ready again:
   * so who notes the one knows that the other has been noted. That it has stepped off is noted later, perhaps when it
   * already runs elsewhere: that belongs to its M, and says nothing about when it could go on.
   */
  // Made in time: who notes these has stopped the world, and must not fail.
  @SuppressWarnings("UnnecessaryLambda")
  private static final ObjIntConsumer<EventTrack> STOP = (t, _) -> t.stop();

  private static final ObjIntConsumer<EventTrack> PROCS = EventTrack::procs;

  @SuppressWarnings("UnnecessaryLambda")
  private static final ObjIntConsumer<EventTrack> GO_ON = (t, _) -> t.goOn();

  private final Sched sched;
  private volatile @Nullable Recording on;

  TraceHooks(Sched sched) {
    this.sched = sched;
  }

  /** {@code g} is about to be queued, by whoever calls. */
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

  /** {@code g} has stepped off. */
  void off(M m, G g) {
    EventTrack t = m.track;
    if (t != null && t.isOn()) {
      if (VirtualThreads.isTerminated(g.thread)) {
        ends(m, g); // a thread that somebody else made says nothing
        t.done();
      } else {
        t.block(WaitReason.quick(g.thread));
      }
    }
  }

  /** {@code g}, on its own thread or when that has ended; the second time it says nothing. */
  void ends(M m, G g) {
    EventTrack t = m.track;
    if (t != null && t.isOn() && !t.hasEnded()) {
      t.end(g.id);
    }
  }

  /** {@code m} acquires {@code taken}. If it still has {@code before}, it has lost that during a call. */
  void acquired(M m, @Nullable P before, long epochBefore, P taken) {
    EventTrack t = m.track;
    if (t != null) {
      if (before != null) {
        t.lose(before.number, epochBefore);
      }
      t.own(taken.number, taken.epoch());
    }
  }

  /** {@code m} gives {@code p}, which it acquired at {@code epoch}, up. */
  void released(M m, P p, long epoch) {
    EventTrack t = m.track;
    if (t != null) {
      t.give(p.number, epoch);
    }
  }

  /** {@code p}, which {@code m} acquired at {@code epoch}, was taken away. */
  void lost(M m, P p, long epoch) {
    EventTrack t = m.track;
    if (t != null) {
      t.lose(p.number, epoch);
    }
  }

  /** {@code m} goes to sleep. */
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

  /** The network was asked, by {@code m}, or by the monitor, if it is null; {@code n} can go on. */
  void poll(@Nullable M m, int n) {
    Recording recording = on;
    EventTrack t = m != null ? m.track : recording == null ? null : recording.monitor();
    if (t != null) {
      t.poll(n);
    }
  }

  void marked(M m, P old) {
    EventTrack t = m.track;
    if (t != null) {
      t.marked(old.number);
    }
  }

  /** The monitor asks the M that has {@code p}. */
  void preempt(P p) {
    Recording recording = on;
    if (recording != null) {
      recording.monitor().preempt(p.number);
    }
  }

  /** The monitor has taken {@code p} by force. */
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

  /** The caller has stopped the world. */
  void stopped() {
    byCaller(STOP, 0);
  }

  /** There are {@code n} Ps when it goes on. */
  void procs(int n) {
    byCaller(PROCS, n);
  }

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

  /** An M begins. */
  void begin(M m) {
    Recording recording = on;
    if (recording != null) {
      try {
        attach(m, recording);
      } catch (OutOfMemoryError e) {
        // What it does is not recorded.
      }
    }
  }

  /** It ends. */
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

  /** Has every M record into {@code recording}. Called under the lock of the trace session. */
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

  /** Has no M record any more; if there is no memory for that, all is as before. Called under the lock of the session. */
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
