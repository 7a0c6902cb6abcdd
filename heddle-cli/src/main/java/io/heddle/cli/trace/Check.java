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
public record Check(long events, long lost, List<String> errors, List<String> notes) {
  private static final int MOST = 1_000;

  public static Check of(TraceData data) {
    List<Iterator<Event>> all = new ArrayList<>();
    data.tracks().forEach(track -> all.add(data.events(track)));
    return of(data, all);
  }

  static Check of(TraceData data, List<Iterator<Event>> tracks) {
    List<String> errors = new ArrayList<>();
    long[] counts = new long[2];
    Merge.run(
        data,
        tracks,
        new MState(
            e -> {
              counts[0] += e.kind.isEvent() ? 1 : 0;
              counts[1] += e.kind == Kind.LOST ? e.b : 0;
              if (e.illegal != null && errors.size() < MOST) {
                errors.add(e + ": " + e.illegal);
              }
            }));
    return new Check(counts[0], counts[1], List.copyOf(errors), data.notes());
  }

  public boolean isFine() {
    return errors.isEmpty();
  }
}
