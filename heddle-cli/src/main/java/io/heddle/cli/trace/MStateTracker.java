package io.heddle.cli.trace;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tracks from each M's own track which goroutine and which P it has. Fills that into its events,
 * and marks events that are impossible in that state.
 */
public final class MStateTracker implements Consumer<TraceEvent> {
  /** The state of one M; -1 is unknown unless noted. */
  private static final class MState {
    long g = -1; // 0: none
    boolean ended;
    int p = -2; // -1: none, -2: unknown
    long epoch;
    boolean inCall;
    boolean knowsCall;
    boolean spinning;
    boolean knowsSpin;
    boolean parked;
    boolean knowsPark;
  }

  private final Map<TraceTrack, MState> ms = new HashMap<>();
  private final Consumer<TraceEvent> next;

  public MStateTracker(Consumer<TraceEvent> next) {
    this.next = next;
  }

  @Override
  public void accept(TraceEvent e) {
    if (e.track.owner == TraceTrack.Owner.M) {
      MState m = ms.computeIfAbsent(e.track, _ -> new MState());
      e.onG = Math.max(m.g, 0);
      e.p = Math.max(m.p, -1);
      String wrong = step(m, e);
      if (wrong != null && e.illegal == null) {
        e.illegal = wrong;
      }
    }
    next.accept(e);
  }

  private static @Nullable String step(MState m, TraceEvent e) {
    return switch (e.kind) {
      case RUN -> run(m, e);
      case BLOCK, YIELD, DONE -> stepOff(m, e);
      case END -> end(m, e);
      case OWN -> own(m, e);
      case GIVE, LOSE -> drop(m, e);
      case CALL, RETURN -> call(m, e);
      case SPIN, SPUN -> spin(m, e);
      case PARK, UNPARK -> park(m, e);
      case STEAL, TIMERS ->
          m.p == -1 ? "an M without a P does this" : m.g > 0 ? "the M runs goroutine " + m.g : null;
      case MARKED -> m.g == 0 ? "no goroutine is on the M" : null;
      case HAS_P -> hasP(m, e);
      case HAS_G -> hasG(m, e);
      case LOST -> {
        m.g = -1;
        m.p = -2;
        m.knowsCall = false;
        m.knowsSpin = false;
        m.knowsPark = false;
        yield null;
      }
      default -> null;
    };
  }

  private static @Nullable String run(MState m, TraceEvent e) {
    String wrong =
        m.g > 0
            ? "goroutine " + m.g + " is on the M"
            : m.p == -1
                ? "the M has no P"
                : m.knowsSpin && m.spinning
                    ? "the M spins"
                    : m.knowsPark && m.parked
                        ? "the M sleeps"
                        : m.knowsCall && m.inCall ? "the M is in a call" : null;
    m.g = e.b;
    m.ended = false;
    markAwake(m);
    clearSpinAndCall(m);
    return wrong;
  }

  private static @Nullable String stepOff(MState m, TraceEvent e) {
    String wrong =
        m.g == 0
            ? "no goroutine is on the M"
            : e.kind == EventKind.YIELD && m.g > 0 && m.g != e.b
                ? "goroutine " + m.g + " is on the M"
                : e.kind == EventKind.DONE && m.g > 0 && !m.ended
                    ? "goroutine " + m.g + " has not said that it ends"
                    : m.knowsCall && m.inCall ? "the M is in a call" : null;
    m.g = 0;
    return wrong;
  }

  private static @Nullable String end(MState m, TraceEvent e) {
    String wrong =
        m.g >= 0 && m.g != e.b
            ? (m.g == 0 ? "no goroutine" : "goroutine " + m.g) + " is on the M"
            : m.g > 0 && m.ended ? "it has ended before" : null;
    m.ended = true;
    return wrong;
  }

  private static @Nullable String own(MState m, TraceEvent e) {
    String wrong = m.p >= 0 ? "the M has P" + m.p : m.knowsPark && m.parked ? "the M sleeps" : null;
    m.p = e.a;
    m.epoch = e.epoch();
    markAwake(m);
    return wrong;
  }

  private static void markAwake(MState m) {
    m.parked = false;
    m.knowsPark = true;
  }

  /** Records that the M is neither spinning nor in a call. */
  private static void clearSpinAndCall(MState m) {
    m.spinning = false;
    m.knowsSpin = true;
    m.inCall = false;
    m.knowsCall = true;
  }

  private static @Nullable String drop(MState m, TraceEvent e) {
    String wrong =
        m.p != -2 && (m.p != e.a || m.epoch != e.epoch())
            ? m.p < 0 ? "the M has no P" : "the M has P" + m.p + " at epoch " + m.epoch
            : e.kind == EventKind.GIVE && m.g > 0 && m.knowsCall && !m.inCall
                ? "goroutine " + m.g + " is on the M, and in no call"
                : null;
    m.p = -1;
    return wrong;
  }

  private static @Nullable String call(MState m, TraceEvent e) {
    boolean begins = e.kind == EventKind.CALL;
    String wrong =
        m.knowsCall && m.inCall == begins
            ? "the M is " + (begins ? "in a call already" : "in no call")
            : begins && m.g == 0 ? "no goroutine is on the M" : null;
    m.inCall = begins;
    m.knowsCall = true;
    return wrong;
  }

  private static @Nullable String spin(MState m, TraceEvent e) {
    boolean begins = e.kind == EventKind.SPIN;
    String wrong =
        m.knowsSpin && m.spinning == begins
            ? "the M " + (begins ? "spins already" : "does not spin")
            : begins && m.p == -1 ? "the M has no P" : null;
    m.spinning = begins;
    m.knowsSpin = true;
    return wrong;
  }

  private static @Nullable String park(MState m, TraceEvent e) {
    boolean begins = e.kind == EventKind.PARK;
    String wrong =
        m.knowsPark && m.parked == begins
            ? "the M " + (begins ? "sleeps already" : "does not sleep")
            : begins && m.g > 0
                ? "goroutine " + m.g + " is on the M"
                : begins && m.p >= 0
                    ? "the M has P" + m.p
                    : begins && m.knowsSpin && m.spinning ? "the M spins" : null;
    if (begins) {
      clearSpinAndCall(m);
    }
    m.parked = begins;
    m.knowsPark = true;
    return wrong;
  }

  private static @Nullable String hasP(MState m, TraceEvent e) {
    int p = e.b == 0 ? -1 : e.a;
    String wrong =
        m.p != -2 && (m.p != p || (p >= 0 && m.epoch != e.epoch()))
            ? "the M is known to have P" + m.p + " at epoch " + m.epoch
            : null;
    m.p = p;
    m.epoch = e.epoch();
    return wrong;
  }

  private static @Nullable String hasG(MState m, TraceEvent e) {
    long g = (e.a & 1) != 0 ? e.b : 0;
    String wrong = m.g >= 0 && m.g != g ? "goroutine " + m.g + " is known to be on the M" : null;
    m.g = g;
    return wrong;
  }
}
