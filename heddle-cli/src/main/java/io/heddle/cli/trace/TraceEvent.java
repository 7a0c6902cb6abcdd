package io.heddle.cli.trace;

import org.jspecify.annotations.Nullable;

/**
 * One event. {@code a} and {@code b} are the raw values of the file; the accessors interpret them.
 */
public final class TraceEvent {
  final TraceTrack track;
  final EventKind kind;
  final int a;
  final long b;

  /** How often the goroutine has become ready, modulo 2 to the 20th. */
  final int turn;

  /** The goroutine's creation site, the reason to wait, or the name of a thread. */
  final String text;

  final String name;

  /**
   * Nanoseconds since the start of the program; interpolated between two known times unless
   * {@link #exact}.
   */
  long time;

  final boolean exact;

  /**
   * Recorded after the trace was stopped, when the events before it may be missing from the file.
   */
  boolean afterCut;

  /** Why the event is impossible here; null if it is possible. */
  @Nullable String illegal;

  // The state before the event, filled in by MStateTracker.

  /** The goroutine on its M; 0 if there is none or it is unknown. */
  long onG;

  /** The P of its M; -1 if there is none or it is unknown. */
  int p = -1;

  TraceEvent(
      TraceTrack track,
      EventKind kind,
      int a,
      long b,
      int turn,
      String text,
      String name,
      long time,
      boolean exact) {
    this.track = track;
    this.kind = kind;
    this.a = a;
    this.b = b;
    this.turn = turn;
    this.text = text;
    this.name = name;
    this.time = time;
    this.exact = exact;
  }

  public EventKind kind() {
    return kind;
  }

  public long time() {
    return time;
  }

  public TraceTrack track() {
    return track;
  }

  public long g() {
    return b;
  }

  int numberOfP() {
    return a;
  }

  long epoch() {
    return switch (kind) {
      case RETAKE -> b >> 3;
      case HAS_P -> b - 1;
      default -> b;
    };
  }

  @Override
  public String toString() {
    String what =
        switch (kind) {
          case START, READY, RUN, YIELD, END, HAS_G -> " g" + b + " turn " + turn;
          case BLOCK -> " " + text;
          case OWN, GIVE, LOSE, RETAKE, HAS_P -> " P" + a + " epoch " + epoch();
          case MARKED, PREEMPT -> " P" + a;
          case STEAL -> " " + b + " of P" + a;
          case TIMERS, POLL, PROCS, LOST -> " " + b;
          default -> "";
        };
    return "%.3f ms %s: %s%s".formatted(time / 1e6, track, kind, what);
  }
}
