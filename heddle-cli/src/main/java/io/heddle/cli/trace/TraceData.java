package io.heddle.cli.trace;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a trace file holds: schedulers, and tracks of events, each in the order in which it happened. */
public final class TraceData {
  final byte[] bytes;

  /** Where it is from. */
  final String file;

  /** What came before is not there: from a flight recorder. */
  final boolean isWindow;

  final long wallClock;
  final Map<Integer, TraceScheduler> schedulers = new LinkedHashMap<>();
  final Map<Integer, TraceTrack> tracks = new LinkedHashMap<>();
  private final Map<Integer, String> strings = new HashMap<>();
  private final List<String> notes = new ArrayList<>();
  boolean ended;

  /** What of it is told; null: all. */
  @Nullable TimeRange part;

  /** From when to when, in nanoseconds since it began. */
  record TimeRange(long from, long to) {}

  TraceData(byte[] bytes, String file, boolean isWindow, long wallClock) {
    this.bytes = bytes;
    this.file = file;
    this.isWindow = isWindow;
    this.wallClock = wallClock;
  }

  /** What a reader of the figures should know: where the file is cut off or damaged. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /** Whether it ends as it should. */
  public boolean isWhole() {
    return ended;
  }

  public Collection<TraceTrack> tracks() {
    return tracks.values();
  }

  public Collection<TraceScheduler> schedulers() {
    return schedulers.values();
  }

  /** The events of a track, read as they are asked for. */
  public TrackEvents events(TraceTrack track) {
    return new TrackEvents(this, track);
  }

  /** From now on only what happened from then to then is told, in nanoseconds since it began. */
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
      throw new ByteReader.DamagedException("names a scheduler that is not there");
    }
    return scheduler;
  }
}
