package io.heddle.internal.trace;

import java.util.IdentityHashMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the events of a track as bytes of the trace file. In a track an event is a word of 64
 * bits: see {@link EventKind}. The result is a batch: one record of the file, with events of one
 * track.
 */
final class Encoder {
  /**
   * A flag in the first byte of an encoded event: the time of the event follows in the next bytes.
   */
  private static final int HAS_TIME = 0x80;

  /**
   * The size at which the cache of creation sites is cleared, so that its memory is limited. The
   * cache maps a site to the number of its text, because {@code toString} of a site takes longer
   * than the rest of the encoding. Sites are few, and the same site is usually the same object, so
   * the cache compares by identity.
   */
  private static final int MAX_SITES = 100_000;

  private final StringTable strings;
  private final IdentityHashMap<Object, Integer> sites = new IdentityHashMap<>();
  private final VarintOutput out = new VarintOutput();

  // The values of the previous event in the batch; an event is encoded by its difference to them.
  private long lastTime;
  private long lastG;
  private int lastTurn;

  Encoder(StringTable strings) {
    this.strings = strings;
  }

  /**
   * Encodes the words of {@code chunk} from index {@code track.read} to {@code to}, exclusive, as a
   * batch. After an error the caller can repeat the call, because the fields of {@code track} are
   * restored.
   */
  byte[] events(EventTrack track, EventChunk chunk, int to) {
    long told = track.heldBackRead;
    int names = track.namesRead;
    try {
      return encode(track, chunk, to);
    } catch (Throwable t) {
      track.heldBackRead = told;
      track.namesRead = names;
      throw t;
    }
  }

  private byte[] encode(EventTrack track, EventChunk chunk, int to) {
    begin(track);
    long told = track.heldBackRead;
    // An earlier batch may have written a READY that the owner of the track still held back, in the
    // field EventTrack.heldBack. The owner puts that READY into the chunk later, alone or as a part
    // of a HAND_OVER. The loop drops this second copy: it skips the READY, or writes the HAND_OVER
    // as a SWITCH. If the owner lost the event, there is no second copy.
    track.heldBackRead = 0;
    long time = -1;
    for (int i = track.read; i < to; i++) {
      long word = chunk.words[i];
      int kind = EventKind.kind(word);
      if (kind == EventKind.TIME) {
        time = word;
        continue;
      }
      if (told != 0 && EventKind.saysReady(kind) && EventKind.isSameTurn(word, told)) {
        told = 0;
        if (kind == EventKind.READY) {
          continue;
        }
        kind = EventKind.SWITCH;
      }
      if (EventKind.isOfG(kind)) {
        ofG(kind, word, time);
      } else {
        other(kind, word, time);
      }
      names(track, chunk, kind, EventKind.x(word));
      time = -1;
    }
    return out.batch(RecordTag.EVENTS);
  }

  /**
   * Encodes {@code word}, which the owner of the track holds back and has not yet put into a chunk,
   * as a batch.
   */
  byte[] heldBack(EventTrack track, long word) {
    begin(track);
    ofG(EventKind.kind(word), word, -1);
    return out.batch(RecordTag.EVENTS);
  }

  private void begin(EventTrack track) {
    out.clear().number(track.number);
    lastTime = 0;
    lastG = 0;
    lastTurn = 0;
  }

  private void ofG(int kind, long word, long time) {
    head(kind, time);
    if (hasX(kind)) {
      out.put(EventKind.x(word));
    }
    if (kind != EventKind.START && kind != EventKind.END) {
      out.signed(EventKind.turn(word) - lastTurn);
      lastTurn = EventKind.turn(word);
    }
    out.signed(EventKind.id(word) - lastG);
    lastG = EventKind.id(word);
  }

  private void other(int kind, long word, long time) {
    head(kind, time);
    if (hasA(kind)) {
      out.number(EventKind.a(word));
    }
    if (hasB(kind)) {
      out.number(EventKind.b(word));
    }
  }

  private void head(int kind, long time) {
    if (time < 0) {
      out.put(kind);
    } else {
      out.put(kind | HAS_TIME).number(time - lastTime);
      lastTime = time;
    }
  }

  /**
   * Encodes the names that belong to an event. START has a creation site, and a name if the
   * goroutine has one. WHO has the name of a thread.
   */
  private void names(EventTrack track, EventChunk chunk, int kind, int x) {
    if (kind == EventKind.START) {
      out.number(idOf(chunk.names[track.namesRead++]));
      if (x != 0) {
        out.number(idOf(chunk.names[track.namesRead++]));
      }
    } else if (kind == EventKind.WHO) {
      out.number(idOf(chunk.names[track.namesRead++]));
    }
  }

  /** Returns the number of a name (a String) or a creation site in the string table; 0 for null. */
  int idOf(@Nullable Object name) {
    if (name == null) {
      return 0;
    }
    if (name instanceof String text) {
      return strings.idOf(text);
    }
    if (sites.size() > MAX_SITES) {
      sites.clear();
    }
    return Objects.requireNonNull(
        sites.computeIfAbsent(name, site -> strings.idOf(site.toString())));
  }

  private static boolean hasX(int kind) {
    return switch (kind) {
      case EventKind.START, EventKind.HAS_G, EventKind.SWITCH, EventKind.HAND_OVER -> true;
      default -> false;
    };
  }

  private static boolean hasA(int kind) {
    return switch (kind) {
      case EventKind.OWN,
          EventKind.GIVE,
          EventKind.LOSE,
          EventKind.RETAKE,
          EventKind.MARKED,
          EventKind.STEAL,
          EventKind.PREEMPT,
          EventKind.HAS_P ->
          true;
      default -> false;
    };
  }

  private static boolean hasB(int kind) {
    return switch (kind) {
      case EventKind.BLOCK,
          EventKind.OWN,
          EventKind.GIVE,
          EventKind.LOSE,
          EventKind.RETAKE,
          EventKind.STEAL,
          EventKind.TIMERS,
          EventKind.POLL,
          EventKind.PROCS,
          EventKind.WHO,
          EventKind.HAS_P,
          EventKind.LOST ->
          true;
      default -> false;
    };
  }
}
