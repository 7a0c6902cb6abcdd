package io.heddle.internal.trace;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one M does, or the monitor, or threads outside that take turns: noted by whoever does it, at a few nanoseconds
 * an event.
 */
public final class EventTrack {
  /*
   * Time: to ask for it costs as much as ten events, so it is noted before every 32nd only, or before every one where
   * they come seldom: so often that it takes two per cent of the time that passes. What lies between two notes happened
   * between them, in this order. Since a goroutine may compute for long after a quick exchange, whoever writes the
   * events down turns a clock each 250 µs or so, and the first event after that has its time, too.
   *
   * Held back: where goroutines hand over to each other, one is made ready, the one that did so steps off, and the other
   * one runs. That is one word, since words cost: they leave this core's cache again and again. So a ready that needs no
   * time waits in a field for what comes next, and goes to the words as one of its own if that is anything else. It is to
   * be known before anybody else can run that goroutine, so the writer, when it reads all, reads the field, too.
   *   Ordering: the word that tells it is published first (release), then the field is cleared (release), then a chunk may
   *   follow. The writer reads size, field, size (acquire). If the sizes are equal, all that came before what is in the
   *   field has been read; the field then is new, or is told by the last word that was read.
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
  private static final long PAUSE = 4_000;

  private static final int MOST_EVENTS = 32;

  /** Turned by the writer. */
  static volatile int clock;

  /** The time that times are since. */
  static final long BASE = System.nanoTime();

  /** What is thrown away; shared by all, since nobody reads it. */
  private static final EventChunk BIN = new EventChunk();

  private static final VarHandle HELD_BACK;

  static {
    try {
      HELD_BACK = MethodHandles.lookup().findVarHandle(EventTrack.class, "heldBack", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int FULL = EventChunk.WORDS - EventChunk.ROOM;

  final int number;
  private final ChunkPool chunks;
  private final WaitReasonIds reasons;
  private final LongSupplier itsP;

  /** For the writer: where it is. */
  EventChunk reading;

  int read;
  int namesRead;
  int seen;

  /** What it read of {@link #heldBack}, until that is told by a word. */
  long heldBackRead;

  private volatile boolean over;

  // The owner's.
  private EventChunk chunk;
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
  private @Nullable EventChunk binFollows;

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

  /** A ready that is not noted yet, before that block; 0 if there is none. */
  private long heldBack;

  /** {@code itsP}, asked by the owner: the P it has and its epoch, as {@link #has}; or 0. */
  EventTrack(int number, ChunkPool chunks, StringTable strings, LongSupplier itsP) {
    this.number = number;
    this.chunks = chunks;
    this.reasons = new WaitReasonIds(strings);
    this.itsP = itsP;
    this.chunk = new EventChunk();
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
    return EventKind.word(EventKind.HAS_P, p, epoch + 1);
  }

  /** A goroutine is started. */
  public void start(long id, @Nullable Object site, String name) {
    if (names + 2 > EventChunk.NAMES) {
      nextChunk();
    }
    boolean isNamed = !name.isEmpty();
    name(site);
    if (isNamed) {
      name(name);
    }
    add(EventKind.ofG(EventKind.START, isNamed ? 1 : 0, 0, id));
  }

  /** A goroutine is made ready: by the one that runs here, by the M itself, or by the thread that was named. */
  public void ready(long id, int turn) {
    if (id == g && knowsG && isOn()) {
      block(""); // it parked, and found that it need not have
    }
    long word = EventKind.ofG(EventKind.READY, 0, turn, id);
    if (heldBack == 0 && blocked == 0 && size > 0 && needsNoTime() && chunk != BIN) {
      HELD_BACK.setRelease(this, word);
    } else {
      add(word);
    }
  }

  /** The M begins to run a goroutine. */
  public void run(long id, int turn) {
    int reason = blocked - 1;
    if (reason < 0 || reason >= StringTable.COMMON) {
      add(EventKind.ofG(EventKind.RUN, 0, turn, id));
    } else if (heldBack == EventKind.ofG(EventKind.READY, 0, turn, id) && needsNoTime()) {
      left--;
      blocked = 0;
      publish(EventKind.ofG(EventKind.HAND_OVER, reason, turn, id));
      HELD_BACK.setRelease(this, 0L);
      if (size >= FULL) {
        nextChunk();
      }
    } else {
      blocked = 0;
      add(EventKind.ofG(EventKind.SWITCH, reason, turn, id));
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
    blocked = 1 + reasons.idOf(reason);
  }

  private void noteBlock() {
    int reason = blocked - 1;
    blocked = 0;
    add(EventKind.word(EventKind.BLOCK, 0, reason));
    on = false;
  }

  /** It has stepped off, and is ready again, behind all others. */
  public void yielded(long id, int turn) {
    add(EventKind.ofG(EventKind.YIELD, 0, turn, id));
    on = false;
  }

  /** It says that it ends. */
  public void end(long id) {
    add(EventKind.ofG(EventKind.END, 0, 0, id));
    ended = true;
  }

  /** It has stepped off for good. */
  public void done() {
    add(EventKind.word(EventKind.DONE, 0, 0));
    on = false;
  }

  /** The M has a P now. */
  public void own(int p, long epoch) {
    if (parked) {
      parked = false;
      add(EventKind.word(EventKind.UNPARK, 0, 0));
    }
    addNow(EventKind.word(EventKind.OWN, p, epoch));
    this.p = has(p, epoch);
    knowsP = true;
  }

  /** The M gives its P up, or to another M. */
  public void give(int p, long epoch) {
    addNow(EventKind.word(EventKind.GIVE, p, epoch));
    this.p = 0;
    knowsP = true;
  }

  /** The M finds that its P has been taken from it. */
  public void lose(int p, long epoch) {
    add(EventKind.word(EventKind.LOSE, p, epoch));
    this.p = 0;
    knowsP = true;
  }

  /** The monitor takes a P from the M that had it at {@code epoch}. */
  public void retake(int p, long epoch, int reason) {
    addNow(EventKind.word(EventKind.RETAKE, p, (epoch << 3) | reason));
  }

  /** A goroutine comes back from a call, and another M has its old P. */
  public void marked(int p) {
    add(EventKind.word(EventKind.MARKED, p, 0));
  }

  public void call() {
    addNow(EventKind.word(EventKind.CALL, 0, 0));
  }

  public void returned() {
    addNow(EventKind.word(EventKind.RETURN, 0, 0));
  }

  public void steal(int victim, int n) {
    add(EventKind.word(EventKind.STEAL, victim, n));
  }

  /** The monitor asks the M of that P to end the slice. */
  public void preempt(int p) {
    addNow(EventKind.word(EventKind.PREEMPT, p, 0));
  }

  public void timers(long n) {
    add(EventKind.word(EventKind.TIMERS, 0, n));
  }

  /** The network was asked, and so many goroutines can go on. */
  public void poll(long n) {
    add(EventKind.word(EventKind.POLL, 0, n));
  }

  public void spin() {
    add(EventKind.word(EventKind.SPIN, 0, 0));
  }

  public void spun() {
    add(EventKind.word(EventKind.SPUN, 0, 0));
  }

  /** The M is about to sleep; that it is awake again shows when it has a P. */
  public void park() {
    if (!parked) {
      parked = true;
      addNow(EventKind.word(EventKind.PARK, 0, 0));
    }
  }

  /** The world stops. */
  public void stop() {
    addNow(EventKind.word(EventKind.STOP, 0, 0));
  }

  /** There are so many Ps from now on. */
  public void procs(int n) {
    addNow(EventKind.word(EventKind.PROCS, 0, n));
  }

  /** The world goes on. */
  public void goOn() {
    addNow(EventKind.word(EventKind.GO_ON, 0, 0));
  }

  /** What follows is done by the calling thread. */
  void who(Thread thread) {
    if (thread.threadId() != lastThread) {
      if (names + 1 > EventChunk.NAMES) {
        nextChunk();
      }
      lastThread = thread.threadId();
      name(thread.getName());
      add(EventKind.word(EventKind.WHO, 0, lastThread));
    }
  }

  private void addNow(long word) {
    left = 0;
    add(word);
  }

  private void add(long word) {
    if ((heldBack | blocked) != 0) {
      noteHeldBack();
      if (blocked != 0) {
        noteBlock();
      }
    }
    if (--left < 0 || clockSeen != clock) {
      noteTime();
    }
    publish(word);
    if (size >= FULL) {
      nextChunk();
    }
  }

  private void publish(long word) {
    words[size++] = word;
    chunk.sizeRelease(size);
  }

  /** Whether the next event follows one with a time so closely that it needs none. */
  private boolean needsNoTime() {
    return left > 0 && clockSeen == clock;
  }

  /** There is room in the chunk, where there are words already, and no time, since it happened before now. */
  private void noteHeldBack() {
    if (heldBack != 0) {
      publish(heldBack);
      HELD_BACK.setRelease(this, 0L);
    }
  }

  /** For the writer. */
  long heldBackAcquire() {
    return (long) HELD_BACK.getAcquire(this);
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
      words[size++] = EventKind.time(now);
    }
  }

  /** How things stand, at the head of a chunk. */
  private void begin(long now) {
    words[size++] = EventKind.time(now);
    if (lost > 0) {
      words[size++] = EventKind.word(EventKind.LOST, 0, lost);
      lost = 0;
    }
    long has = knowsP ? p : itsP.getAsLong();
    words[size++] = has == 0 ? EventKind.word(EventKind.HAS_P, 0, 0) : has;
    if (knowsG) {
      words[size++] = EventKind.ofG(EventKind.HAS_G, on ? 1 : 0, turn, g);
    }
  }

  private void nextChunk() {
    noteHeldBack();
    EventChunk next = chunks.take();
    if (chunk == BIN) {
      lost += size;
    }
    if (next == null) {
      if (chunk != BIN) {
        binFollows = chunk;
      }
      next = BIN;
    } else {
      EventChunk before = chunk == BIN ? binFollows : chunk;
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
}
