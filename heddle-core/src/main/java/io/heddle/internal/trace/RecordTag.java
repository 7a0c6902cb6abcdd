package io.heddle.internal.trace;

/**
 * The tags of the records in a trace file, by which a reader knows what a record contains. See
 * {@code docs/internals/trace-format.md}.
 */
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
   * The place in the file up to which the events of all tracks (the sequences of events of the
   * threads) are complete. After it some tracks may end earlier than others, so that the cause of
   * an event may be missing.
   */
  static final int CUT = 7;

  /** The end of a complete file. A truncated file lacks it. */
  static final int END = 8;

  /** The CPU time that goroutines have used, by creation site and by label. */
  static final int CPU = 9;

  private RecordTag() {}
}
