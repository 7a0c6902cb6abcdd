package io.heddle.cli.trace;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Whether every event of a trace can have happened where it is told.
 *
 * @param events how many there were
 * @param lost how many are known to be missing; what follows from those is not held against it
 * @param errors what cannot be, the first thousand
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
