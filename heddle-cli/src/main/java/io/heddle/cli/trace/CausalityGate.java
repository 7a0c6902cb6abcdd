package io.heddle.cli.trace;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Knows for each goroutine and each P what can happen to it next, whichever track tells of it. */
final class CausalityGate {
  private static final int TURN_BITS = 20;

  /** The turns of a goroutine: it becomes ready, it runs, it becomes ready, … */
  private static final class GoroutineState {
    int turn;
    boolean ran;

    /** First seen in the middle of its life: what a track tells late about the time before is let pass. */
    boolean firstSeenRunning;

    int turnsAhead(int of) {
      int shift = Integer.SIZE - TURN_BITS;
      return (of - turn) << shift >> shift;
    }
  }

  /** Who has a P. */
  private static final class PState {
    @Nullable TraceTrack owner;
    long epoch = -1;

    /** Its owner has found that it was taken at that epoch, and who took it has not said so yet. */
    long lost = -1;

    boolean anyEpoch = true;

    /** Somebody has told of it: who had it before cannot say so late, at the head of a chunk. */
    boolean known;

    void own(TraceEvent e) {
      owner = e.track;
      epoch = e.epoch();
      lost = -1;
      anyEpoch = false;
      known = true;
    }

    /** Whoever stopped the world may have taken it, and its owner may have said so before. */
    void stop() {
      anyEpoch = true;
      lost = -1;
    }

    /** The next of that number is another one. */
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

  /** What it has to wait for; null: nothing. */
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

  /** Whether its start need not be in the file. */
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

  /** For one that is let through all the same: what is wrong; null if it can be right. */
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
      return "P" + e.a + " was lost at epoch " + p.lost + ", and nobody has taken it";
    }
    return e.epoch() < p.epoch ? "P" + e.a + " is at epoch " + p.epoch + " already" : null;
  }

  /**
   * Whether events are missing: some were lost, it happened while Ms began to be traced, one after the other, or it is
   * from a window, whose tracks begin at different times.
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

  /** It happens. Tells who may go on: those that wait for a key, or all. */
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
      return; // of the time before
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
              p.anyEpoch ? -1 : e.epoch(); // to the monitor, unless who stopped the world took it
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
