package io.heddle.internal.trace;

/** The tags of the records that follow the head of a trace file. */
final class RecordTag {
  static final int STRING = 1;
  static final int SCHEDULER = 2;
  static final int TRACK = 3;
  static final int EVENTS = 4;

  /** The goroutines that were alive when the trace began. */
  static final int LIVING = 5;

  /**
   * The time at which the list of the goroutines that were alive ({@link #LIVING}) was complete.
   */
  static final int SETTLED = 6;

  /**
   * The place in the file up to which the events of every track are complete. After this record
   * some tracks may lack events that other tracks have.
   */
  static final int CUT = 7;

  /** The end of a complete file. A truncated file lacks it. */
  static final int END = 8;

  private RecordTag() {}
}
