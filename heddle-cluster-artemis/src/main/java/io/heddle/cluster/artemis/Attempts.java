package io.heddle.cluster.artemis;

import io.heddle.cluster.artemis.HubStore.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How often each frame of a log was handed out. For a log in files this is stored, so that a hub
 * that takes over does not count a repeated delivery as the first. Belongs to the hub's thread.
 *
 * <p>Frames are handed out for the first time in the order of their sequences. So one number tells
 * which were handed out at all: the largest sequence. A frame that is handed out more than once
 * also has a record of its own.
 *
 * <p>The hub writes the records of a round before it sends the frames of that round. So no node has
 * seen a frame for which there is no record.
 */
final class Attempts {
  private final HubStore store;
  private final long log;
  private final boolean isStored;
  private final Map<Long, Count> repeated = new HashMap<>(); // by sequence
  private long largest;
  private long largestWritten;
  private long largestRecord;

  /** The attempts of a frame, and their record. */
  private record Count(int attempts, long record) {}

  Attempts(HubStore store, long log, boolean isStored) {
    this.store = store;
    this.log = log;
    this.isStored = isStored;
  }

  /** Counts that a frame is handed out; returns how often it was, with this time. */
  int next(long sequence) {
    if (sequence > largest) {
      largest = sequence;
      return 1;
    }
    Count before = repeated.get(sequence);
    int attempts = before == null ? 2 : before.attempts() + 1;
    long record = 0;
    if (isStored) {
      record = store.nextId();
      store.add(record, Kind.ATTEMPTS, new Packet(0).add(log).add(sequence).add(attempts));
      delete(before);
    }
    repeated.put(sequence, new Count(attempts, record));
    return attempts;
  }

  private void delete(@Nullable Count count) {
    if (count != null && isStored) {
      store.delete(count.record());
    }
  }

  /** Ends the round: stores which frames were handed out for the first time. */
  void write() {
    if (isStored && largest > largestWritten) {
      long old = largestRecord;
      largestRecord = store.nextId();
      store.add(largestRecord, Kind.HANDED, new Packet(0).add(log).add(largest));
      if (old != 0) {
        store.delete(old);
      }
      largestWritten = largest;
    }
  }

  /** Forgets a frame that is not in the log any more. */
  void forget(long sequence) {
    delete(repeated.remove(sequence));
  }

  /** Forgets all frames: the log is deleted. */
  void clear() {
    repeated.values().forEach(this::delete);
    repeated.clear();
    if (largestRecord != 0) {
      store.delete(largestRecord);
    }
    largestWritten = largest;
  }

  // What was stored. Of several records of one kind, the last counts.

  void restoreHanded(long record, long sequence) {
    if (largestRecord != 0) {
      store.delete(largestRecord);
    }
    largestRecord = record;
    largest = sequence;
    largestWritten = sequence;
  }

  void restoreRepeated(long record, long sequence, int attempts) {
    delete(repeated.put(sequence, new Count(attempts, record)));
  }

  /** Ends the restoration; deletes what belongs to frames that are not there any more. */
  void restored(Set<Long> frames) {
    for (long sequence : List.copyOf(repeated.keySet())) {
      if (!frames.contains(sequence)) {
        forget(sequence);
      }
    }
  }
}
