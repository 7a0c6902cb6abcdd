package io.heddle.internal.trace;

import java.util.IdentityHashMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns words of a track into the bytes of a file. */
final class Encoder {
  /** The bit of the first byte that says that a time follows. */
  private static final int HAS_TIME = 0x80;

  /** Places are few, and each is one object: to print it takes longer than all the rest. */
  private static final int MOST_SITES = 100_000;

  private final Strings strings;
  private final IdentityHashMap<Object, Integer> sites = new IdentityHashMap<>();
  private final Out out = new Out();
  private long lastTime;
  private long lastG;
  private int lastTurn;

  Encoder(Strings strings) {
    this.strings = strings;
  }

  /** The words up to {@code to} that have not been read yet, as a batch. After an error it can be done again. */
  byte[] events(Track track, Chunk chunk, int to) {
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

  private byte[] encode(Track track, Chunk chunk, int to) {
    begin(track);
    long told = track.heldBackRead;
    track.heldBackRead = 0; // the first event tells it, if it is not lost
    long time = -1;
    for (int i = track.read; i < to; i++) {
      long word = chunk.words[i];
      int kind = Kind.kind(word);
      if (kind == Kind.TIME) {
        time = word;
        continue;
      }
      if (told != 0 && Kind.saysReady(kind) && Kind.isSameTurn(word, told)) {
        told = 0;
        if (kind == Kind.READY) {
          continue;
        }
        kind = Kind.SWITCH;
      }
      if (Kind.isOfG(kind)) {
        ofG(kind, word, time);
      } else {
        other(kind, word, time);
      }
      names(track, chunk, kind, Kind.x(word));
      time = -1;
    }
    return out.batch(Batch.EVENTS);
  }

  /** A word that is not among those of a chunk yet, as a batch. */
  byte[] heldBack(Track track, long word) {
    begin(track);
    ofG(Kind.kind(word), word, -1);
    return out.batch(Batch.EVENTS);
  }

  private void begin(Track track) {
    out.clear().number(track.number);
    lastTime = 0;
    lastG = 0;
    lastTurn = 0;
  }

  private void ofG(int kind, long word, long time) {
    head(kind, time);
    if (hasX(kind)) {
      out.put(Kind.x(word));
    }
    if (kind != Kind.START && kind != Kind.END) {
      out.signed(Kind.turn(word) - lastTurn);
      lastTurn = Kind.turn(word);
    }
    out.signed(Kind.id(word) - lastG);
    lastG = Kind.id(word);
  }

  private void other(int kind, long word, long time) {
    head(kind, time);
    if (hasA(kind)) {
      out.number(Kind.a(word));
    }
    if (hasB(kind)) {
      out.number(Kind.b(word));
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

  private void names(Track track, Chunk chunk, int kind, int x) {
    if (kind == Kind.START) {
      out.number(idOf(chunk.names[track.namesRead++]));
      if (x != 0) {
        out.number(idOf(chunk.names[track.namesRead++]));
      }
    } else if (kind == Kind.WHO) {
      out.number(idOf(chunk.names[track.namesRead++]));
    }
  }

  int idOf(@Nullable Object name) {
    if (name == null) {
      return 0;
    }
    if (name instanceof String text) {
      return strings.idOf(text);
    }
    if (sites.size() > MOST_SITES) {
      sites.clear();
    }
    return Objects.requireNonNull(
        sites.computeIfAbsent(name, site -> strings.idOf(site.toString())));
  }

  private static boolean hasX(int kind) {
    return switch (kind) {
      case Kind.START, Kind.HAS_G, Kind.SWITCH, Kind.HAND_OVER -> true;
      default -> false;
    };
  }

  private static boolean hasA(int kind) {
    return switch (kind) {
      case Kind.OWN,
          Kind.GIVE,
          Kind.LOSE,
          Kind.RETAKE,
          Kind.MARKED,
          Kind.STEAL,
          Kind.PREEMPT,
          Kind.HAS_P ->
          true;
      default -> false;
    };
  }

  private static boolean hasB(int kind) {
    return switch (kind) {
      case Kind.BLOCK,
          Kind.OWN,
          Kind.GIVE,
          Kind.LOSE,
          Kind.RETAKE,
          Kind.STEAL,
          Kind.TIMERS,
          Kind.POLL,
          Kind.PROCS,
          Kind.WHO,
          Kind.HAS_P,
          Kind.LOST ->
          true;
      default -> false;
    };
  }
}
