package io.heddle.internal.trace;

/**
 * The events, as numbers: in memory, and in the file ({@code docs/internals/trace-format.md}).
 *
 * <p>An event in memory is one word: the kind, a small number {@code a} and a large one {@code b}; or, if it is about a
 * goroutine, the kind, a very small number {@code x}, the turn and the id.
 */
final class EventKind {
  /** What follows happened then: a time in nanoseconds, in {@code a} and {@code b} together. */
  static final int TIME = 0;

  // Goroutines: b is the id, a its turn, by which those that speak of one goroutine are put in
  // order.
  static final int START = 1;
  static final int READY = 2;
  static final int RUN = 3;
  static final int BLOCK = 4;
  static final int YIELD = 5;
  static final int END = 6;
  static final int DONE = 7;

  // Ps: a is the number, b the epoch.
  static final int OWN = 8;
  static final int GIVE = 9;
  static final int LOSE = 10;
  static final int RETAKE = 11;
  static final int MARKED = 12;

  static final int CALL = 13;
  static final int RETURN = 14;
  static final int STEAL = 15;
  static final int PREEMPT = 16;
  static final int TIMERS = 17;
  static final int POLL = 18;
  static final int SPIN = 19;
  static final int SPUN = 20;
  static final int PARK = 21;
  static final int UNPARK = 22;
  static final int STOP = 23;
  static final int PROCS = 24;
  static final int GO_ON = 25;

  /** Whose events follow, where several share a track. */
  static final int WHO = 26;

  // How things stand where a chunk begins.
  static final int HAS_P = 27;
  static final int HAS_G = 28;

  /** So many events are missing here. */
  static final int LOST = 29;

  /** A block, for the reason whose number is {@code x}, and a run. */
  static final int SWITCH = 30;

  /** A ready, by the one that ran, then a block as above, and a run of the one that was made ready. */
  static final int HAND_OVER = 31;

  // Of a goroutine: as many turns as take a tenth of a second at least, and a few thousand million
  // ids.
  static final int X_BITS = 5;
  private static final int TURN_BITS = 20;
  private static final int ID_BITS = 33;
  static final int A_BITS = 12;
  static final int B_BITS = 46;
  private static final long A_MASK = (1L << A_BITS) - 1;
  private static final long B_MASK = (1L << B_BITS) - 1;

  private EventKind() {}

  static long word(int kind, long a, long b) {
    return ((long) kind << (A_BITS + B_BITS)) | ((a & A_MASK) << B_BITS) | (b & B_MASK);
  }

  static long ofG(int kind, int x, int turn, long id) {
    return ((long) kind << (A_BITS + B_BITS))
        | ((long) x << (TURN_BITS + ID_BITS))
        | ((turn & ((1L << TURN_BITS) - 1)) << ID_BITS)
        | (id & ((1L << ID_BITS) - 1));
  }

  /** Whether a word of {@code kind} says that a goroutine becomes ready for the turn that it names. */
  static boolean saysReady(int kind) {
    return kind == READY || kind == HAND_OVER;
  }

  /** Whether both are about the same turn of the same goroutine. */
  static boolean isSameTurn(long word, long other) {
    return ((word ^ other) & ((1L << (TURN_BITS + ID_BITS)) - 1)) == 0;
  }

  static int x(long word) {
    return (int) (word >>> (TURN_BITS + ID_BITS)) & ((1 << X_BITS) - 1);
  }

  static int turn(long word) {
    return (int) (word >>> ID_BITS) & ((1 << TURN_BITS) - 1);
  }

  static long id(long word) {
    return word & ((1L << ID_BITS) - 1);
  }

  static long time(long nanos) {
    return nanos & ((1L << (A_BITS + B_BITS)) - 1); // TIME is 0
  }

  static int kind(long word) {
    return (int) (word >>> (A_BITS + B_BITS));
  }

  static int a(long word) {
    return (int) ((word >>> B_BITS) & A_MASK);
  }

  static long b(long word) {
    return word & B_MASK;
  }

  /** Whether it is about a goroutine. */
  static boolean isOfG(int kind) {
    return switch (kind) {
      case START, READY, RUN, YIELD, END, HAS_G, SWITCH, HAND_OVER -> true;
      default -> false;
    };
  }
}
