package io.heddle.cli.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Brings the events of all tracks into one order in which each follows from those before it. */
public final class Merge {
  /*
   * By time, which is a guess to some microseconds; an event that cannot have happened yet waits, and with it its track,
   * until another track has brought what it follows from: that a goroutine has become ready for the same turn, or that a
   * P is free. If nothing can go on, or it has waited for longer than any guess is wrong, it is let through, marked as
   * illegal, unless something is known to be missing there.
   */
  private static final long PATIENCE = 1_000_000_000L;

  /** In a window, much of what is waited for is not there. */
  private static final long SHORT_PATIENCE = 1_000_000;

  /** A track, and its next event. */
  private static final class Cursor {
    final Iterator<Event> rest;
    Event head;

    @Nullable Object waitsFor;

    Cursor(Iterator<Event> rest) {
      this.rest = rest;
      this.head = rest.next();
    }
  }

  private static final Comparator<Cursor> BY_TIME =
      Comparator.<Cursor>comparingLong(c -> c.head.time)
          .thenComparing(c -> c.head.kind)
          .thenComparingInt(c -> c.head.track.number);

  private final Gate gate;
  private final boolean isStrict;
  private final long patience;
  private final PriorityQueue<Cursor> ready = new PriorityQueue<>(BY_TIME);
  private final PriorityQueue<Cursor> waiting = new PriorityQueue<>(BY_TIME);
  private final Map<Object, List<Cursor>> waitersOf = new HashMap<>();
  private long now;

  private Merge(TraceData data) {
    this.gate = new Gate(data);
    this.isStrict = data.ended;
    this.patience = data.isWindow ? SHORT_PATIENCE : PATIENCE;
  }

  /** All of them. */
  public static void run(TraceData data, Consumer<Event> to) {
    List<Iterator<Event>> all = new ArrayList<>();
    data.tracks().forEach(track -> all.add(data.events(track)));
    run(data, all, to);
  }

  /** The same, with the events of each track as they are given. */
  static void run(TraceData data, List<Iterator<Event>> tracks, Consumer<Event> to) {
    Merge merge = new Merge(data);
    for (Iterator<Event> events : tracks) {
      if (events.hasNext()) {
        merge.ready.add(new Cursor(events));
      }
    }
    merge.run(to);
  }

  private void run(Consumer<Event> to) {
    for (; ; ) {
      Cursor late = waiting.peek();
      Cursor next = ready.peek();
      if (late != null && (next == null || next.head.time - late.head.time > patience)) {
        force(late, to);
      } else if (next != null) {
        ready.remove();
        offer(next, to);
      } else {
        return;
      }
    }
  }

  private void offer(Cursor c, Consumer<Event> to) {
    Object blocker = gate.blocks(c.head);
    if (blocker == null) {
      pass(c, to);
      return;
    }
    c.waitsFor = blocker;
    waiting.add(c);
    waitersOf.computeIfAbsent(blocker, _ -> new ArrayList<>()).add(c);
  }

  /** Nothing else can go on. */
  private void force(Cursor c, Consumer<Event> to) {
    waiting.remove(c);
    List<Cursor> others = waitersOf.get(c.waitsFor);
    if (others != null) {
      others.remove(c);
    }
    c.waitsFor = null;
    if (c.head.afterCut || (!isStrict && ready.isEmpty())) {
      return; // the end of the trace: what it follows from is not in the file
    }
    c.head.illegal = gate.whyNot(c.head);
    pass(c, to);
  }

  private void pass(Cursor c, Consumer<Event> to) {
    Event e = c.head;
    now = Math.max(now, e.time);
    e.time = now;
    gate.pass(e, this::wake);
    to.accept(e);
    if (c.rest.hasNext()) {
      c.head = c.rest.next();
      ready.add(c);
    }
  }

  /** Those that wait for {@code key} look again; null: all. */
  private void wake(@Nullable Object key) {
    if (key == null) {
      List.copyOf(waitersOf.keySet()).forEach(this::wake);
      return;
    }
    List<Cursor> waiters = waitersOf.remove(key);
    if (waiters != null) {
      for (Cursor c : waiters) {
        c.waitsFor = null;
        waiting.remove(c);
        ready.add(c);
      }
    }
  }
}
