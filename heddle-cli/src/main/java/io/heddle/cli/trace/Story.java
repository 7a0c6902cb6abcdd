package io.heddle.cli.trace;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Turns events into what lasts: who ran where from when to when, and who waited for how long and for what. Times begin with
 * the first event of a goroutine: a program may take long to start one.
 */
public final class Story implements Consumer<Event> {
  /** Without a P: in a call that is marked as blocking, or after its P was taken by force. */
  static final int NO_P = -1;

  /** A goroutine. */
  public static final class G {
    final TraceScheduler scheduler;
    final long id;
    String name = "";
    Family family = Family.UNKNOWN;

    // Where it is now.
    private @Nullable M on;
    private long since;
    private boolean isReady;
    private long readyAt;
    private @Nullable Event wokenBy;
    private @Nullable String reason;
    private long blockedAt;

    G(TraceScheduler scheduler, long id) {
      this.scheduler = scheduler;
      this.id = id;
    }

    void is(String name, String site) {
      this.name = name;
      this.family = Family.of(name, site);
    }

    /** By name, or else by place. */
    String label() {
      return name.isEmpty() ? family.toString() : name;
    }
  }

  private static final class M {
    final TraceTrack track;
    @Nullable G g;
    int p = NO_P;
    long since;

    M(TraceTrack track) {
      this.track = track;
    }
  }

  /** Told in the order in which things end. */
  public interface Listener {
    /** {@code g} ran on that P, or on an M without one ({@link #NO_P}), and {@code then} waited, ended, or went on. */
    default void ran(G g, TraceTrack m, int p, long from, long to, String then) {}

    /** {@code g} was ready, and now runs. {@code by}: what made it ready, if that is known. */
    default void wasReady(G g, long from, long to, @Nullable Event by, Event run) {}

    /** {@code g} waited. */
    default void waited(G g, String reason, long from, long to) {}

    /** Each event, before what ends with it. */
    default void event(Event e) {}

    /** All has been told: what happened from then to then. */
    default void end(long from, long to) {}
  }

  private record Key(TraceScheduler scheduler, long id) {}

  private final Listener to;
  private final Map<Key, G> gs = new HashMap<>();
  private final Map<TraceTrack, M> ms = new HashMap<>();
  private long start = -1;
  private long last;

  private Story(Listener to) {
    this.to = to;
  }

  public static void tell(TraceData data, Listener to) {
    Story story = new Story(data.part == null ? to : new Cut(data.part, to));
    Merge.run(data, new MState(story));
    story.end();
  }

  @Override
  public void accept(Event e) {
    if (start < 0 && e.kind.isOfG()) {
      start = e.time;
    }
    e.time = start < 0 ? 0 : e.time - start;
    last = e.time;
    to.event(e);
    switch (e.kind) {
      case START -> {
        G g = g(e, e.b);
        g.is(e.name, e.text);
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

  private void ready(G g, Event e) {
    if (g.reason != null) {
      to.waited(g, g.reason, g.blockedAt, e.time);
      g.reason = null;
    }
    g.isReady = true;
    g.readyAt = e.time;
    g.wokenBy = e;
  }

  private void run(G g, Event e) {
    if (g.isReady) {
      to.wasReady(g, g.readyAt, e.time, g.wokenBy, e);
    }
    g.isReady = false;
    g.reason = null;
    M m = m(e);
    if (g.on != null && g.on != m) {
      close(g.on, g.readyAt, ""); // its last M has not said yet that it has stepped off
    }
    if (m.g != null) {
      close(m, e.time, "");
    }
    m.g = g;
    m.since = e.time;
    g.on = m;
    g.since = e.time;
  }

  private void off(Event e, @Nullable String reason) {
    M m = m(e);
    G g = m.g;
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

  private void close(M m, long time, String then) {
    G g = m.g;
    if (g != null) {
      to.ran(g, m.track, m.p, m.since, Math.max(time, m.since), then);
      m.g = null;
      if (g.on == m) {
        g.on = null;
      }
    }
  }

  private void toP(Event e, int p) {
    M m = m(e);
    change(m, p, e.time);
  }

  private void change(M m, int p, long time) {
    if (m.g != null && m.p != p) {
      to.ran(m.g, m.track, m.p, m.since, time, p == NO_P ? "loses its P" : "gets a P");
      m.since = time;
    }
    m.p = p;
  }

  private void retake(Event e) {
    for (M m : ms.values()) {
      if (m.track.scheduler == e.track.scheduler && m.p == e.a) {
        change(m, NO_P, e.time);
        return;
      }
    }
  }

  private void end() {
    for (M m : ms.values()) {
      close(m, last, "");
    }
    for (G g : gs.values()) {
      if (g.reason != null) {
        to.waited(g, g.reason, g.blockedAt, last);
      }
    }
    to.end(0, last);
  }

  private M m(Event e) {
    return ms.computeIfAbsent(e.track, M::new);
  }

  private G g(Event e, long id) {
    TraceScheduler scheduler = e.track.scheduler;
    return gs.computeIfAbsent(new Key(scheduler, id), _ -> newG(scheduler, id));
  }

  private static G newG(TraceScheduler scheduler, long id) {
    G g = new G(scheduler, id);
    TraceScheduler.Known known = scheduler.living.get(id);
    if (known != null) {
      g.is(known.name(), known.site());
    }
    return g;
  }
}
