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

/**
 * Merges the events of all tracks into one order in which each event is possible after the events
 * before it.
 */
public final class EventMerge {
  /*
   * The merge goes by time, which is accurate to some microseconds only. Steps for the earliest
   * event:
   *
   * 1. If the event is not possible yet, its track waits until another track supplies what is
   *    missing: the goroutine became ready for the same turn, or the P became free.
   * 2. If no track can proceed, or the event has waited longer than any time can be wrong
   *    (PATIENCE), it is let through. It is then marked as illegal, unless events are known to be
   *    missing there.
   */
  private static final long PATIENCE = 1_000_000_000L;

  /** In a window many of the awaited events are missing, so waiting is shorter. */
  private static final long SHORT_PATIENCE = 1_000_000;

  /** A track and its next event. */
  private static final class Cursor {
    final Iterator<TraceEvent> rest;
    TraceEvent head;

    @Nullable Object waitsFor;

    Cursor(Iterator<TraceEvent> rest) {
      this.rest = rest;
      this.head = rest.next();
    }
  }

  private static final Comparator<Cursor> BY_TIME =
      Comparator.<Cursor>comparingLong(c -> c.head.time)
          .thenComparing(c -> c.head.kind)
          .thenComparingInt(c -> c.head.track.number);

  private final CausalityGate gate;
  private final boolean isStrict;
  private final long patience;
  private final PriorityQueue<Cursor> ready = new PriorityQueue<>(BY_TIME);
  private final PriorityQueue<Cursor> waiting = new PriorityQueue<>(BY_TIME);
  private final Map<Object, List<Cursor>> waitersOf = new HashMap<>();
  private long now;

  private EventMerge(TraceData data) {
    this.gate = new CausalityGate(data);
    this.isStrict = data.ended;
    this.patience = data.isWindow ? SHORT_PATIENCE : PATIENCE;
  }

  /** Passes all events of {@code data} to {@code to}, in order. */
  public static void run(TraceData data, Consumer<TraceEvent> to) {
    List<Iterator<TraceEvent>> all = new ArrayList<>();
    data.tracks().forEach(track -> all.add(data.events(track)));
    run(data, all, to);
  }

  /** Merges the given events of each track instead of those in {@code data}. */
  static void run(TraceData data, List<Iterator<TraceEvent>> tracks, Consumer<TraceEvent> to) {
    EventMerge merge = new EventMerge(data);
    for (Iterator<TraceEvent> events : tracks) {
      if (events.hasNext()) {
        merge.ready.add(new Cursor(events));
      }
    }
    merge.run(to);
  }

  private void run(Consumer<TraceEvent> to) {
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

  private void offer(Cursor c, Consumer<TraceEvent> to) {
    Object blocker = gate.blocks(c.head);
    if (blocker == null) {
      pass(c, to);
      return;
    }
    c.waitsFor = blocker;
    waiting.add(c);
    waitersOf.computeIfAbsent(blocker, _ -> new ArrayList<>()).add(c);
  }

  /** Lets the event through, or drops it at the end of the trace. */
  private void force(Cursor c, Consumer<TraceEvent> to) {
    waiting.remove(c);
    List<Cursor> others = waitersOf.get(c.waitsFor);
    if (others != null) {
      others.remove(c);
    }
    c.waitsFor = null;
    if (c.head.afterCut || (!isStrict && ready.isEmpty())) {
      return; // the end of the trace: the events before it are not in the file
    }
    c.head.illegal = gate.whyNot(c.head);
    pass(c, to);
  }

  private void pass(Cursor c, Consumer<TraceEvent> to) {
    TraceEvent e = c.head;
    now = Math.max(now, e.time);
    e.time = now;
    gate.pass(e, this::wake);
    to.accept(e);
    if (c.rest.hasNext()) {
      c.head = c.rest.next();
      ready.add(c);
    }
  }

  /** Checks the tracks again that wait for {@code key}; null: all tracks. */
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
