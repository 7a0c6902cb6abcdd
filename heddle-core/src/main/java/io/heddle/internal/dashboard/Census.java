package io.heddle.internal.dashboard;

import io.heddle.internal.base.JsonWriter;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.GoroutineState;
import io.heddle.internal.sched.Sched;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts all goroutines by state, wait reason and label, and lists some waiting goroutines of each
 * reason and some runnable goroutines. A census is one pass over all goroutines and takes
 * O(goroutines) time.
 */
final class Census {
  /**
   * The largest number of goroutines in each list: the list of each wait reason, and the list of
   * runnable goroutines.
   */
  private static final int MAX_SHOWN = 60;

  /**
   * The largest number of labels counted separately; goroutines with other labels are counted as
   * {@link #OTHERS}.
   */
  private static final int MAX_LABELS = 200;

  private static final String OTHERS = "others";

  /**
   * The largest number of stacks that one census reads to find wait reasons. Reading 200 stacks
   * takes 1 to 2 ms.
   */
  private static final int MAX_STACKS = 200;

  // The counts by state, by wait reason and by label. Then the lists of waiting goroutines, by wait
  // reason, and the list of runnable goroutines.
  private final Map<GoroutineState, Integer> states = new EnumMap<>(GoroutineState.class);
  private final Map<String, Integer> reasons = new TreeMap<>();
  private final Map<String, Integer> labels = new HashMap<>();
  private final Map<String, List<G>> waiting = new TreeMap<>();
  private final List<G> runnable = new ArrayList<>();
  private final WaitReasonCache.Round round;

  private Census(WaitReasonCache reasons) {
    this.round = reasons.round(MAX_STACKS);
  }

  static Census of(Sched sched, WaitReasonCache reasons) {
    Census census = new Census(reasons);
    sched.registry().forEach(census::count);
    return census;
  }

  private void count(G g) {
    GoroutineState state = g.goroutineState();
    states.merge(state, 1, Integer::sum);
    String label = GoroutineLabel.of(g);
    labels.merge(
        labels.size() < MAX_LABELS || labels.containsKey(label) ? label : OTHERS, 1, Integer::sum);
    if (state == GoroutineState.RUNNABLE && runnable.size() < MAX_SHOWN) {
      runnable.add(g);
    } else if (state == GoroutineState.WAITING) {
      String reason = round.of(g);
      if (!reason.isEmpty()) {
        reasons.merge(reason, 1, Integer::sum);
        List<G> shown = waiting.computeIfAbsent(reason, _ -> new ArrayList<>());
        if (shown.size() < MAX_SHOWN) {
          shown.add(g);
        }
      }
    }
  }

  String json() {
    JsonWriter json = new JsonWriter().open('{');
    json.key("states").open('{');
    states.forEach((state, n) -> json.field(state.word(), n));
    json.close('}').key("reasons").open('{');
    reasons.forEach(json::field);
    json.close('}').key("labels").open('{');
    labels.forEach(json::field);
    json.close('}');
    GoroutineDots dots = new GoroutineDots(json);
    json.key("waiting").open('{');
    waiting.forEach((reason, some) -> dots.list(reason, some));
    json.close('}');
    dots.list("runnable", runnable);
    dots.writeLabels();
    return json.close('}').toString();
  }
}
