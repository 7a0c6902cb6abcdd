package io.heddle.internal.trace;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A trace file. It gets the batches of events that this object receives, and before each batch the
 * records that the batch refers to. The format is in {@code docs/internals/trace-format.md}.
 */
public final class TraceFile implements Sink {
  static final byte[] MAGIC = {'H', 'E', 'D', 'T', 'R', 'A', 'C', 'E'};
  static final int VERSION = 2;

  private final Path path;
  private final @Nullable Recording only;
  private final StringTable strings;
  private final OutputStream out;
  private final Consumer<IOException> onFailure;
  private final VarintOutput scratch = new VarintOutput();

  // What the file contains already: the number of strings, and the numbers of tracks and
  // schedulers.
  private int stringsWritten;
  private final BitSet tracks = new BitSet();
  private final BitSet schedulers = new BitSet();

  /**
   * Creates the file and writes its head.
   *
   * @param only the recording whose events the file gets; null for all recordings
   * @param isWindow whether earlier events are missing, as in a dump of the flight recorder
   * @param strings the strings that the batches refer to
   * @param onFailure called after an error; the file then gets no more events
   */
  TraceFile(
      Path path,
      @Nullable Recording only,
      boolean isWindow,
      StringTable strings,
      Consumer<IOException> onFailure)
      throws IOException {
    this.path = path;
    this.only = only;
    this.strings = strings;
    this.onFailure = onFailure;
    this.out = new BufferedOutputStream(Files.newOutputStream(path), 1 << 16);
    long now = System.nanoTime() - EventTrack.BASE;
    scratch.clear().all(MAGIC, MAGIC.length).number(VERSION).number(isWindow ? 1 : 0);
    scratch.number(System.currentTimeMillis() - now / 1_000_000);
    out.write(scratch.toBytes());
  }

  /** Returns the path of the file. */
  public Path path() {
    return path;
  }

  @Override
  public boolean wants(Recording recording) {
    return only == null || only == recording;
  }

  @Override
  public void events(Recording recording, Recording.OwnedTrack entry, byte[] batch)
      throws IOException {
    define(recording);
    if (!tracks.get(entry.track().number)) {
      tracks.set(entry.track().number);
      scratch.clear().number(entry.track().number).number(recording.number);
      scratch.number(entry.of().number).number(entry.ownerNumber());
      out.write(scratch.batch(RecordTag.TRACK));
    }
    defineStrings();
    out.write(batch);
  }

  /** Writes the record of the scheduler, unless the file contains it. */
  void define(Recording recording) throws IOException {
    if (!schedulers.get(recording.number)) {
      schedulers.set(recording.number);
      scratch.clear().number(recording.number).text(recording.name).number(recording.procs);
      out.write(scratch.batch(RecordTag.SCHEDULER));
    }
  }

  /**
   * Writes the strings that are new since the last call, because the next batch may refer to them.
   */
  private void defineStrings() throws IOException {
    for (String text : strings.from(stringsWritten)) {
      scratch.clear().number(stringsWritten++).text(text);
      out.write(scratch.batch(RecordTag.STRING));
    }
  }

  /** Writes the goroutines that are alive, and the time at which this list is complete. */
  void living(Recording recording, List<LiveGoroutineRecord> all, Encoder encoder)
      throws IOException {
    define(recording);
    VarintOutput list = new VarintOutput().number(recording.number).number(all.size());
    for (LiveGoroutineRecord each : all) {
      list.number(each.id()).number(encoder.idOf(each.site())).number(encoder.idOf(each.name()));
    }
    defineStrings();
    out.write(list.batch(RecordTag.LIVING));
    scratch.clear().number(recording.number).number(System.nanoTime() - EventTrack.BASE);
    out.write(scratch.batch(RecordTag.SETTLED));
  }

  /**
   * Writes the CPU times of the goroutines of a scheduler during the trace. {@code isExact} says
   * that they were measured and not sampled.
   */
  void cpu(Recording recording, boolean isExact, List<CpuRecord> all, Encoder encoder)
      throws IOException {
    define(recording);
    VarintOutput list = new VarintOutput().number(recording.number).number(isExact ? 1 : 0);
    list.number(all.size());
    for (CpuRecord each : all) {
      list.number(encoder.idOf(each.by())).number(each.isLabel() ? 1 : 0).number(each.nanos());
    }
    defineStrings();
    out.write(list.batch(RecordTag.CPU));
  }

  /** Writes {@link RecordTag#CUT}. */
  void cut() throws IOException {
    out.write(scratch.clear().number(System.nanoTime() - EventTrack.BASE).batch(RecordTag.CUT));
  }

  /** Writes {@link RecordTag#END} and closes the file. */
  void end() throws IOException {
    out.write(scratch.clear().number(System.nanoTime() - EventTrack.BASE).batch(RecordTag.END));
    out.close();
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  @Override
  public void failed(IOException e) {
    onFailure.accept(e);
    try {
      out.close();
    } catch (IOException _) {
      // ignored: onFailure has reported the error that led to this call
    }
  }
}
