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

  Encoder(Strings strings) {
    this.strings = strings;
  }

  /** The words up to {@code to} that have not been read yet, as a batch. */
  byte[] events(Track track, Chunk chunk, int to) {
    out.clear().number(track.number);
    long time = -1;
    long lastTime = 0;
    long lastG = 0;
    for (int i = track.read; i < to; i++) {
      long word = chunk.words[i];
      int kind = Kind.kind(word);
      if (kind == Kind.TIME) {
        time = word;
        continue;
      }
      boolean hasTime = time >= 0;
      int a = Kind.a(word);
      if (kind == Kind.SWITCH) {
        head(Kind.BLOCK, hasTime, time - lastTime);
        out.number(a >> Kind.TURN_BITS);
        lastTime = hasTime ? time : lastTime;
        a &= (1 << Kind.TURN_BITS) - 1;
        kind = Kind.RUN;
      }
      head(kind, hasTime, time - lastTime);
      lastTime = hasTime ? time : lastTime;
      time = -1;
      if (hasA(kind)) {
        out.number(a);
      }
      if (Kind.isOfG(kind)) {
        out.signed(Kind.b(word) - lastG);
        lastG = Kind.b(word);
      } else if (hasB(kind)) {
        out.number(Kind.b(word));
      }
      names(track, chunk, kind, a);
    }
    return out.batch(Batch.EVENTS);
  }

  private void head(int kind, boolean hasTime, long passed) {
    if (hasTime) {
      out.put(kind | HAS_TIME).number(passed);
    } else {
      out.put(kind);
    }
  }

  private void names(Track track, Chunk chunk, int kind, int a) {
    if (kind == Kind.START) {
      out.number(idOf(chunk.names[track.namesRead++]));
      if ((a & 1) != 0) {
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

  private static boolean hasA(int kind) {
    return switch (kind) {
      case Kind.START,
          Kind.READY,
          Kind.RUN,
          Kind.YIELD,
          Kind.OWN,
          Kind.GIVE,
          Kind.LOSE,
          Kind.RETAKE,
          Kind.MARKED,
          Kind.STEAL,
          Kind.PREEMPT,
          Kind.HAS_P,
          Kind.HAS_G ->
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
