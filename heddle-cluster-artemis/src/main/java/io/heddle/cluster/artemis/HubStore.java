package io.heddle.cluster.artemis;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.activemq.artemis.core.io.nio.NIOSequentialFileFactory;
import org.apache.activemq.artemis.core.journal.RecordInfo;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;

/**
 * The records of a hub, in a journal of Artemis. Changes are collected, and {@link #flush} writes
 * them; then they survive the death of the process. A loss of power may lose what was not yet on
 * the disk, unless the hub was told to wait for the disk.
 *
 * <p>Records are written in the order of the calls, and a crash may cut that order anywhere. So a
 * record that replaces another is added before the other is deleted; the reader of the records then
 * finds both, and takes the one with the larger id.
 *
 * <p>Ids of records are never used again, because they are also the sequences of frames and the
 * revisions of keys. A record holds the first id that was not reserved yet.
 */
final class HubStore {
  /** What a record is. */
  enum Kind {
    // The order is part of the files.
    RESERVED,
    LOG,
    FRAME,
    KEY,
    IDS,
    HANDED,
    ATTEMPTS
  }

  /** A record that was read. */
  record Found(long id, Kind kind, Packet.Reader fields) {}

  /** The largest record. */
  static final int MAX_RECORD_BYTES = 5 << 20;

  private static final int FIELDS_BYTES = 1 << 16;
  private static final int FILE_BYTES = 8 << 20;
  private static final int MIN_FILES = 2;
  private static final int SPARE_FILES = 4;
  private static final int COMPACT_FILES = 6;
  private static final int COMPACT_PERCENT = 30;
  private static final long RESERVED_AT_ONCE = 1 << 16;

  private final JournalImpl journal;
  private final List<Change> changes = new ArrayList<>();
  private long next = 1;
  private long reserved = 1;
  private long reservedRecord;

  @FunctionalInterface
  private interface Change {
    void write(JournalImpl journal, boolean isLast) throws Exception;
  }

  /**
   * Makes a store.
   *
   * @param folder where its files are; they belong to this hub alone
   * @param isForced whether to wait for the disk
   * @param onFailure is told when the files cannot be written any more
   */
  HubStore(Path folder, boolean isForced, Consumer<Throwable> onFailure) {
    NIOSequentialFileFactory files =
        new NIOSequentialFileFactory(
            folder.toFile(),
            false,
            MAX_RECORD_BYTES + FIELDS_BYTES,
            0,
            1,
            false,
            (why, _, _) -> onFailure.accept(why),
            null);
    files.setDatasync(isForced);
    journal =
        new JournalImpl(
            FILE_BYTES,
            MIN_FILES,
            SPARE_FILES,
            COMPACT_FILES,
            COMPACT_PERCENT,
            files,
            "hub",
            "log",
            1);
  }

  /** Reads all records, in the order of their ids. */
  List<Found> start() throws Exception {
    journal.start();
    List<RecordInfo> records = new ArrayList<>();
    long last = journal.load(records, new ArrayList<>(), null).getMaxID();
    List<Found> found = new ArrayList<>();
    List<Long> old = new ArrayList<>();
    for (RecordInfo each : records) {
      Packet.Reader fields = new Packet.Reader(each.data);
      Kind kind = Kind.values()[each.userRecordType];
      if (kind == Kind.RESERVED) {
        reserved = Math.max(reserved, fields.number());
        old.add(each.id);
      } else {
        found.add(new Found(each.id, kind, fields));
      }
    }
    next = Math.max(reserved, last + 1);
    reserved = next;
    long _ = nextId(); // reserves
    old.forEach(this::delete);
    found.sort((one, other) -> Long.compare(one.id(), other.id()));
    return found;
  }

  /** Returns an id that is larger than all before. */
  long nextId() {
    if (next + 1 >= reserved) {
      long old = reservedRecord;
      reserved = next + RESERVED_AT_ONCE;
      reservedRecord = next++;
      add(reservedRecord, Kind.RESERVED, new Packet(0).add(reserved));
      if (old != 0) {
        delete(old);
      }
    }
    return next++;
  }

  @SuppressWarnings("EnumOrdinal") // the order of the kinds is part of the files
  void add(long id, Kind kind, Packet fields) {
    byte[] data = fields.toBytes();
    changes.add((to, isLast) -> to.appendAddRecord(id, (byte) kind.ordinal(), data, isLast));
  }

  /** Adds a record before all changes that are not written yet. */
  void addFirst(long id, Kind kind, Packet fields) {
    add(id, kind, fields);
    changes.addFirst(changes.removeLast());
  }

  void delete(long id) {
    changes.add((to, isLast) -> to.appendDeleteRecord(id, isLast));
  }

  /** Writes the changes and waits for the last: those before it are written then, too. */
  void flush() throws Exception {
    for (int i = 0; i < changes.size(); i++) {
      changes.get(i).write(journal, i == changes.size() - 1);
    }
    changes.clear();
  }

  void stop() throws Exception {
    journal.stop();
  }
}
