package io.heddle.internal.inspect;

import io.heddle.internal.sched.G;
import io.heddle.internal.sched.GoroutineState;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedCounters;
import java.util.ArrayList;
import java.util.Collection;
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
  /** The largest number of ids that are listed for one group, so that the line stays short. */
  private static final int MAX_LISTED_IDS = 8;

  private final String head;

  /** The sections at the end; may be empty. */
  private final String tail;

  private final Set<Subject> all = new TreeSet<>(Comparator.comparingLong(Subject::id));

  private Dump(Sched sched) {
    sched.registry().forEach(g -> all.add(new GSubject(g)));
    this.head = headOf(sched, all.size());
    this.tail = StuckText.of(sched) + Usage.of(sched);
  }

  private Dump(String head, Collection<? extends Subject> subjects) {
    all.addAll(subjects);
    this.head = head;
    this.tail = "";
  }

  /** A goroutine as a dump shows it. */
  public interface Subject {
    long id();

    Thread thread();

    /** Returns why the goroutine waits or, if it does not wait, its state. */
    String doing();

    /** Returns for how many minutes the goroutine has waited; 0 if that is not known. */
    default long minutes() {
      return 0;
    }

    /** Returns where the goroutine was created; null if that is not known. */
    @Nullable StackTraceElement site();

    /** Returns a line about its labels and CPU time; may be empty. */
    default String usage() {
      return "";
    }

    /** Returns the last line of the goroutine's part; may be empty. */
    String createdBy();
  }

  private record GSubject(G g) implements Subject {
    @Override
    public long id() {
      return g.id();
    }

    @Override
    public Thread thread() {
      return g.thread();
    }

    @Override
    public String doing() {
      return g.doing();
    }

    @Override
    public long minutes() {
      return g.goroutineState() == GoroutineState.WAITING
          ? TimeUnit.NANOSECONDS.toMinutes(g.nanosSinceLastRun())
          : 0;
    }

    @Override
    public @Nullable StackTraceElement site() {
      return g.site();
    }

    @Override
    public String usage() {
      Map<String, String> labels = g.labels();
      return Usage.of(labels.isEmpty() ? "" : labels.toString(), g.cpuNanos());
    }

    @Override
    public String createdBy() {
      return g.createdBy();
    }
  }

  /** The properties that the goroutines of one group have in common. */
  private record StackKind(
      String doing, List<StackTraceElement> stack, @Nullable StackTraceElement site) {}

  /** The goroutines of one kind: their number, the first ids, and the longest wait. */
  private static final class StackGroup {
    final StringBuilder named = new StringBuilder();
    int count;
    long minutes;

    void add(Subject g) {
      if (++count <= MAX_LISTED_IDS) {
        named.append(' ').append(g.id());
      }
      minutes = Math.max(minutes, g.minutes());
    }
  }

  /** Returns a text with every goroutine of {@code sched}, its state and its stack. */
  public static String of(Sched sched) {
    return new Dump(sched).text();
  }

  /**
   * Returns groups of goroutines with the same state, stack and creation site, the largest first.
   */
  public static String grouped(Sched sched) {
    return new Dump(sched).grouped();
  }

  /** Returns a text with {@code head} and every one of {@code subjects}. */
  public static String of(String head, Collection<? extends Subject> subjects) {
    return new Dump(head, subjects).text();
  }

  /**
   * Returns a text with {@code head} and then {@code subjects} in groups, the largest first. The
   * subjects of a group do the same, have the same stack, and were created at the same place.
   */
  public static String grouped(String head, Collection<? extends Subject> subjects) {
    return new Dump(head, subjects).grouped();
  }

  private String text() {
    StringBuilder out = new StringBuilder(head);
    for (Subject g : all) {
      write(g, out);
    }
    return out.append(tail).toString();
  }

  private String grouped() {
    Map<StackKind, StackGroup> groups = new LinkedHashMap<>();
    for (Subject g : all) {
      groups.computeIfAbsent(kind(g), _ -> new StackGroup()).add(g);
    }
    List<Map.Entry<StackKind, StackGroup>> largestFirst = new ArrayList<>(groups.entrySet());
    largestFirst.sort(Comparator.comparingInt(entry -> -entry.getValue().count));
    StringBuilder out = new StringBuilder(head);
    largestFirst.forEach(entry -> write(entry.getKey(), entry.getValue(), out));
    return out.append(tail).toString();
  }

  private static String headOf(Sched sched, int goroutines) {
    StringBuilder out = new StringBuilder();
    out.append("scheduler ").append(sched.name()).append(": ").append(goroutines);
    out.append(goroutines == 1 ? " goroutine" : " goroutines");
    out.append(", procs=").append(sched.procs());
    out.append(" idleprocs=").append(SchedCounters.of(sched).idleProcs());
    out.append(" threads=").append(SchedCounters.of(sched).threads());
    out.append(" idlethreads=").append(SchedCounters.of(sched).idleThreads());
    out.append(" runqueue=").append(SchedCounters.of(sched).globalQueue()).append('\n');
    return out.toString();
  }

  private static void write(Subject g, StringBuilder out) {
    out.append("\ngoroutine ").append(g.id());
    String name = g.thread().getName();
    if (!name.isEmpty()) {
      out.append(" \"").append(name).append('"');
    }
    out.append(" [").append(g.doing()).append(age(g.minutes())).append("]:\n");
    write(List.of(g.thread().getStackTrace()), out);
    out.append(g.usage()).append(g.createdBy());
  }

  private static StackKind kind(Subject g) {
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

  private static String age(long minutes) {
    if (minutes < 1) {
      return "";
    }
    return minutes == 1 ? ", 1 minute" : ", " + minutes + " minutes";
  }
}
