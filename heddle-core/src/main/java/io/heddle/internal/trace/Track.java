package io.heddle.internal.trace;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one M does, or the monitor, or threads outside that take turns: noted by whoever does it, at a few nanoseconds
 * an event.
 */
public final class Track {
  /*
   * Time: to ask for it costs as much as ten events, so it is noted before every 32nd only, or before every one where
   * they come seldom: so often that it takes two per cent of the time that passes. What lies between two notes happened
   * between them, in this order. Since a goroutine may compute for long after a quick exchange, whoever writes the
   * events down turns a clock each 100 µs or so, and the first event after that has its time, too.
   *
   * Losses: the owner never waits. If the writer has not given enough chunks back, events go to the bin, a chunk's worth
   * at a time, and the next one that is kept begins with how many were lost.
   *
   * A chunk begins with the time and how things stand, so that it can be read without those before it.
   *
   * Order between tracks: not by time, which is a guess to a microsecond. A goroutine's events carry its turn, which is
   * counted each time that it becomes ready; those of a P carry its epoch.
   *
   * Who may write: the M, or the goroutine that it carries. That one does not unmount in between, since nothing here
   * parks, and no user's code is called.
   */

  /** How many nanoseconds are to pass from one note of the time to the next: some fifty times what it takes. */
  private static final long PAUSE = 1_500;

  private static final int MOST_EVENTS = 32;

  /** Turned by the writer. */
  static volatile int clock;

  /** The time that times are since. */
  static final long BASE = System.nanoTime();

  /** What is thrown away; shared by all, since nobody reads it. */
  private static final Chunk BIN = new Chunk();

  private static final int REASONS = 16;
  private static final int FULL = Chunk.WORDS - Chunk.ROOM;

  final int number;
  private final Chunks chunks;
  private final Strings strings;
  private final LongSupplier itsP;

  /** For the writer: where it is. */
  Chunk reading;

  int read;
  int namesRead;
  int seen;

  private volatile boolean over;

  // The owner's.
  private Chunk chunk;
  private long[] words;
  private int size;
  private int names;
  private int left;
  private int every = 1;
  private int clockSeen;
  private long lastTime;
  private long lost;
  private long lastThread = -1;

  /** The last chunk that was kept, while what comes is thrown away. */
  private @Nullable Chunk binFollows;

  private @Nullable String lastReason;
  private int lastReasonId;
  private final @Nullable String[] reasons = new String[REASONS];
  private final int[] reasonIds = new int[REASONS];

  // How things stand.
  private long p;
  private boolean knowsP;
  private long g;
  private int turn;
  private boolean on = true;
  private boolean knowsG;
  private boolean ended;
  private boolean parked;

  /** 1 + the reason of a block that is not noted yet: most often it can be noted with the run that follows. */
  private int blocked;

  /** {@code itsP}, asked by the owner: the P it has and its epoch, as {@link #has}; or 0. */
  Track(int number, Chunks chunks, Strings strings, LongSupplier itsP) {
    this.number = number;
    this.chunks = chunks;
    this.strings = strings;
    this.itsP = itsP;
    this.chunk = new Chunk();
    this.reading = chunk;
    this.words = chunk.words;
  }

  /** Its owner ends. */
  public void close() {
    over = true;
  }

  boolean isOver() {
    return over;
  }

  /** A P and its epoch as one number. */
  public static long has(int p, long epoch) {
    return Kind.word(Kind.HAS_P, p, epoch + 1);
  }

  /** A goroutine is started. */
  public void start(long id, @Nullable Object site, String name) {
    if (names + 2 > Chunk.NAMES) {
      nextChunk();
    }
    boolean isNamed = !name.isEmpty();
    name(site);
    if (isNamed) {
      name(name);
    }
    add(Kind.ofG(Kind.START, isNamed ? 1 : 0, 0, id));
  }

  /** A goroutine is made ready: by the one that runs here, by the M itself, or by the thread that was named. */
  public void ready(long id, int turn) {
    if (id == g && knowsG && isOn()) {
      block(""); // it parked, and found that it need not have
    }
    add(Kind.ofG(Kind.READY, 0, turn, id));
  }

  /** The M begins to run a goroutine. */
  public void run(long id, int turn) {
    int reason = blocked - 1;
    if (reason >= 0 && reason < Strings.COMMON) {
      blocked = 0;
      add(Kind.ofG(Kind.SWITCH, reason, turn, id));
    } else {
      add(Kind.ofG(Kind.RUN, 0, turn, id));
    }
    g = id;
    this.turn = turn;
    knowsG = true;
    on = true;
    ended = false;
  }

  /** Whether the goroutine of the last {@link #run} is on the M still, as far as is noted. */
  public boolean isOn() {
    return on && blocked == 0;
  }

  /** Whether that goroutine has said that it ends. */
  public boolean hasEnded() {
    return ended;
  }

  /** The goroutine has stepped off, to wait. On the M's own thread. */
  public void block(String reason) {
    blocked = 1 + idOf(reason);
  }

  private void noteBlock() {
    int reason = blocked - 1;
    blocked = 0;
    add(Kind.word(Kind.BLOCK, 0, reason));
    on = false;
  }

  /** It has stepped off, and is ready again, behind all others. */
  public void yielded(long id, int turn) {
    add(Kind.ofG(Kind.YIELD, 0, turn, id));
    on = false;
  }

  /** It says that it ends. */
  public void end(long id) {
    add(Kind.ofG(Kind.END, 0, 0, id));
    ended = true;
  }

  /** It has stepped off for good. */
  public void done() {
    add(Kind.word(Kind.DONE, 0, 0));
    on = false;
  }

  /** The M has a P now. */
  public void own(int p, long epoch) {
    if (parked) {
      parked = false;
      add(Kind.word(Kind.UNPARK, 0, 0));
    }
    addNow(Kind.word(Kind.OWN, p, epoch));
    this.p = has(p, epoch);
    knowsP = true;
  }

  /** The M gives its P up, or to another M. */
  public void give(int p, long epoch) {
    addNow(Kind.word(Kind.GIVE, p, epoch));
    this.p = 0;
    knowsP = true;
  }

  /** The M finds that its P has been taken from it. */
  public void lose(int p, long epoch) {
    add(Kind.word(Kind.LOSE, p, epoch));
    this.p = 0;
    knowsP = true;
  }

  /** The monitor takes a P from the M that had it at {@code epoch}. */
  public void retake(int p, long epoch, int reason) {
    addNow(Kind.word(Kind.RETAKE, p, (epoch << 3) | reason));
  }

  /** A goroutine comes back from a call, and another M has its old P. */
  public void marked(int p) {
    add(Kind.word(Kind.MARKED, p, 0));
  }

  public void call() {
    addNow(Kind.word(Kind.CALL, 0, 0));
  }

  public void returned() {
    addNow(Kind.word(Kind.RETURN, 0, 0));
  }

  public void steal(int victim, int n) {
    add(Kind.word(Kind.STEAL, victim, n));
  }

  /** The monitor asks the M of that P to end the slice. */
  public void preempt(int p) {
    addNow(Kind.word(Kind.PREEMPT, p, 0));
  }

  public void timers(long n) {
    add(Kind.word(Kind.TIMERS, 0, n));
  }

  /** The network was asked, and so many goroutines can go on. */
  public void poll(long n) {
    add(Kind.word(Kind.POLL, 0, n));
  }

  public void spin() {
    add(Kind.word(Kind.SPIN, 0, 0));
  }

  public void spun() {
    add(Kind.word(Kind.SPUN, 0, 0));
  }

  /** The M is about to sleep; that it is awake again shows when it has a P. */
  public void park() {
    if (!parked) {
      parked = true;
      addNow(Kind.word(Kind.PARK, 0, 0));
    }
  }

  /** The world stops. */
  public void stop() {
    addNow(Kind.word(Kind.STOP, 0, 0));
  }

  /** There are so many Ps from now on. */
  public void procs(int n) {
    addNow(Kind.word(Kind.PROCS, 0, n));
  }

  /** The world goes on. */
  public void goOn() {
    addNow(Kind.word(Kind.GO_ON, 0, 0));
  }

  /** What follows is done by the calling thread. */
  void who(Thread thread) {
    if (thread.threadId() != lastThread) {
      if (names + 1 > Chunk.NAMES) {
        nextChunk();
      }
      lastThread = thread.threadId();
      name(thread.getName());
      add(Kind.word(Kind.WHO, 0, lastThread));
    }
  }

  private void addNow(long word) {
    left = 0;
    add(word);
  }

  private void add(long word) {
    if (blocked != 0) {
      noteBlock();
    }
    if (--left < 0 || clockSeen != clock) {
      noteTime();
    }
    words[size++] = word;
    chunk.sizeRelease(size);
    if (size >= FULL) {
      nextChunk();
    }
  }

  private void noteTime() {
    long now = System.nanoTime() - BASE;
    long passed = now - lastTime;
    if (passed < PAUSE) {
      every = Math.min(2 * every, MOST_EVENTS);
    } else if (passed > 16 * PAUSE) {
      every = 1;
    } else if (passed > 2 * PAUSE) {
      every = Math.max(every / 2, 1);
    }
    lastTime = now;
    left = every - 1;
    clockSeen = clock;
    if (size == 0) {
      begin(now);
    } else {
      words[size++] = Kind.time(now);
    }
  }

  /** How things stand, at the head of a chunk. */
  private void begin(long now) {
    words[size++] = Kind.time(now);
    if (lost > 0) {
      words[size++] = Kind.word(Kind.LOST, 0, lost);
      lost = 0;
    }
    long has = knowsP ? p : itsP.getAsLong();
    words[size++] = has == 0 ? Kind.word(Kind.HAS_P, 0, 0) : has;
    if (knowsG) {
      words[size++] = Kind.ofG(Kind.HAS_G, on ? 1 : 0, turn, g);
    }
  }

  private void nextChunk() {
    Chunk next = chunks.take();
    if (chunk == BIN) {
      lost += size;
    }
    if (next == null) {
      if (chunk != BIN) {
        binFollows = chunk;
      }
      next = BIN;
    } else {
      Chunk before = chunk == BIN ? binFollows : chunk;
      binFollows = null;
      if (before != null) {
        before.nextRelease(next);
      }
    }
    chunk = next;
    words = next.words;
    size = 0;
    names = 0;
    left = 0;
    lastThread = -1;
  }

  private void name(@Nullable Object name) {
    if (chunk != BIN) {
      chunk.names[names++] = name;
    }
  }

  private int idOf(String reason) {
    if (reason == lastReason) {
      return lastReasonId;
    }
    int slot = reason.hashCode() & (REASONS - 1);
    if (reasons[slot] != reason) {
      reasons[slot] = reason;
      reasonIds[slot] = strings.idOf(reason);
    }
    lastReason = reason;
    lastReasonId = reasonIds[slot];
    return lastReasonId;
  }
}
