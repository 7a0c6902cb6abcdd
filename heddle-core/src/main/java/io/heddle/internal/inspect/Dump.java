package io.heddle.internal.inspect;

import io.heddle.internal.sched.G;
import io.heddle.internal.sched.GoroutineState;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedCounters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes all goroutines as text in the form of Go's dumps: {@code goroutine 7 [park (Semaphore), 3
 * minutes]:} and the stack.
 */
public final class Dump {
  /** How many goroutines of a group are listed by id at most, so that the line stays short. */
  private static final int MAX_LISTED_IDS = 8;

  private final Sched sched;
  private final Set<G> all = new TreeSet<>(Comparator.comparingLong(G::id));

  private Dump(Sched sched) {
    this.sched = sched;
    sched.registry().forEach(all::add);
  }

  /** The properties that the goroutines of one group have in common. */
  private record StackKind(
      String doing, List<StackTraceElement> stack, @Nullable StackTraceElement site) {}

  /** The goroutines of one kind: their number, the first ids, and the longest wait. */
  private static final class StackGroup {
    final StringBuilder named = new StringBuilder();
    int count;
    long minutes;

    void add(G g) {
      if (++count <= MAX_LISTED_IDS) {
        named.append(' ').append(g.id());
      }
      minutes = Math.max(minutes, minutes(g));
    }
  }

  /** Returns a text with every goroutine of {@code sched}, its state and its stack. */
  public static String of(Sched sched) {
    return new Dump(sched).text();
  }

  /** Returns groups of goroutines with the same state and stack, the largest groups first. */
  public static String grouped(Sched sched) {
    return new Dump(sched).grouped();
  }

  private String text() {
    StringBuilder out = head();
    for (G g : all) {
      write(g, out);
    }
    return out.toString();
  }

  private String grouped() {
    Map<StackKind, StackGroup> groups = new LinkedHashMap<>();
    for (G g : all) {
      groups.computeIfAbsent(kind(g), _ -> new StackGroup()).add(g);
    }
    List<Map.Entry<StackKind, StackGroup>> largestFirst = new ArrayList<>(groups.entrySet());
    largestFirst.sort(Comparator.comparingInt(entry -> -entry.getValue().count));
    StringBuilder out = head();
    largestFirst.forEach(entry -> write(entry.getKey(), entry.getValue(), out));
    return out.toString();
  }

  private StringBuilder head() {
    StringBuilder out = new StringBuilder();
    out.append("scheduler ").append(sched.name()).append(": ").append(all.size());
    out.append(all.size() == 1 ? " goroutine" : " goroutines");
    out.append(", procs=").append(sched.procs());
    out.append(" idleprocs=").append(SchedCounters.of(sched).idleProcs());
    out.append(" threads=").append(SchedCounters.of(sched).threads());
    out.append(" idlethreads=").append(SchedCounters.of(sched).idleThreads());
    out.append(" runqueue=").append(SchedCounters.of(sched).globalQueue()).append('\n');
    return out;
  }

  private static void write(G g, StringBuilder out) {
    out.append("\ngoroutine ").append(g.id());
    String name = g.thread().getName();
    if (!name.isEmpty()) {
      out.append(" \"").append(name).append('"');
    }
    out.append(" [").append(g.doing()).append(age(minutes(g))).append("]:\n");
    write(List.of(g.thread().getStackTrace()), out);
    out.append(g.createdBy());
  }

  private static StackKind kind(G g) {
    return new StackKind(g.doing(), List.of(g.thread().getStackTrace()), g.site());
  }

  private static void write(StackKind kind, StackGroup group, StringBuilder out) {
    out.append('\n').append(group.count);
    out.append(group.count == 1 ? " goroutine [" : " goroutines [");
    out.append(kind.doing()).append(age(group.minutes)).append("]:").append(group.named);
    out.append(group.count > MAX_LISTED_IDS ? " ...\n" : "\n");
    write(kind.stack(), out);
    if (kind.site() != null) {
      out.append("created by ").append(kind.site()).append('\n');
    }
  }

  private static void write(List<StackTraceElement> stack, StringBuilder out) {
    for (StackTraceElement frame : stack) {
      out.append("\tat ").append(frame).append('\n');
    }
  }

  /** Returns for how many minutes {@code g} has waited; 0 if {@code g} does not wait. */
  private static long minutes(G g) {
    return g.goroutineState() == GoroutineState.WAITING
        ? TimeUnit.NANOSECONDS.toMinutes(g.nanosSinceLastRun())
        : 0;
  }

  private static String age(long minutes) {
    if (minutes < 1) {
      return "";
    }
    return minutes == 1 ? ", 1 minute" : ", " + minutes + " minutes";
  }
}
