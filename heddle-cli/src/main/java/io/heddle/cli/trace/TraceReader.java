package io.heddle.cli.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * Reads a trace file. A file that is truncated, or damaged in the middle, is read up to that place,
 * and {@link TraceData#notes} says so.
 */
public final class TraceReader {
  private static final byte[] MAGIC = {'H', 'E', 'D', 'T', 'R', 'A', 'C', 'E'};
  private static final int VERSION = 2;
  private static final int CRC_BYTES = 4;
  private static final int MOST_PROCS = 1024;

  private final byte[] bytes;
  private final TraceData data;

  private TraceReader(byte[] bytes, TraceData data) {
    this.bytes = bytes;
    this.data = data;
  }

  /**
   * Reads a trace file.
   *
   * @throws TraceException if it is not a trace, or has another version
   */
  public static TraceData read(Path file) throws IOException {
    if (Files.size(file) > Integer.MAX_VALUE - 16) {
      throw new TraceException(file + " has more than 2 GB: record a shorter trace");
    }
    return read(Files.readAllBytes(file), file.toString());
  }

  /** Reads the bytes of a trace; {@code name} is for messages. */
  public static TraceData read(byte[] bytes, String name) throws TraceException {
    if (bytes.length == 0) {
      throw new TraceException(name + " is empty: did the program end before it wrote an event?");
    }
    int known = Math.min(bytes.length, MAGIC.length);
    if (!Arrays.equals(bytes, 0, known, MAGIC, 0, known)) {
      throw new TraceException(name + " is not a Heddle trace");
    }
    ByteReader in = new ByteReader(bytes, known, bytes.length);
    try {
      long version = in.number();
      if (version != VERSION) {
        throw new TraceException(
            name + " is a trace of version " + version + "; this heddle reads " + VERSION);
      }
      boolean isWindow = (in.number() & 1) != 0;
      TraceData data = new TraceData(bytes, name, isWindow, in.number());
      new TraceReader(bytes, data).batches(in);
      return data;
    } catch (ByteReader.DamagedException e) {
      throw new TraceException(name + " is truncated within its header: it has no events");
    }
  }

  private void batches(ByteReader in) {
    boolean ended = false;
    boolean cut = false;
    while (in.hasMore() && !ended) {
      int start = in.at();
      try {
        int type = in.next();
        int length = in.smallNumber(Integer.MAX_VALUE);
        if (length > in.left() - CRC_BYTES) {
          throw new ByteReader.DamagedException("ends in the middle of a batch");
        }
        int from = in.at();
        checkCrc(type, from, length);
        ByteReader payload = new ByteReader(bytes, from, from + length);
        switch (type) {
          case 1 -> data.string(payload.smallNumber(1 << 24), payload.text());
          case 2 -> scheduler(payload);
          case 3 -> track(payload);
          case 4 -> events(payload, from + length, cut);
          case 5 -> living(payload);
          case 6 -> data.scheduler(payload).settled = payload.number();
          case 7 -> cut = true;
          case 8 -> ended = true;
          case 9 -> cpu(payload);
          default -> throw new ByteReader.DamagedException("has a batch of type " + type);
        }
        in.skip(length + CRC_BYTES);
      } catch (ByteReader.DamagedException e) {
        data.note(
            "the file %s at byte %d of %d: read up to there"
                .formatted(e.getMessage(), start, bytes.length));
        return;
      }
    }
    data.ended = ended;
    if (!ended) {
      data.note("the file has no end record: the program was killed, or still runs");
    }
  }

  private void checkCrc(int type, int from, int length) throws ByteReader.DamagedException {
    CRC32 crc = new CRC32();
    crc.update(type);
    crc.update(bytes, from, length);
    for (int i = 0; i < CRC_BYTES; i++) {
      if ((byte) (crc.getValue() >>> (8 * i)) != bytes[from + length + i]) {
        throw new ByteReader.DamagedException("is damaged");
      }
    }
  }

  private void scheduler(ByteReader in) throws ByteReader.DamagedException {
    int number = in.smallNumber(Integer.MAX_VALUE);
    String name = in.text();
    data.schedulers.putIfAbsent(
        number, new TraceScheduler(number, name, in.smallNumber(MOST_PROCS)));
  }

  private void track(ByteReader in) throws ByteReader.DamagedException {
    int number = in.smallNumber(Integer.MAX_VALUE);
    TraceScheduler scheduler = data.scheduler(in);
    TraceTrack.Owner of = TraceTrack.Owner.ALL.get(in.smallNumber(TraceTrack.Owner.ALL.size() - 1));
    data.tracks.putIfAbsent(
        number, new TraceTrack(number, scheduler, of, in.smallNumber(Integer.MAX_VALUE)));
  }

  private void events(ByteReader in, int end, boolean cut) throws ByteReader.DamagedException {
    TraceTrack track = data.tracks.get(in.smallNumber(Integer.MAX_VALUE));
    if (track == null) {
      throw new ByteReader.DamagedException("has events of an unknown track");
    }
    track.pieces.add(new TraceTrack.Piece(in.at(), end, cut));
  }

  private void cpu(ByteReader in) throws ByteReader.DamagedException {
    TraceScheduler scheduler = data.scheduler(in);
    scheduler.isCpuExact = in.number() == 1;
    int n = in.smallNumber(in.left());
    for (int i = 0; i < n; i++) {
      String by = data.text(in.number());
      scheduler.cpu.add(new TraceScheduler.CpuUse(by, in.number() == 1, in.number()));
    }
  }

  private void living(ByteReader in) throws ByteReader.DamagedException {
    TraceScheduler scheduler = data.scheduler(in);
    int n = in.smallNumber(in.left());
    for (int i = 0; i < n; i++) {
      long id = in.number();
      String site = data.text(in.number());
      scheduler.living.put(id, new TraceScheduler.KnownGoroutine(site, data.text(in.number())));
    }
  }
}
