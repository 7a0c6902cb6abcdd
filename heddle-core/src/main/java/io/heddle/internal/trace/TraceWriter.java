package io.heddle.internal.trace;

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

/** The thread that brings events from tracks to files. One for all schedulers; nobody waits for it but who asks. */
public final class TraceWriter {
  /*
   * It looks at the tracks again and again, since to be woken would cost those that emit: each 250 µs, at which it turns
   * the clock (see Track), and less often while nothing happens. Chunks that are full are written at once, the rest four
   * times a second, so that a program that is killed leaves all but the last moment behind.
   *
   * The end of a file: when one track has been read up to now, others go on. An event that is in the file may follow from
   * one that is not: a goroutine runs here that was made ready there after that was read. So all are read once, then comes
   * the cut, then all are read again: what stands before the cut follows from what is in the file.
   *
   * Everything but the queues is this thread's own.
   */
  private static final long SHORTEST = 250_000;
  private static final long LONGEST = 10_000_000;
  private static final long FLUSH = 250_000_000;

  /** Of 4 KB and a bit each: 64 MB that wait to be written. */
  private static final int MOST_CHUNKS = 14_000;

  /** Looks without an event before the pause gets longer. */
  private static final int PATIENCE = 50;

  private static final TraceWriter SHARED = new TraceWriter();

  private final StringTable strings = new StringTable();
  private final ChunkPool chunks = new ChunkPool(MOST_CHUNKS);
  private final Encoder encoder = new Encoder(strings);
  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicInteger recordingNumbers = new AtomicInteger();
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean started = new AtomicBoolean();
  private final Thread thread =
      Thread.ofPlatform()
          .daemon()
          .inheritInheritableThreadLocals(false)
          .name("heddle-trace")
          .unstarted(this::run);

  private final List<Recording> recordings = new ArrayList<>();
  private final List<Sink> sinks = new ArrayList<>();
  private long nextFlush;
  private int quiet;
  private int ticks;
  private long pause = SHORTEST;

  private TraceWriter() {}

  public static TraceWriter shared() {
    return SHARED;
  }

  /** Whether {@code thread} is the one that writes. */
  public static boolean isIt(Thread thread) {
    return thread == SHARED.thread;
  }

  /** The tracks of a scheduler: kept until {@link #forget}. */
  public Recording newRecording(String name, int procs, Runnable osYield) {
    Recording recording =
        new Recording(this, recordingNumbers.incrementAndGet(), name, procs, osYield);
    ask(() -> recordings.add(recording));
    return recording;
  }

  /** Nothing is emitted to it any more. */
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

  /** Events of {@code only} that one, or of all, go to a new file from now on. {@code onFailure}: no more of them do. */
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

  /** Those that live now, in a file that was opened before. */
  public void living(TraceFile file, Recording recording, List<LiveGoroutineRecord> living) {
    ask(() -> to(file, () -> file.living(recording, living, encoder)));
  }

  /** Writes what there is, and closes the file. */
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

  /** Keeps the last seconds in memory. */
  public FlightRing fly(long bytes) {
    FlightRing ring = new FlightRing(bytes);
    ask(() -> sinks.add(ring));
    return ring;
  }

  /** Writes what the ring holds; the file is there when it is complete. */
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

  private void to(Sink sink, Writing writing) {
    if (!sinks.contains(sink)) {
      return; // it has failed before
    }
    try {
      writing.write();
    } catch (IOException e) {
      sinks.remove(sink);
      sink.failed(e);
    }
  }

  /**
   * Has the writer's thread do it, and waits. Throws what it threw, as a {@link CompletionException}; but that there is no
   * memory concerns the caller as well.
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
        // No memory, say. Events are lost, which is noted where they are, and it goes on.
        LockSupport.parkNanos(LONGEST);
      }
    }
  }

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
      nextFlush = now + FLUSH;
      for (Sink sink : List.copyOf(sinks)) {
        to(sink, sink::flush);
      }
    }
    quiet = moved ? 0 : quiet + 1;
    pause = quiet < PATIENCE ? SHORTEST : Math.min(2 * pause, LONGEST);
  }

  /** Full chunks, or all; returns whether anything was emitted since the last time. */
  private boolean drain(boolean everything) {
    boolean moved = false;
    for (Recording recording : recordings) {
      for (Iterator<Recording.Entry> all = recording.tracks.iterator(); all.hasNext(); ) {
        Recording.Entry entry = all.next();
        moved |= drain(recording, entry, everything);
        if (entry.track().isOver()) {
          drain(recording, entry, true);
          all.remove();
        }
      }
    }
    return moved;
  }

  private boolean drain(Recording recording, Recording.Entry entry, boolean all) {
    EventTrack track = entry.track();
    for (; ; ) {
      EventChunk chunk = track.reading;
      EventChunk next = chunk.nextAcquire();
      int size = chunk.sizeAcquire();
      if ((next != null || all) && size > track.read) {
        byte[] batch = encoder.events(track, chunk, size);
        track.read = size; // before the write: what fails there is lost, and not written twice
        write(recording, entry, batch);
      }
      if (next == null) {
        if (all && !readHeldBack(recording, entry, chunk, size)) {
          continue; // it has gone on in between
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

  /** What the owner of a track holds back; false if there are words before that which have not been read. See Track. */
  private boolean readHeldBack(
      Recording recording, Recording.Entry entry, EventChunk chunk, int size) {
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

  private void write(Recording recording, Recording.Entry entry, byte[] batch) {
    for (int i = sinks.size() - 1; i >= 0; i--) {
      Sink sink = sinks.get(i);
      if (sink.wants(recording)) {
        to(sink, () -> sink.events(recording, entry, batch));
      }
    }
  }
}
