package io.heddle.cli.trace;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tracks which event may come next for each goroutine and each P, across all tracks.
 *
 * <p>{@link EventMerge} asks {@link #blocks} before it takes the next event of a track, and calls
 * {@link #pass} when it takes it.
 */
final class CausalityGate {
  private static final int TURN_BITS = 20;

  /** The turns of a goroutine: it becomes ready, runs, becomes ready, and so on. */
  private static final class GoroutineState {
    int turn;
    boolean ran;

    /**
     * True if the goroutine was first seen after its start. Late events about an earlier turn are
     * then ignored.
     */
    boolean firstSeenRunning;

    int turnsAhead(int of) {
      int shift = Integer.SIZE - TURN_BITS;
      return (of - turn) << shift >> shift;
    }
  }

  /** The ownership of a P. */
  private static final class PState {
    @Nullable TraceTrack owner;
    long epoch = -1;

    /**
     * The epoch at which the owner reported that its P was taken, while the event of the thread
     * that took it is still missing; -1 otherwise.
     */
    long lost = -1;

    boolean anyEpoch = true;

    /**
     * True after an event about this P. A later HAS_P record at the head of a chunk then carries
     * old news and is ignored.
     */
    boolean known;

    void own(TraceEvent e) {
      owner = e.track;
      epoch = e.epoch();
      lost = -1;
      anyEpoch = false;
      known = true;
    }

    /** A stop of the world may have taken the P, and its owner may have reported that before. */
    void stop() {
      anyEpoch = true;
      lost = -1;
    }

    /** The P ends; a later P with the same number is a new one. */
    void end() {
      owner = null;
      epoch = -1;
      stop();
    }
  }

  private static final class SchedulerState {
    final Map<Long, GoroutineState> gs = new HashMap<>();
    final Map<Integer, PState> ps = new HashMap<>();
    boolean lossy;

    PState p(int number) {
      return ps.computeIfAbsent(number, _ -> new PState());
    }
  }

  private record SubjectKey(TraceScheduler scheduler, boolean isG, long number) {}

  private final TraceData data;
  private final Map<TraceScheduler, SchedulerState> scheds = new HashMap<>();

  CausalityGate(TraceData data) {
    this.data = data;
  }

  /** Returns the key that {@code e} must wait for; null if it may happen now. */
  @Nullable Object blocks(TraceEvent e) {
    SchedulerState sched = of(e);
    return switch (e.kind) {
      case READY, YIELD, RUN -> blocksG(e, sched) ? gKey(e) : null;
      case OWN -> blocksOwn(e, sched.p(e.a)) ? pKey(e) : null;
      case RETAKE -> blocksRetake(e, sched.p(e.a)) ? pKey(e) : null;
      default -> null;
    };
  }

  private boolean blocksG(TraceEvent e, SchedulerState sched) {
    GoroutineState g = sched.gs.get(e.b);
    if (g == null) {
      return !mayBeUnknown(e, sched);
    }
    int ahead = g.turnsAhead(e.turn);
    if (e.kind == EventKind.RUN) {
      return ahead > 0;
    }
    return ahead > 1 || (ahead == 1 && !g.ran);
  }

  /** Whether the start of the event's goroutine may be missing from the file. */
  private boolean mayBeUnknown(TraceEvent e, SchedulerState sched) {
    TraceScheduler scheduler = e.track.scheduler;
    return data.isWindow || sched.lossy || scheduler.living.containsKey(e.b);
  }

  private static boolean blocksOwn(TraceEvent e, PState p) {
    return p.owner != null
        || p.lost >= 0
        || (!p.anyEpoch && e.epoch() != p.epoch && e.epoch() != p.epoch + 1);
  }

  private static boolean blocksRetake(TraceEvent e, PState p) {
    boolean isUnknown = p.owner == null && p.anyEpoch;
    boolean isOwned = p.owner != null && p.epoch == e.epoch();
    return !isUnknown && !isOwned && p.lost != e.epoch();
  }

  /**
   * Says why an event that is let through nevertheless is impossible; null if it may be possible.
   */
  @Nullable String whyNot(TraceEvent e) {
    SchedulerState sched = of(e);
    if (isForgiven(e, sched)) {
      return null;
    }
    return switch (e.kind) {
      case OWN -> whyNotOwn(e, sched.p(e.a));
      case RETAKE -> "a P is taken from an M that does not have it: " + sched.p(e.a).owner;
      default -> whyNotG(e, sched.gs.get(e.b));
    };
  }

  private static @Nullable String whyNotOwn(TraceEvent e, PState p) {
    if (p.owner != null) {
      return "P" + e.a + " is with " + p.owner + " at epoch " + p.epoch;
    }
    if (p.lost >= 0) {
      return "P" + e.a + " was lost at epoch " + p.lost + ", and no event says what took it";
    }
    return e.epoch() < p.epoch ? "P" + e.a + " is at epoch " + p.epoch + " already" : null;
  }

  /**
   * Whether events may be missing: some were lost, the event happened while tracing was starting on
   * one M after another, or the trace is a window, in which tracks begin at different times.
   */
  private boolean isForgiven(TraceEvent e, SchedulerState sched) {
    Long settled = e.track.scheduler.settled;
    return sched.lossy || data.isWindow || settled == null || e.time <= settled;
  }

  private static String whyNotG(TraceEvent e, @Nullable GoroutineState g) {
    if (g == null) {
      return "goroutine " + e.b + " has not been started";
    }
    return "goroutine %d is at turn %d, %s".formatted(e.b, g.turn, g.ran ? "run" : "not run yet");
  }

  /**
   * Records that {@code e} happens. Calls {@code wake} with the key for which tracks must be
   * checked again; null means all tracks.
   */
  void pass(TraceEvent e, Consumer<@Nullable Object> wake) {
    SchedulerState sched = of(e);
    switch (e.kind) {
      case START -> {
        GoroutineState known = sched.gs.get(e.b);
        if (known != null && !known.firstSeenRunning && !isForgiven(e, sched)) {
          e.illegal = "goroutine " + e.b + " has been started before";
        }
        passG(e, sched, false);
        wake.accept(gKey(e));
      }
      case READY, YIELD -> {
        passG(e, sched, false);
        wake.accept(gKey(e));
      }
      case RUN -> {
        passG(e, sched, true);
        wake.accept(gKey(e));
      }
      case HAS_G -> sched.gs.computeIfAbsent(e.b, _ -> adopted(e.turn, true));
      case OWN -> {
        sched.p(e.a).own(e);
        wake.accept(pKey(e));
      }
      case HAS_P -> passHasP(e, sched);
      case GIVE, LOSE, RETAKE -> {
        passDrop(e, sched.p(e.a));
        wake.accept(pKey(e));
      }
      case PROCS -> {
        sched.ps.values().forEach(PState::stop);
        sched.ps.forEach(
            (number, p) -> {
              if (number >= e.b) {
                p.end();
              }
            });
        wake.accept(null);
      }
      case LOST -> {
        sched.lossy = true;
        sched.gs.clear();
        sched.ps.clear();
        wake.accept(null);
      }
      default -> {}
    }
  }

  private void passG(TraceEvent e, SchedulerState sched, boolean ran) {
    GoroutineState g = sched.gs.get(e.b);
    if (g == null) {
      sched.gs.put(e.b, adopted(e.turn, ran));
      sched.gs.get(e.b).firstSeenRunning = e.kind != EventKind.START;
      return;
    }
    int ahead = g.turnsAhead(e.turn);
    boolean isNext = ran ? ahead == 0 && !g.ran : ahead == 1 && g.ran;
    if (!isNext && g.firstSeenRunning && ahead <= 0) {
      return; // about a turn before the first one seen
    }
    if (!isNext && e.illegal == null && !isForgiven(e, sched)) {
      e.illegal =
          "goroutine %d is at turn %d, %s".formatted(e.b, g.turn, g.ran ? "run" : "not run yet");
    }
    g.turn = e.turn;
    g.ran = ran;
    g.firstSeenRunning = false;
  }

  private static GoroutineState adopted(int turn, boolean ran) {
    GoroutineState g = new GoroutineState();
    g.turn = turn;
    g.ran = ran;
    g.firstSeenRunning = true;
    return g;
  }

  private static void passHasP(TraceEvent e, SchedulerState sched) {
    PState p = sched.p(e.a);
    if (e.b > 0 && !p.known) {
      p.own(e);
    }
  }

  private static void passDrop(TraceEvent e, PState p) {
    boolean isOwners = p.owner == e.track && p.epoch == e.epoch();
    switch (e.kind) {
      case GIVE -> {
        if (isOwners) {
          p.owner = null;
        }
      }
      case LOSE -> {
        if (isOwners) {
          p.owner = null;
          p.lost =
              p.anyEpoch
                  ? -1
                  : e.epoch(); // taken by the monitor, unless a stop of the world took it
        }
      }
      default -> {
        p.owner = null;
        p.lost = -1;
        p.epoch = e.epoch() + 1;
        p.anyEpoch = false;
        p.known = true;
      }
    }
  }

  private SchedulerState of(TraceEvent e) {
    return scheds.computeIfAbsent(e.track.scheduler, _ -> new SchedulerState());
  }

  private static SubjectKey gKey(TraceEvent e) {
    return new SubjectKey(e.track.scheduler, true, e.b);
  }

  private static SubjectKey pKey(TraceEvent e) {
    return new SubjectKey(e.track.scheduler, false, e.a);
  }
}
