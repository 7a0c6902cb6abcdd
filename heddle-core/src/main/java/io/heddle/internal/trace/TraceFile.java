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

/** A file that events are written to. */
public final class TraceFile implements Sink {
  static final byte[] MAGIC = {'H', 'E', 'D', 'T', 'R', 'A', 'C', 'E'};
  static final int VERSION = 1;

  private final Path path;
  private final @Nullable Recording only;
  private final Strings strings;
  private final OutputStream out;
  private final Consumer<IOException> onFailure;
  private final Out scratch = new Out();

  private int stringsWritten;
  private final BitSet tracks = new BitSet();
  private final BitSet schedulers = new BitSet();

  /** {@code only} that one, or all. {@code isWindow}: what came before is not there. */
  TraceFile(
      Path path,
      @Nullable Recording only,
      boolean isWindow,
      Strings strings,
      Consumer<IOException> onFailure)
      throws IOException {
    this.path = path;
    this.only = only;
    this.strings = strings;
    this.onFailure = onFailure;
    this.out = new BufferedOutputStream(Files.newOutputStream(path), 1 << 16);
    long now = System.nanoTime() - Track.BASE;
    scratch.clear().all(MAGIC, MAGIC.length).number(VERSION).number(isWindow ? 1 : 0);
    scratch.number(System.currentTimeMillis() - now / 1_000_000);
    out.write(scratch.toBytes());
  }

  public Path path() {
    return path;
  }

  @Override
  public boolean wants(Recording recording) {
    return only == null || only == recording;
  }

  @Override
  public void events(Recording recording, Recording.Entry entry, byte[] batch) throws IOException {
    define(recording);
    if (!tracks.get(entry.track().number)) {
      tracks.set(entry.track().number);
      scratch.clear().number(entry.track().number).number(recording.number);
      scratch.number(entry.of().number).number(entry.who());
      out.write(scratch.batch(Batch.TRACK));
    }
    defineStrings();
    out.write(batch);
  }

  void define(Recording recording) throws IOException {
    if (!schedulers.get(recording.number)) {
      schedulers.set(recording.number);
      scratch.clear().number(recording.number).text(recording.name).number(recording.procs);
      out.write(scratch.batch(Batch.SCHEDULER));
    }
  }

  /** The strings that batches so far may have used. */
  private void defineStrings() throws IOException {
    for (String text : strings.from(stringsWritten)) {
      scratch.clear().number(stringsWritten++).text(text);
      out.write(scratch.batch(Batch.STRING));
    }
  }

  /** Those that live, and that this is all of them. */
  void living(Recording recording, List<Living> all, Encoder encoder) throws IOException {
    define(recording);
    Out list = new Out().number(recording.number).number(all.size());
    for (Living each : all) {
      list.number(each.id()).number(encoder.idOf(each.site())).number(encoder.idOf(each.name()));
    }
    defineStrings();
    out.write(list.batch(Batch.LIVING));
    scratch.clear().number(recording.number).number(System.nanoTime() - Track.BASE);
    out.write(scratch.batch(Batch.SETTLED));
  }

  void cut() throws IOException {
    out.write(scratch.clear().number(System.nanoTime() - Track.BASE).batch(Batch.CUT));
  }

  void end() throws IOException {
    out.write(scratch.clear().number(System.nanoTime() - Track.BASE).batch(Batch.END));
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
      // it has failed already
    }
  }
}
