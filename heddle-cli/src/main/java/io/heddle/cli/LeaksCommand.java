package io.heddle.cli;

import io.heddle.SchedulerMXBean;
import io.heddle.SchedulerMXBean.DeadlockCycle;
import io.heddle.SchedulerMXBean.StuckGoroutine;
import io.heddle.SchedulerMXBean.StuckSite;
import io.heddle.cli.attach.Target;
import io.heddle.cli.attach.TargetException;
import io.heddle.cli.screen.Screen;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code heddle leaks}: prints the goroutines of a running program that can never continue. */
@Command(
    name = "leaks",
    description = {
      "Shows the goroutines of a running program that can never continue: those that wait for each"
          + " other, and those that wait for an object that nothing else can reach. Then it lists"
          + " what else has waited long, by the place that started it.",
      "",
      "The search for unreachable objects runs the garbage collector of the program, once or"
          + " twice."
    },
    footer = "Exit codes: 0; 1 if the process does not answer; 2 wrong use.")
final class LeaksCommand implements Callable<Integer> {
  /** The largest number of ids that are listed for one group, so that the line stays short. */
  private static final int MAX_LISTED_IDS = 8;

  private final Screen screen;

  @Mixin private CommonOptions common;

  @Mixin private ProcessArgument process;

  @Option(
      names = "--no-gc",
      description = "Do not run the collector, and show no goroutines that wait for such objects.")
  private boolean noGc;

  @Option(
      names = "--stuck",
      paramLabel = "SECONDS",
      defaultValue = "60",
      converter = Seconds.class,
      description = "List what has waited at least so long: 1 to 31536000; default: 60.")
  private int stuck;

  LeaksCommand(Screen screen) {
    this.screen = screen;
  }

  /** Up to a year. */
  private static final class Seconds extends WholeNumber {
    Seconds() {
      super(1, 31_536_000);
    }
  }

  /** The properties that the leaked goroutines of one group have in common. */
  private record LeakKind(String reason, List<String> stack, String site) {}

  @Override
  public Integer call() throws TargetException, InterruptedException {
    try (Target target = Target.open(process.pid())) {
      for (SchedulerMXBean scheduler : target.schedulers()) {
        List<DeadlockCycle> cycles = target.ask(scheduler::findDeadlocked);
        List<StuckGoroutine> leaked = noGc ? List.of() : target.ask(scheduler::findLeaked);
        int leaks = noGc ? 0 : target.ask(scheduler::getLeakedGoroutines);
        List<StuckSite> waits = target.ask(() -> scheduler.findStuck(stuck));
        print(target.ask(scheduler::getName), cycles, leaks, leaked, waits);
      }
    }
    return 0;
  }

  private void print(
      String scheduler,
      List<DeadlockCycle> cycles,
      int leaks,
      List<StuckGoroutine> leaked,
      List<StuckSite> waits) {
    int deadlocked = cycles.stream().mapToInt(cycle -> cycle.goroutines().size()).sum();
    screen.line(
        "scheduler "
            + scheduler
            + ": "
            + deadlocked
            + " deadlocked"
            + (noGc ? "" : ", " + leaks + " leaked"));
    cycles.forEach(this::print);
    Set<Long> shown =
        cycles.stream()
            .flatMap(cycle -> cycle.goroutines().stream())
            .filter(g -> g.scheduler().equals(scheduler))
            .map(StuckGoroutine::id)
            .collect(Collectors.toSet());
    leaked.stream()
        .filter(g -> !shown.contains(g.id()))
        .collect(
            Collectors.groupingBy(
                g -> new LeakKind(g.waitReason(), g.stack(), g.site()),
                LinkedHashMap::new,
                Collectors.toList()))
        .forEach(this::print);
    if (!waits.isEmpty()) {
      screen.line("\nwaiting for " + stuck + " s or longer:");
      waits.forEach(this::print);
    }
  }

  private void print(DeadlockCycle cycle) {
    screen.line("\ndeadlock:");
    for (StuckGoroutine g : cycle.goroutines()) {
      String name = g.name().isEmpty() ? "" : " \"" + g.name() + "\"";
      screen.line(
          "goroutine "
              + g.id()
              + name
              + " ["
              + g.waitReason()
              + seconds(g.waitedMillis())
              + "] waits for "
              + g.waitsFor());
      place(g.stack(), g.site());
    }
  }

  private void print(LeakKind kind, List<StuckGoroutine> group) {
    long longest = group.stream().mapToLong(StuckGoroutine::waitedMillis).max().orElse(0);
    screen.line(
        "\nleaked: "
            + counted(group.size())
            + " ["
            + kind.reason
            + seconds(longest)
            + "]:"
            + ids(group.stream().map(StuckGoroutine::id).toList(), group.size()));
    place(kind.stack, kind.site);
  }

  private void print(StuckSite site) {
    screen.line(
        counted(site.count())
            + " ["
            + site.waitReason()
            + seconds(site.longestMillis())
            + "]"
            + (site.site().isEmpty() ? "" : " created by " + site.site())
            + ":"
            + ids(site.ids(), site.count()));
  }

  private void place(List<String> stack, String site) {
    stack.forEach(frame -> screen.line("\tat " + frame));
    if (!site.isEmpty()) {
      screen.line("created by " + site);
    }
  }

  private static String counted(int n) {
    return n == 1 ? "1 goroutine" : n + " goroutines";
  }

  private static String seconds(long millis) {
    return ", " + millis / 1000 + " s";
  }

  private static String ids(List<Long> ids, int count) {
    String some =
        ids.stream().limit(MAX_LISTED_IDS).map(id -> " " + id).collect(Collectors.joining());
    return count > MAX_LISTED_IDS ? some + " ..." : some;
  }
}
