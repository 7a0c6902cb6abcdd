package io.heddle.cli.trace;

/**
 * The kinds of events, in the order of their numbers in the file. The file has two further numbers
 * for combined events, see {@link TrackEvents}.
 */
public enum EventKind {
  TIME(false, false),
  START(true, true),
  READY(false, true),
  RUN(false, true),
  BLOCK(false, true),
  YIELD(false, true),
  END(false, true),
  DONE(false, false),
  OWN(true, true),
  GIVE(true, true),
  LOSE(true, true),
  RETAKE(true, true),
  MARKED(true, false),
  CALL(false, false),
  RETURN(false, false),
  STEAL(true, true),
  PREEMPT(true, false),
  TIMERS(false, true),
  POLL(false, true),
  SPIN(false, false),
  SPUN(false, false),
  PARK(false, false),
  UNPARK(false, false),
  STOP(false, false),
  PROCS(false, true),
  GO_ON(false, false),
  WHO(false, true),
  HAS_P(true, true),
  HAS_G(true, true),
  LOST(false, true);

  final boolean hasA;
  final boolean hasB;

  EventKind(boolean hasA, boolean hasB) {
    this.hasA = hasA;
    this.hasB = hasB;
  }

  /** Whether {@code b} is the id of a goroutine. */
  boolean isOfG() {
    return switch (this) {
      case START, READY, RUN, YIELD, END, HAS_G -> true;
      default -> false;
    };
  }

  /** Whether the event carries the goroutine's turn. */
  boolean hasTurn() {
    return isOfG() && this != START && this != END;
  }

  /** Whether the event is about a P, with the number {@code a}. */
  boolean isOfP() {
    return switch (this) {
      case OWN, GIVE, LOSE, RETAKE, MARKED, STEAL, PREEMPT, HAS_P -> true;
      default -> false;
    };
  }

  /** Whether this is an event; the other kinds describe a state, or say what is missing. */
  public boolean isEvent() {
    return switch (this) {
      case TIME, WHO, HAS_P, HAS_G, LOST -> false;
      default -> true;
    };
  }
}
