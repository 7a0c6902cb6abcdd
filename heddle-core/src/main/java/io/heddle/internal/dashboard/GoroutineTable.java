package io.heddle.internal.dashboard;

import io.heddle.internal.base.JsonWriter;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.GoroutineState;
import io.heddle.internal.sched.Sched;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * One page of the goroutines that match a search. It visits all goroutines and keeps only those of
 * the page: O(goroutines) time, O(page) memory.
 */
final class GoroutineTable {
  /**
   * The largest number of stacks that one search reads to find wait reasons. Reading 2000 stacks
   * takes a few milliseconds.
   */
  private static final int MAX_STACKS = 2_000;

  static final int MAX_PAGE_SIZE = 500;
  private static final int MAX_NAME_LENGTH = 200;

  /**
   * A goroutine that matches the search, with its state at the time of the visit.
   *
   * @param key the sort key: the time of the last run if the oldest come first, else 0; rows with
   *     the same key are sorted by the id of the goroutine
   * @param rested the nanoseconds since the goroutine last began to run
   */
  private record Row(G g, long key, String state, long rested) {}

  private final Sched sched;
  private final WaitReasonCache.Round reasons;
  private final @Nullable String state;
  private final @Nullable String reason;
  private final @Nullable String text;
  private final boolean oldestFirst;
  private final int size;
  private final long afterKey; // with afterId: key and id of the last row of the previous page
  private final long afterId;
  private final Map<StackTraceElement, Boolean> sites = new HashMap<>();
  private final PriorityQueue<Row> page =
      new PriorityQueue<>(
          Comparator.comparingLong(Row::key).thenComparingLong(r -> r.g().id()).reversed());
  private int matched;
  private int total;
  private boolean isMore;

  GoroutineTable(Sched sched, WaitReasonCache reasons, Query query) {
    this.sched = sched;
    this.reasons = reasons.round(MAX_STACKS);
    this.state = stateIn(query);
    this.reason = query.text("reason");
    String wanted = query.text("q");
    this.text = wanted == null ? null : wanted.toLowerCase(Locale.ROOT);
    this.oldestFirst = isOldestFirst(query);
    this.size = (int) query.number("size", 1, MAX_PAGE_SIZE, 50);
    String after = query.text("after");
    int colon = after == null ? -1 : after.indexOf(':');
    if (after != null && !after.matches("-?\\d{1,18}:\\d{1,18}")) {
      throw new Query.Wrong(
          "after is \"" + after + "\": allowed is the value of \"next\" of the previous page");
    }
    this.afterKey = after == null ? Long.MIN_VALUE : Long.parseLong(after.substring(0, colon));
    this.afterId = after == null ? -1 : Long.parseLong(after.substring(colon + 1));
  }

  private static @Nullable String stateIn(Query query) {
    String asked = query.text("state");
    if (asked == null) {
      return null;
    }
    for (GoroutineState each : GoroutineState.values()) {
      if (each.word().equals(asked)) {
        return asked;
      }
    }
    throw new Query.Wrong(
        "state is \"" + asked + "\": allowed is runnable, running, waiting, syscall, new or dead");
  }

  private static boolean isOldestFirst(Query query) {
    String sort = query.text("sort");
    if (sort == null || sort.equals("id")) {
      return false;
    }
    if (sort.equals("age")) {
      return true;
    }
    throw new Query.Wrong("sort is \"" + sort + "\": allowed is id or age");
  }

  String json() {
    sched.registry().forEach(this::look);
    List<Row> rows = new ArrayList<>(page);
    rows.sort(Comparator.comparingLong(Row::key).thenComparingLong(r -> r.g().id()));
    JsonWriter json = new JsonWriter().open('{').field("total", total).field("matched", matched);
    json.key("rows").open('[');
    rows.forEach(row -> write(json, row));
    json.close(']');
    Row last = isMore ? rows.getLast() : null;
    json.field("next", last == null ? null : last.key() + ":" + last.g().id());
    return json.close('}').toString();
  }

  private void look(G g) {
    total++;
    String word = g.goroutineState().word();
    if ((state != null && !state.equals(word)) || (text != null && !hasText(g))) {
      return;
    }
    boolean isWaiting = word.equals(GoroutineState.WAITING.word());
    if (reason != null && (!isWaiting || !reason.equals(reasons.of(g)))) {
      return;
    }
    matched++;
    // The key is the time of the goroutine's last run, not the time since that run, because the key
    // must not change between pages.
    long key = oldestFirst ? g.lastRunTick() : 0;
    if (key < afterKey || (key == afterKey && g.id() <= afterId)) {
      return;
    }
    page.add(new Row(g, key, word, g.nanosSinceLastRun()));
    if (page.size() > size) {
      page.remove();
      isMore = true;
    }
  }

  private boolean hasText(G g) {
    String wanted = text;
    if (wanted == null
        || Long.toString(g.id()).equals(wanted)
        || has(g.thread().getName(), wanted)) {
      return true;
    }
    StackTraceElement site = g.site();
    return site != null && sites.computeIfAbsent(site, s -> has(s.toString(), wanted));
  }

  private static boolean has(String name, String wanted) {
    return name.toLowerCase(Locale.ROOT).contains(wanted);
  }

  private void write(JsonWriter json, Row row) {
    G g = row.g();
    json.open('{').field("id", g.id()).field("name", nameOf(g));
    json.field("label", GoroutineLabel.of(g)).field("state", row.state());
    json.field("reason", row.state().equals("waiting") ? reasons.of(g) : "");
    json.field("age", row.rested() / 1_000_000);
    StackTraceElement site = g.site();
    json.field("site", site == null ? null : site.toString());
    json.field("creator", g.creator()).close('}');
  }

  private static String nameOf(G g) {
    String name = g.thread().getName();
    return name.length() <= MAX_NAME_LENGTH ? name : name.substring(0, MAX_NAME_LENGTH) + "…";
  }

  /**
   * Returns all details of the goroutine with the given id as JSON; null if there is no such
   * goroutine.
   */
  static @Nullable String one(Sched sched, long id) {
    List<G> found = new ArrayList<>();
    sched.registry().forEach(g -> addIf(g.id() == id, g, found));
    if (found.isEmpty()) {
      return null;
    }
    G g = found.getFirst();
    JsonWriter json =
        new JsonWriter().open('{').field("id", g.id()).field("name", g.thread().getName());
    json.field("state", g.goroutineState().word()).field("reason", g.reason());
    json.field("age", g.nanosSinceLastRun() / 1_000_000).field("createdBy", g.createdBy().strip());
    json.field("cpu", g.cpuNanos() / 1_000_000).key("labels");
    json.raw(JsonWriter.texts(g.labels().entrySet().stream().map(Object::toString).toList()));
    json.key("stack").open('[');
    for (StackTraceElement frame : g.thread().getStackTrace()) {
      json.value(frame.toString());
    }
    return json.close(']').close('}').toString();
  }

  private static void addIf(boolean wanted, G g, List<G> to) {
    if (wanted) {
      to.add(g);
    }
  }
}
