package io.heddle.internal.trace;

import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The sequence of events of one owner: an M, sysmon, or foreign threads (other threads that use the
 * scheduler), which take turns. The owner adds events at a cost of a few nanoseconds each, and the
 * thread of {@link TraceWriter} (the writer) reads them.
 *
 * <p>The file is long because each kind of event has a method, whose Javadoc says what has
 * happened. The methods share all fields, and one argument about the owner, the writer and the
 * losses.
 */
public final class EventTrack {
  /*
   * Time: reading the clock costs as much as ten events. So the owner records a time only before
   * one event in N, with N from 1 to 32. N adapts so that reading the clock takes 2 % of the
   * elapsed time. The events between two recorded times happened between those times, in this
   * order. If a goroutine computes for long after a few quick events, the next event may not be the
   * Nth, but must have a time. Therefore the writer advances a coarse clock about every 250 µs, and
   * the first event of a track after that has a time, too.
   *
   * Held-back ready: when goroutine A hands over to goroutine B, there are three events: B becomes
   * ready, A blocks, and B runs. They share one word (HAND_OVER), because each word costs cache
   * misses. So a ready (the event that a goroutine becomes ready) stays in the field heldBack until
   * the next event, if it needs no time. If that event does not complete a hand-over, the ready
   * becomes a word of its own before the word of that event.
   *   The ready must be visible before another thread can run the goroutine. Therefore the writer,
   *   when it reads everything, also reads heldBack.
   *   Owner:  1. Publish the word that contains the ready (release of size).
   *           2. Clear heldBack (release).
   *           3. Perhaps go on to the next chunk.
   *   Writer: read size, heldBack, size (acquire). If both sizes are equal, the writer has read
   *           everything before the held-back ready. The ready is then either new, or contained in
   *           the last word that was read.
   *
   * Losses: the owner never waits. If there is no free chunk, the owner writes its events to the
   * bin, a chunk that no thread reads. When the bin is full, the owner asks for a free chunk again.
   * The next free chunk begins with the number of lost events.
   *
   * A chunk begins with the time and the state of the owner, so it can be read without earlier
   * chunks.
   *
   * Order between tracks: times are accurate only to about a microsecond, so they do not order
   * events. The events of a goroutine carry its turn, which is incremented each time it becomes
   * ready. The events of a P carry its epoch.
   *
   * The threads that write to the track of an M are that M and the goroutine that the M carries.
   * The goroutine is not unmounted during a call, because no method of this class parks or calls
   * user code.
   */

  /**
   * The target interval between two recorded times: about fifty times the cost of reading the
   * clock.
   */
  private static final long TIME_INTERVAL_NANOS = 4_000;

  private static final int MAX_EVENTS_PER_TIME = 32;

  /**
   * The coarse clock, which the writer thread advances. After a change, the next event of a track
   * records a time.
   */
  static volatile int clock;

  /** The origin of all times. */
  static final long BASE = System.nanoTime();

  /**
   * The chunk into which all tracks write the events that are lost. The tracks can share this
   * chunk, because no thread reads it.
   */
  private static final EventChunk BIN = new EventChunk();

  private static final VarHandle HELD_BACK =
      Handles.field(MethodHandles.lookup(), "heldBack", long.class);

  private static final int FULL = EventChunk.WORDS - EventChunk.ROOM;

  final int number;
  private final ChunkPool chunks;
  private final WaitReasonIds reasons;
  private final LongSupplier itsP;

  /**
   * Writer thread: the chunk that this thread reads now. The next three fields are the thread's
   * position in that chunk.
   */
  EventChunk reading;

  int read; // the number of words that are encoded
  int namesRead;
  int seen; // the number of words at the last poll

  /**
   * Writer thread: the last event that this thread read from {@link #heldBack} and wrote to the
   * file; 0 if there is none. The owner later adds the same event to a chunk. The writer thread
   * then skips the event in the chunk, and clears this field.
   */
  long heldBackRead;

  private volatile boolean over;

  // Only the owner of the track accesses the following fields.
  private EventChunk chunk;
  private long[] words;
  private int size;
  private int names;
  private int left; // the number of events until the next recorded time
  private int every = 1; // one event in this number has a time
  private int clockSeen; // the coarse clock at the last recorded time
  private long lastTime;

  /**
   * The number of words that went to the bin and are not yet recorded in a chunk. It stands for the
   * number of lost events. It is not exact, because some words are times, and some words hold
   * several events.
   */
  private long lost;

  private long lastThread = -1; // the id of the foreign thread of the last event

  /**
   * While events go to the bin: the last chunk of this track before the bin. The next free chunk
   * will be linked to it.
   */
  private @Nullable EventChunk binFollows;

  // The state of the owner (its P and its goroutine), which is written at the head of a chunk.
  private long p; // encoded by has; 0 if the owner has no P
  private boolean knowsP; // whether an event has set p
  private long g;
  private int turn;
  private boolean on = true; // whether g is on the M
  private boolean knowsG; // whether an event has set g
  private boolean ended;
  private boolean parked;

  /**
   * 1 + the reason number of a block that is not yet written, or 0 if there is none. The block is
   * kept here, because usually it shares a word with the following run.
   */
  private int blocked;

  /**
   * The word of a held-back ready, which happened before the block in {@link #blocked}; 0 if no
   * ready is held back.
   */
  private long heldBack;

  /**
   * Creates a track. The owner calls {@code itsP} to learn its P and the epoch of that P, encoded
   * by {@link #has}. The result is 0 if the owner has no P.
   */
  EventTrack(int number, ChunkPool chunks, StringTable strings, LongSupplier itsP) {
    this.number = number;
    this.chunks = chunks;
    this.reasons = new WaitReasonIds(strings);
    this.itsP = itsP;
    this.chunk = new EventChunk();
    this.reading = chunk;
    this.words = chunk.words;
  }

  /** Marks this track as complete. Called when the owner of the track ends. */
  public void close() {
    over = true;
  }

  boolean isOver() {
    return over;
  }

  /**
   * Encodes a P and its epoch as a word of kind HAS_P. Its field b is the epoch plus 1, because 0
   * there means that the owner has no P.
   */
  public static long has(int p, long epoch) {
    return EventKind.word(EventKind.HAS_P, p, epoch + 1);
  }

  /**
   * A goroutine is started. {@code site} is the creation site, null if it is not known; {@code
   * name} is empty if there is none.
   */
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

  /**
   * A goroutine is made ready by the running goroutine, by the M, or by the foreign thread of
   * {@link #foreignThread}.
   */
  public void ready(long id, int turn) {
    if (id == g && knowsG && isOn()) {
      block(""); // the goroutine parked, but did not have to wait
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

  /**
   * Whether the goroutine of the last {@link #run} is still on the M, according to the recorded
   * events.
   */
  public boolean isOn() {
    return on && blocked == 0;
  }

  /** Whether {@link #end} was recorded for the goroutine of the last {@link #run}. */
  public boolean hasEnded() {
    return ended;
  }

  /**
   * The goroutine has left the M in order to wait for {@code reason}. Called on the M's own thread.
   */
  public void block(String reason) {
    blocked = 1 + reasons.idOf(reason);
  }

  /** Adds the block that is not yet written as a word of its own. */
  private void addBlock() {
    int reason = blocked - 1;
    blocked = 0;
    add(EventKind.word(EventKind.BLOCK, 0, reason));
    on = false;
  }

  /** The goroutine has yielded: it has left the M and is at the tail of the global queue. */
  public void yielded(long id, int turn) {
    add(EventKind.ofG(EventKind.YIELD, 0, turn, id));
    on = false;
  }

  /** The goroutine is about to end. */
  public void end(long id) {
    add(EventKind.ofG(EventKind.END, 0, 0, id));
    ended = true;
  }

  /** The goroutine has ended and left the M. */
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

  /** The M releases its P, or hands it to another M. */
  public void give(int p, long epoch) {
    addNow(EventKind.word(EventKind.GIVE, p, epoch));
    this.p = 0;
    knowsP = true;
  }

  /** The M finds that its P has been retaken. */
  public void lose(int p, long epoch) {
    add(EventKind.word(EventKind.LOSE, p, epoch));
    this.p = 0;
    knowsP = true;
  }

  /** Sysmon retakes a P from the M that owned it at {@code epoch}. */
  public void retake(int p, long epoch, int reason) {
    addNow(EventKind.word(EventKind.RETAKE, p, (epoch << 3) | reason));
  }

  /**
   * A goroutine returns from a call that was marked as blocking, and another M owns its former P.
   */
  public void marked(int p) {
    add(EventKind.word(EventKind.MARKED, p, 0));
  }

  /** The M enters a blocking call. */
  public void call() {
    addNow(EventKind.word(EventKind.CALL, 0, 0));
  }

  /** The M returns from a blocking call. */
  public void returned() {
    addNow(EventKind.word(EventKind.RETURN, 0, 0));
  }

  /** The M has stolen {@code n} goroutines from the P of number {@code victim}. */
  public void steal(int victim, int n) {
    add(EventKind.word(EventKind.STEAL, victim, n));
  }

  /** Sysmon requests the end of the time slice on a P. */
  public void preempt(int p) {
    addNow(EventKind.word(EventKind.PREEMPT, p, 0));
  }

  /** {@code n} timers have fired. */
  public void timers(long n) {
    add(EventKind.word(EventKind.TIMERS, 0, n));
  }

  /** A network poll has made {@code n} goroutines ready. */
  public void poll(long n) {
    add(EventKind.word(EventKind.POLL, 0, n));
  }

  /** The M begins to spin. */
  public void spin() {
    add(EventKind.word(EventKind.SPIN, 0, 0));
  }

  /** The M stops spinning. */
  public void spun() {
    add(EventKind.word(EventKind.SPUN, 0, 0));
  }

  /** The M is about to sleep. Its wake-up is recorded when the M acquires a P. */
  public void park() {
    if (!parked) {
      parked = true;
      addNow(EventKind.word(EventKind.PARK, 0, 0));
    }
  }

  /** The scheduler stops the world: no M runs a goroutine until {@link #goOn}. */
  public void stop() {
    addNow(EventKind.word(EventKind.STOP, 0, 0));
  }

  /** The number of Ps is {@code n} from now on. */
  public void procs(int n) {
    addNow(EventKind.word(EventKind.PROCS, 0, n));
  }

  /** The scheduler starts the world again, after {@link #stop}. */
  public void goOn() {
    addNow(EventKind.word(EventKind.GO_ON, 0, 0));
  }

  /** The following events are those of the foreign thread {@code thread}. */
  void foreignThread(Thread thread) {
    if (thread.threadId() != lastThread) {
      if (names + 1 > EventChunk.NAMES) {
        nextChunk();
      }
      lastThread = thread.threadId();
      name(thread.getName());
      add(EventKind.word(EventKind.WHO, 0, lastThread));
    }
  }

  /** Adds a word with a time. */
  private void addNow(long word) {
    left = 0;
    add(word);
  }

  /**
   * Adds a word. Before it come the held-back ready and the unwritten block, if there are any, and
   * then a time, if one is due.
   */
  private void add(long word) {
    if ((heldBack | blocked) != 0) {
      addHeldBack();
      if (blocked != 0) {
        addBlock();
      }
    }
    if (--left < 0 || clockSeen != clock) {
      addTime();
    }
    publish(word);
    if (size >= FULL) {
      nextChunk();
    }
  }

  /** Writes a word to the chunk, where the writer can read it from now on. */
  private void publish(long word) {
    words[size++] = word;
    chunk.sizeRelease(size);
  }

  /** Whether the next event may be written without a time of its own. */
  private boolean needsNoTime() {
    return left > 0 && clockSeen == clock;
  }

  /**
   * Adds the held-back ready, if there is one, as its own word, for which the chunk has room. The
   * ready needs no time of its own, because it was held back only while the last recorded time was
   * good enough.
   */
  private void addHeldBack() {
    if (heldBack != 0) {
      publish(heldBack);
      HELD_BACK.setRelease(this, 0L);
    }
  }

  /**
   * Writer thread: returns the word of the ready event that the owner holds back; 0 if there is
   * none. See "Held-back ready" above.
   */
  long heldBackAcquire() {
    return (long) HELD_BACK.getAcquire(this);
  }

  /** Writes the present time to the chunk, and adapts {@link #every}. */
  private void addTime() {
    long now = System.nanoTime() - BASE;
    long passed = now - lastTime;
    if (passed < TIME_INTERVAL_NANOS) {
      every = Math.min(2 * every, MAX_EVENTS_PER_TIME);
    } else if (passed > 16 * TIME_INTERVAL_NANOS) {
      every = 1;
    } else if (passed > 2 * TIME_INTERVAL_NANOS) {
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

  /** Writes the head of a chunk: the time, the number of lost events and the state of the owner. */
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

  /** Continues in the next free chunk, or in the bin if there is none. */
  private void nextChunk() {
    addHeldBack();
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
