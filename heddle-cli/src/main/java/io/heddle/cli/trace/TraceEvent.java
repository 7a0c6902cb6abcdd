package io.heddle.cli.trace;

import org.jspecify.annotations.Nullable;

/** One thing that happened. {@code a} and {@code b} are as the file has them; the accessors say what they mean. */
public final class TraceEvent {
  final TraceTrack track;
  final EventKind kind;
  final int a;
  final long b;

  /** How often the goroutine had become ready, modulo 2 to the 20th. */
  final int turn;

  /** Where the goroutine was started, the reason, or the name of a thread. */
  final String text;

  final String name;

  /** Since the start of the program, in nanoseconds; a guess between two that are known, unless {@link #exact}. */
  long time;

  final boolean exact;

  /** Told at the end of the trace, where what it follows from need not be in the file. */
  boolean afterCut;

  /** Why it cannot have happened here, if it is told before what it follows from. */
  @Nullable String illegal;

  // Filled in by the merge: how things stood before it.

  /** The goroutine on its M, 0 if none is, or it is not known. */
  long onG;

  /** The P of its M, -1 if it has none, or it is not known. */
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
