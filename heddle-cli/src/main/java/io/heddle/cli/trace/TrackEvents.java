package io.heddle.cli.trace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the events of one track and gives each a time: events between two known times are spread
 * evenly.
 */
public final class TrackEvents implements Iterator<TraceEvent> {
  private static final int HAS_TIME = 0x80;

  // Combined events. SWITCH: a block and a run. HAND_OVER: a ready, a block, and a run of the
  // goroutine made ready.
  private static final int SWITCH = 30;
  private static final int HAND_OVER = 31;
  private static final int MOST_PS = 1023;
  private static final EventKind[] KINDS = EventKind.values();

  /**
   * The writer's clock advances every 250 µs. A gap longer than this is assumed to lie before the
   * next event with a known time.
   */
  private static final long EVEN = 20_000;

  /** The approximate duration of a switch. */
  private static final long STEP = 300;

  private final TraceData data;
  private final TraceTrack track;
  private final Iterator<TraceTrack.Piece> pieces;
  private final ArrayDeque<TraceEvent> ready = new ArrayDeque<>();
  private final ArrayDeque<TraceEvent> decoded = new ArrayDeque<>();
  private @Nullable ByteReader in;
  private boolean afterCut;
  private long time;
  private long lastG;
  private int lastTurn;
  private long known = -1;

  TrackEvents(TraceData data, TraceTrack track) {
    this.data = data;
    this.track = track;
    this.pieces = track.pieces.iterator();
  }

  @Override
  public boolean hasNext() {
    if (ready.isEmpty()) {
      fill();
    }
    return !ready.isEmpty();
  }

  @Override
  public TraceEvent next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return ready.remove();
  }

  /** Decodes up to and including the next event with a known time. */
  private void fill() {
    List<TraceEvent> guessed = new ArrayList<>();
    for (TraceEvent e = decode(); e != null; e = decode()) {
      ready.add(e);
      if (e.exact) {
        spread(guessed, e.time);
        known = e.time;
        return;
      }
      guessed.add(e);
    }
    spread(guessed, Long.MAX_VALUE);
  }

  private void spread(List<TraceEvent> guessed, long until) {
    long from = known < 0 ? (until == Long.MAX_VALUE ? 0 : until) : known;
    long gap = until - from;
    long even = gap / (guessed.size() + 1);
    long step = gap <= EVEN ? even : Math.min(even, STEP);
    for (int i = 0; i < guessed.size(); i++) {
      guessed.get(i).time = from + step * (i + 1);
    }
  }

  private @Nullable TraceEvent decode() {
    if (!decoded.isEmpty()) {
      return decoded.remove();
    }
    try {
      while (in == null || !in.hasMore()) {
        if (!pieces.hasNext()) {
          return null;
        }
        TraceTrack.Piece piece = pieces.next();
        in = new ByteReader(data.bytes, piece.from(), piece.to());
        afterCut = piece.afterCut();
        time = 0;
        lastG = 0;
        lastTurn = 0;
      }
      return decode(in);
    } catch (ByteReader.DamagedException e) {
      data.note(
          "events of " + track + " are malformed and left out from there on: " + e.getMessage());
      in = null;
      while (pieces.hasNext()) {
        pieces.next();
      }
      return null;
    }
  }

  private TraceEvent decode(ByteReader bytes) throws ByteReader.DamagedException {
    int first = bytes.next();
    int number = first & ~HAS_TIME;
    boolean exact = (first & HAS_TIME) != 0;
    if (exact) {
      time += bytes.number();
      if (time < 0) {
        throw new ByteReader.DamagedException("a time goes backwards");
      }
    }
    if (number == SWITCH || number == HAND_OVER) {
      return several(bytes, number == HAND_OVER, exact);
    }
    if (number == 0 || number >= KINDS.length) {
      throw new ByteReader.DamagedException("there is no event of kind " + number);
    }
    EventKind kind = KINDS[number];
    int a = kind.hasA ? bytes.smallNumber(kind.isOfP() ? MOST_PS : 1) : 0;
    if (kind.hasTurn()) {
      lastTurn += (int) bytes.signed();
    }
    long b = 0;
    if (kind.isOfG()) {
      lastG += bytes.signed();
      b = lastG;
    } else if (kind.hasB) {
      b = bytes.number();
    }
    String text = "";
    String name = "";
    switch (kind) {
      case START -> {
        text = data.text(bytes.number());
        name = (a & 1) != 0 ? data.text(bytes.number()) : "";
      }
      case WHO -> text = data.text(bytes.number());
      case BLOCK -> text = data.text(b);
      default -> {}
    }
    return event(kind, a, b, kind.hasTurn() ? lastTurn : 0, text, name, exact);
  }

  private TraceEvent several(ByteReader bytes, boolean isHandOver, boolean exact)
      throws ByteReader.DamagedException {
    long reason = bytes.number();
    lastTurn += (int) bytes.signed();
    lastG += bytes.signed();
    if (isHandOver) {
      decoded.add(event(EventKind.READY, 0, lastG, lastTurn, "", "", exact));
    }
    decoded.add(event(EventKind.BLOCK, 0, reason, 0, data.text(reason), "", exact));
    decoded.add(event(EventKind.RUN, 0, lastG, lastTurn, "", "", exact));
    return decoded.remove();
  }

  private TraceEvent event(
      EventKind kind, int a, long b, int turn, String text, String name, boolean exact) {
    TraceEvent e = new TraceEvent(track, kind, a, b, turn, text, name, time, exact);
    e.afterCut = afterCut;
    return e;
  }
}
