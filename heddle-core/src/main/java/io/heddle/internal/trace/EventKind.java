package io.heddle.internal.trace;

/**
 * The numbers of the event kinds, in memory and in the file ({@code
 * docs/internals/trace-format.md}), and the layout of an event in memory.
 *
 * <p>An event in memory is one word of 64 bits. From the high to the low bits: the kind, a small
 * number {@code a} (12 bits) and a large number {@code b} (46 bits). For an event of a goroutine:
 * the kind, a very small number {@code x} (5 bits), the turn (20 bits) and the id (33 bits). The
 * turn counts how often the goroutine has become ready.
 */
final class EventKind {
  /**
   * Not an event, but the time of the next event, in nanoseconds since {@link EventTrack#BASE}. The
   * time fills the bits of {@code a} and {@code b} together.
   */
  static final int TIME = 0;

  // Events of goroutines. The turn, which counts how often the goroutine has become ready, orders
  // the events of one goroutine across tracks.
  static final int START = 1;
  static final int READY = 2;
  static final int RUN = 3;
  static final int BLOCK = 4;
  static final int YIELD = 5;
  static final int END = 6;
  static final int DONE = 7;

  // Events of Ps: field a of the word is the number of the P. Field b is the epoch of the P, which
  // counts how often the P was acquired. RETAKE has the epoch shifted by 3 bits, with a reason in
  // the low bits. MARKED has no epoch.
  static final int OWN = 8;
  static final int GIVE = 9;
  static final int LOSE = 10;
  static final int RETAKE = 11;
  static final int MARKED = 12;

  // Other events of an M, of sysmon, or of the whole scheduler. EventTrack has a method for each.
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

  /** The thread that emits the following events, in a track that several threads share. */
  static final int WHO = 26;

  // The first words of a chunk (a piece of a track): the P and the goroutine that the owner of the
  // track has.
  static final int HAS_P = 27;
  static final int HAS_G = 28;

  /** Events were lost at this place of the track; the field {@code b} is about their number. */
  static final int LOST = 29;

  /**
   * The running goroutine blocks for reason number {@code x}, and then the M runs the goroutine
   * whose id is in the word.
   */
  static final int SWITCH = 30;

  /**
   * The running goroutine makes another goroutine ready, and then blocks for reason number {@code
   * x}. Then the M runs the goroutine that was made ready, whose id is in the word.
   */
  static final int HAND_OVER = 31;

  // The widths of the fields in bits. The turn of a goroutine wraps around after at least 0.1 s.
  // The id of a goroutine wraps around after 2^33 goroutines.
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

  /**
   * Whether an event of {@code kind} says that a goroutine became ready. The word of such an event
   * has the turn that began then.
   */
  static boolean saysReady(int kind) {
    return kind == READY || kind == HAND_OVER;
  }

  /** Whether both words have the same goroutine and turn. */
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
    return nanos & ((1L << (A_BITS + B_BITS)) - 1); // the kind TIME is 0, so its bits stay 0
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

  /** Whether an event of {@code kind} has the layout for goroutines: {@code x}, turn and id. */
  static boolean isOfG(int kind) {
    return switch (kind) {
      case START, READY, RUN, YIELD, END, HAS_G, SWITCH, HAND_OVER -> true;
      default -> false;
    };
  }
}
