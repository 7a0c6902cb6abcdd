package io.heddle.internal.trace;

import io.heddle.internal.base.SystemThreadGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The thread that moves events from tracks (see {@link EventTrack}) to files. There is one such
 * thread for all schedulers. Schedulers never wait for this thread; only callers of the public
 * methods of this class wait for it.
 */
public final class TraceWriter {
  /*
   * Polling: the thread reads the tracks every 250 µs, and less often while there are no events.
   * Emitting an event does not wake the thread, because that would cost time in the threads that
   * emit events. At each poll the thread advances the coarse clock (see EventTrack). The thread
   * writes full chunks at once. Four times a second it writes also the chunks that are not full. So
   * the file of a program that was killed lacks at most the last quarter of a second.
   *
   * The end of a file: while the thread reads one track, other tracks get new events. Then the file
   * could contain an event without its cause. For example, a goroutine runs in one track; the event
   * that made it ready is in another track, which was read before. Therefore:
   *   1. Read all tracks.
   *   2. Write the record CUT.
   *   3. Read all tracks again.
   * The cause of each event before the cut happened before step 3, so it is in the file.
   *
   * All fields except the concurrent queues and atomics are owned by the writer thread.
   */
  private static final long MIN_PAUSE_NANOS = 250_000;
  private static final long MAX_PAUSE_NANOS = 10_000_000;
  private static final long FLUSH_INTERVAL_NANOS = 250_000_000;

  /**
   * The largest number of chunks. It limits the events that are not yet written to 64 MB, because a
   * chunk has a little more than 4 KB.
   */
  private static final int MAX_CHUNKS = 14_000;

  /**
   * After this number of polls in a row without a new event, the pause between polls doubles with
   * each poll, up to {@link #MAX_PAUSE_NANOS}.
   */
  private static final int QUIET_POLLS = 50;

  private static final TraceWriter SHARED = new TraceWriter();

  private final StringTable strings = new StringTable();
  private final ChunkPool chunks = new ChunkPool(MAX_CHUNKS);
  private final Encoder encoder = new Encoder(strings);
  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicInteger recordingNumbers = new AtomicInteger();
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean started = new AtomicBoolean();
  private final Thread thread =
      Thread.ofPlatform()
          .group(SystemThreadGroup.newChild())
          .daemon()
          .inheritInheritableThreadLocals(false)
          .name("heddle-trace")
          .unstarted(this::run);

  private final List<Recording> recordings = new ArrayList<>();
  private final List<Sink> sinks = new ArrayList<>();
  private long nextFlush;
  private int quiet; // the number of polls in a row without a new event
  private int ticks;
  private long pause = MIN_PAUSE_NANOS;

  private TraceWriter() {}

  /** Returns the writer of this JVM. */
  public static TraceWriter shared() {
    return SHARED;
  }

  /** Whether {@code thread} is the thread of the writer. */
  public static boolean isIt(Thread thread) {
    return thread == SHARED.thread;
  }

  /**
   * Creates the tracks of a scheduler, which the writer thread reads until {@link #forget}.
   *
   * @param name the name of the scheduler
   * @param procs its number of Ps
   * @param osYield gives the rest of the thread's time slice to another thread of the process; for
   *     spin locks
   */
  public Recording newRecording(String name, int procs, Runnable osYield) {
    Recording recording =
        new Recording(this, recordingNumbers.incrementAndGet(), name, procs, osYield);
    ask(() -> recordings.add(recording));
    return recording;
  }

  /** Reads the rest of a recording that gets no more events, and drops it. */
  public void forget(Recording recording) {
    ask(
        () -> {
          drain(true);
          recordings.remove(recording);
          if (recordings.isEmpty()) {
            chunks.forget();
          }
        });
  }

  /**
   * Opens a file, which gets the events from now on: those of one recording, or those of all.
   *
   * @param only the recording whose events the file gets; null for all recordings
   * @param onFailure called if the file cannot be written; the file then gets no more events
   */
  public TraceFile open(Path path, @Nullable Recording only, Consumer<IOException> onFailure)
      throws IOException {
    TraceFile file = new TraceFile(path, only, false, strings, onFailure);
    ask(
        () -> {
          drain(true);
          sinks.add(file);
        });
    return file;
  }

  /** Writes the goroutines that are alive now to an open file. */
  public void living(TraceFile file, Recording recording, List<LiveGoroutineRecord> living) {
    ask(() -> to(file, () -> file.living(recording, living, encoder)));
  }

  /** Writes the CPU times of the goroutines of a scheduler to an open file. */
  public void cpu(TraceFile file, Recording recording, boolean isExact, List<CpuRecord> all) {
    ask(() -> to(file, () -> file.cpu(recording, isExact, all, encoder)));
  }

  /**
   * Writes the remaining events and closes the file. If writing fails, the file is closed without
   * its end, and its {@code onFailure} is called.
   */
  public void close(TraceFile file) {
    ask(
        () -> {
          drain(true);
          to(file, file::cut);
          drain(true);
          to(file, file::end);
          sinks.remove(file);
        });
  }

  /** Creates a ring that keeps the last seconds in at most {@code bytes}. */
  public FlightRing fly(long bytes) {
    FlightRing ring = new FlightRing(bytes);
    ask(() -> sinks.add(ring));
    return ring;
  }

  /**
   * Writes the contents of the ring to the file {@code path}. The file has this name only when it
   * is complete; until then its name ends with {@code .part}.
   *
   * @throws IOException if the file cannot be written
   */
  public void dump(FlightRing ring, Path path) throws IOException {
    try {
      ask(
          () -> {
            drain(true);
            try {
              Path part = path.resolveSibling(path.getFileName() + ".part");
              TraceFile file = new TraceFile(part, null, true, strings, e -> {});
              long given = ring.given();
              ring.replay(0, file);
              file.cut();
              drain(true);
              ring.replay(given, file);
              file.end();
              Files.move(part, path, StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
              throw new CompletionException(e);
            }
          });
    } catch (CompletionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      throw e;
    }
  }

  EventTrack newTrack(LongSupplier itsP) {
    return new EventTrack(numbers.incrementAndGet(), chunks, strings, itsP);
  }

  private interface Writing {
    void write() throws IOException;
  }

  /** Writes to a sink; if that fails, tells the sink and removes it. */
  private void to(Sink sink, Writing writing) {
    if (!sinks.contains(sink)) {
      return; // the sink has failed earlier
    }
    try {
      writing.write();
    } catch (IOException e) {
      sinks.remove(sink);
      sink.failed(e);
    }
  }

  /**
   * Runs the task on the writer's thread and waits until the task has ended. Failures are rethrown
   * as {@link CompletionException}, except an {@link OutOfMemoryError}, which is rethrown as it is.
   */
  private void ask(Runnable task) {
    CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
    tasks.add(
        () -> {
          try {
            task.run();
            done.complete(null);
          } catch (CompletionException e) {
            done.completeExceptionally(e.getCause() == null ? e : e.getCause());
          } catch (Throwable t) {
            done.completeExceptionally(t);
          }
        });
    if (started.compareAndSet(false, true)) {
      thread.start();
    }
    LockSupport.unpark(thread);
    try {
      done.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof OutOfMemoryError error) {
        throw error;
      }
      throw e;
    }
  }

  private void run() {
    for (; ; ) {
      try {
        step();
      } catch (Throwable t) {
        // For example, there is no memory. Events are lost, the tracks count the lost events, and
        // this thread continues after a pause.
        LockSupport.parkNanos(MAX_PAUSE_NANOS);
      }
    }
  }

  /**
   * Runs the tasks of callers, and then polls all tracks once. If there is no recording, sleeps
   * until a caller adds a task.
   */
  private void step() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
    if (recordings.isEmpty()) {
      LockSupport.park(this);
      return;
    }
    LockSupport.parkNanos(this, pause);
    EventTrack.clock = ++ticks;
    long now = System.nanoTime();
    boolean isTime = now - nextFlush >= 0;
    boolean moved = drain(isTime);
    if (isTime) {
      nextFlush = now + FLUSH_INTERVAL_NANOS;
      for (Sink sink : List.copyOf(sinks)) {
        to(sink, sink::flush);
      }
    }
    quiet = moved ? 0 : quiet + 1;
    pause = quiet < QUIET_POLLS ? MIN_PAUSE_NANOS : Math.min(2 * pause, MAX_PAUSE_NANOS);
  }

  /**
   * Reads the full chunks of all tracks; with {@code everything}, also the chunks that are not
   * full. If the owner of a track has ended, reads the whole rest of that track and removes the
   * track. Returns whether there were new events.
   */
  private boolean drain(boolean everything) {
    boolean moved = false;
    for (Recording recording : recordings) {
      for (Iterator<Recording.OwnedTrack> all = recording.tracks.iterator(); all.hasNext(); ) {
        Recording.OwnedTrack entry = all.next();
        moved |= drain(recording, entry, everything);
        if (entry.track().isOver()) {
          drain(recording, entry, true);
          all.remove();
        }
      }
    }
    return moved;
  }

  /**
   * Reads one track: full chunks, and with {@code all} also its last chunk. Returns whether there
   * were new events.
   */
  private boolean drain(Recording recording, Recording.OwnedTrack entry, boolean all) {
    EventTrack track = entry.track();
    for (; ; ) {
      EventChunk chunk = track.reading;
      EventChunk next = chunk.nextAcquire();
      int size = chunk.sizeAcquire();
      if ((next != null || all) && size > track.read) {
        byte[] batch = encoder.events(track, chunk, size);
        track.read = size; // before write, so that an error loses events but repeats none
        write(recording, entry, batch);
      }
      if (next == null) {
        if (all && !readHeldBack(recording, entry, chunk, size)) {
          continue; // the owner has added events meanwhile
        }
        boolean moved = size != track.seen;
        track.seen = size;
        return moved;
      }
      track.reading = next;
      track.read = 0;
      track.namesRead = 0;
      track.seen = -1;
      chunks.giveBack(chunk);
    }
  }

  /**
   * Reads the READY event that the owner of a track holds back, outside of the chunks. Returns
   * false, and reads nothing, if the owner has added words to the chunk meanwhile: their events
   * happened before the READY, so they must be read first. {@link EventTrack} says why the READY is
   * held back.
   */
  private boolean readHeldBack(
      Recording recording, Recording.OwnedTrack entry, EventChunk chunk, int size) {
    EventTrack track = entry.track();
    long word = track.heldBackAcquire();
    if (chunk.sizeAcquire() != size || chunk.nextAcquire() != null) {
      return false;
    }
    long last = size == 0 ? 0 : chunk.words[size - 1];
    boolean isTold = EventKind.saysReady(EventKind.kind(last)) && EventKind.isSameTurn(last, word);
    if (word != 0 && word != track.heldBackRead && !isTold) {
      write(recording, entry, encoder.heldBack(track, word));
      track.heldBackRead = word;
    }
    return true;
  }

  private void write(Recording recording, Recording.OwnedTrack entry, byte[] batch) {
    for (int i = sinks.size() - 1; i >= 0; i--) {
      Sink sink = sinks.get(i);
      if (sink.wants(recording)) {
        to(sink, () -> sink.events(recording, entry, batch));
      }
    }
  }
}
