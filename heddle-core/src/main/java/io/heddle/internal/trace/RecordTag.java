package io.heddle.internal.trace;

/** What a file consists of, behind its head. */
final class RecordTag {
  static final int STRING = 1;
  static final int SCHEDULER = 2;
  static final int TRACK = 3;
  static final int EVENTS = 4;

  /** Goroutines that lived when the trace began. */
  static final int LIVING = 5;

  /** When all of those had been listed. */
  static final int SETTLED = 6;

  /** Every track is there up to here; what follows may be there for one and missing for another. */
  static final int CUT = 7;

  /** The end, as opposed to a file that was cut off. */
  static final int END = 8;

  private RecordTag() {}
}
