package io.heddle.cli.trace;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Replays the merged events of a trace and turns them into intervals: which goroutine ran where and
 * when, and how long each one waited for what. Time 0 is the first event of a goroutine, because a
 * program may start its first goroutine late.
 */
public final class TraceReplay implements Consumer<TraceEvent> {
  /**
   * The goroutine ran without a P: in a call marked as blocking, or after its P was taken by force.
   */
  static final int NO_P = -1;

  /** A goroutine, and its current state. */
  public static final class TracedGoroutine {
    final TraceScheduler scheduler;
    final long id;
    String name = "";
    GoroutineFamily family = GoroutineFamily.UNKNOWN;

    // The current state.
    private @Nullable TracedM on;
    private long since;
    private boolean isReady;
    private long readyAt;
    private @Nullable TraceEvent wokenBy;
    private @Nullable String reason;
    private long blockedAt;

    TracedGoroutine(TraceScheduler scheduler, long id) {
      this.scheduler = scheduler;
      this.id = id;
    }

    void identify(String name, String site) {
      this.name = name;
      this.family = GoroutineFamily.of(name, site);
    }

    /** The name, or the family if it has no name. */
    String label() {
      return name.isEmpty() ? family.toString() : name;
    }
  }

  private static final class TracedM {
    final TraceTrack track;
    @Nullable TracedGoroutine g;
    int p = NO_P;
    long since;

    TracedM(TraceTrack track) {
      this.track = track;
    }
  }

  /** Receives intervals in the order in which they end. */
  public interface Listener {
    /**
     * {@code g} ran on that P, or on an M without a P ({@link #NO_P}); {@code then} says what ended
     * the interval.
     */
    default void ran(TracedGoroutine g, TraceTrack m, int p, long from, long to, String then) {}

    /** {@code g} was ready until it ran. {@code by} is the event that made it ready, if known. */
    default void wasReady(
        TracedGoroutine g, long from, long to, @Nullable TraceEvent by, TraceEvent run) {}

    /** {@code g} waited for {@code reason}. */
    default void waited(TracedGoroutine g, String reason, long from, long to) {}

    /** Called for each event, before the intervals that end with it. */
    default void event(TraceEvent e) {}

    /** Called last, with the time range of the replay. */
    default void end(long from, long to) {}
  }

  private record GoroutineKey(TraceScheduler scheduler, long id) {}

  private final Listener to;
  private final Map<GoroutineKey, TracedGoroutine> gs = new HashMap<>();
  private final Map<TraceTrack, TracedM> ms = new HashMap<>();
  private long start = -1;
  private long last;

  private TraceReplay(Listener to) {
    this.to = to;
  }

  public static void replay(TraceData data, Listener to) {
    TraceReplay story =
        new TraceReplay(data.part == null ? to : new TimeRangeFilter(data.part, to));
    EventMerge.run(data, new MStateTracker(story));
    story.end();
  }

  @Override
  public void accept(TraceEvent e) {
    if (start < 0 && e.kind.isOfG()) {
      start = e.time;
    }
    e.time = start < 0 ? 0 : e.time - start;
    last = e.time;
    to.event(e);
    switch (e.kind) {
      case START -> {
        TracedGoroutine g = g(e, e.b);
        g.identify(e.name, e.text);
        ready(g, e);
      }
      case READY -> ready(g(e, e.b), e);
      case YIELD -> {
        off(e, null);
        ready(g(e, e.b), e);
      }
      case RUN -> run(g(e, e.b), e);
      case BLOCK -> off(e, e.text);
      case DONE -> off(e, null);
      case OWN -> toP(e, e.a);
      case GIVE, LOSE -> toP(e, NO_P);
      case RETAKE -> retake(e);
      case HAS_P -> m(e).p = e.b == 0 ? NO_P : e.a;
      default -> {}
    }
  }

  private void ready(TracedGoroutine g, TraceEvent e) {
    if (g.reason != null) {
      to.waited(g, g.reason, g.blockedAt, e.time);
      g.reason = null;
    }
    g.isReady = true;
    g.readyAt = e.time;
    g.wokenBy = e;
  }

  private void run(TracedGoroutine g, TraceEvent e) {
    if (g.isReady) {
      to.wasReady(g, g.readyAt, e.time, g.wokenBy, e);
    }
    g.isReady = false;
    g.reason = null;
    TracedM m = m(e);
    if (g.on != null && g.on != m) {
      close(g.on, g.readyAt, ""); // its previous M has not reported yet that it stepped off
    }
    if (m.g != null) {
      close(m, e.time, "");
    }
    m.g = g;
    m.since = e.time;
    g.on = m;
    g.since = e.time;
  }

  private void off(TraceEvent e, @Nullable String reason) {
    TracedM m = m(e);
    TracedGoroutine g = m.g;
    if (g == null) {
      return;
    }
    boolean isLate = g.isReady && g.readyAt < e.time;
    String then =
        switch (e.kind) {
          case BLOCK -> "waits: " + e.text;
          case DONE -> "ends";
          default -> "yields";
        };
    close(m, isLate ? Math.max(m.since, g.readyAt) : e.time, then);
    if (reason != null && !g.isReady) {
      g.reason = reason;
      g.blockedAt = e.time;
    }
  }

  private void close(TracedM m, long time, String then) {
    TracedGoroutine g = m.g;
    if (g != null) {
      to.ran(g, m.track, m.p, m.since, Math.max(time, m.since), then);
      m.g = null;
      if (g.on == m) {
        g.on = null;
      }
    }
  }

  private void toP(TraceEvent e, int p) {
    TracedM m = m(e);
    change(m, p, e.time);
  }

  private void change(TracedM m, int p, long time) {
    if (m.g != null && m.p != p) {
      to.ran(m.g, m.track, m.p, m.since, time, p == NO_P ? "loses its P" : "gets a P");
      m.since = time;
    }
    m.p = p;
  }

  private void retake(TraceEvent e) {
    for (TracedM m : ms.values()) {
      if (m.track.scheduler == e.track.scheduler && m.p == e.a) {
        change(m, NO_P, e.time);
        return;
      }
    }
  }

  private void end() {
    for (TracedM m : ms.values()) {
      close(m, last, "");
    }
    for (TracedGoroutine g : gs.values()) {
      if (g.reason != null) {
        to.waited(g, g.reason, g.blockedAt, last);
      }
    }
    to.end(0, last);
  }

  private TracedM m(TraceEvent e) {
    return ms.computeIfAbsent(e.track, TracedM::new);
  }

  private TracedGoroutine g(TraceEvent e, long id) {
    TraceScheduler scheduler = e.track.scheduler;
    return gs.computeIfAbsent(new GoroutineKey(scheduler, id), _ -> newG(scheduler, id));
  }

  private static TracedGoroutine newG(TraceScheduler scheduler, long id) {
    TracedGoroutine g = new TracedGoroutine(scheduler, id);
    TraceScheduler.KnownGoroutine known = scheduler.living.get(id);
    if (known != null) {
      g.identify(known.name(), known.site());
    }
    return g;
  }
}
