package io.heddle.cli.trace;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of a trace file: schedulers, and tracks of events, each track in the order in which
 * its events happened.
 */
public final class TraceData {
  final byte[] bytes;

  /** The name of the file. */
  final String file;

  /** True for the dump of a flight recorder, which lacks the events before its window. */
  final boolean isWindow;

  final long wallClock;
  final Map<Integer, TraceScheduler> schedulers = new LinkedHashMap<>();
  final Map<Integer, TraceTrack> tracks = new LinkedHashMap<>();
  private final Map<Integer, String> strings = new HashMap<>();
  private final List<String> notes = new ArrayList<>();
  boolean ended;

  /** The part that is replayed; null: everything. */
  @Nullable TimeRange part;

  /** A range of times, in nanoseconds since the trace began. */
  record TimeRange(long from, long to) {}

  TraceData(byte[] bytes, String file, boolean isWindow, long wallClock) {
    this.bytes = bytes;
    this.file = file;
    this.isWindow = isWindow;
    this.wallClock = wallClock;
  }

  /** What a reader of the figures must know: where the file is truncated or damaged. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /** Whether the file has its end record. */
  public boolean isWhole() {
    return ended;
  }

  public Collection<TraceTrack> tracks() {
    return tracks.values();
  }

  public Collection<TraceScheduler> schedulers() {
    return schedulers.values();
  }

  /** The events of a track, decoded on demand. */
  public TrackEvents events(TraceTrack track) {
    return new TrackEvents(this, track);
  }

  /** Restricts the replay to a range of times, in nanoseconds since the trace began. */
  public void select(long from, long to) {
    part = new TimeRange(from, to);
  }

  void note(String note) {
    if (notes.size() < 100) {
      notes.add(note);
    }
  }

  void string(int id, String text) {
    strings.putIfAbsent(id, text);
  }

  String text(long id) {
    return id > Integer.MAX_VALUE ? "?" : strings.getOrDefault((int) id, "?");
  }

  TraceScheduler scheduler(ByteReader in) throws ByteReader.DamagedException {
    TraceScheduler scheduler = schedulers.get(in.smallNumber(Integer.MAX_VALUE));
    if (scheduler == null) {
      throw new ByteReader.DamagedException("names an unknown scheduler");
    }
    return scheduler;
  }
}
