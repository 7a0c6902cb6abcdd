package io.heddle.cli.trace;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The result of checking that every event of a trace is possible at its place.
 *
 * @param events how many events the trace has
 * @param lost how many events are known to be missing; what follows from them is not an error
 * @param errors the impossible events, at most the first thousand
 * @param notes what a reader of the result must know, see {@link TraceData#notes}
 */
public record TraceCheck(long events, long lost, List<String> errors, List<String> notes) {
  private static final int MOST = 1_000;

  public static TraceCheck of(TraceData data) {
    List<Iterator<TraceEvent>> all = new ArrayList<>();
    data.tracks().forEach(track -> all.add(data.events(track)));
    return of(data, all);
  }

  static TraceCheck of(TraceData data, List<Iterator<TraceEvent>> tracks) {
    List<String> errors = new ArrayList<>();
    long[] counts = new long[2];
    EventMerge.run(
        data,
        tracks,
        new MStateTracker(
            e -> {
              counts[0] += e.kind.isEvent() ? 1 : 0;
              counts[1] += e.kind == EventKind.LOST ? e.b : 0;
              if (e.illegal != null && errors.size() < MOST) {
                errors.add(e + ": " + e.illegal);
              }
            }));
    return new TraceCheck(counts[0], counts[1], List.copyOf(errors), data.notes());
  }

  public boolean isFine() {
    return errors.isEmpty();
  }
}
