package io.heddle.cli.demo;

import io.heddle.Scheduler;
import io.heddle.cli.screen.Screen;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Shows which Ms run the goroutines that one goroutine starts, for a growing number of Ps. */
final class StealingSection implements Section {
  private static final int BAR = 40;
  private static final int MOST_MS_SHOWN = 8;

  private final Screen screen;
  private final DemoSize size;

  StealingSection(Screen screen, DemoSize size) {
    this.screen = screen;
    this.size = size;
  }

  @Override
  public boolean play() throws Exception {
    screen.heading(
        "2. One goroutine starts %,d others: which Ms run them?".formatted(size.burst()));
    screen.line("They go to its P's queue, and to the global queue when that is full. An idle M");
    screen.line("takes goroutines from there, or steals half of another P's queue.");
    try (Scheduler scheduler = Scheduler.builder().name("burst").procs(1).build()) {
      Burst burst = new Burst(scheduler, size.burst());
      burst.run(); // warm up, so that the first figure does not include compilation
      boolean good = true;
      for (int procs : numbersOfPs()) {
        scheduler.procs(procs);
        good &= show(procs, burst.run());
      }
      return good;
    }
  }

  private List<Integer> numbersOfPs() {
    return IntStream.of(1, 2, Math.max(4, size.procs())).boxed().toList();
  }

  private boolean show(int procs, Burst.Result result) {
    screen.line("  procs(%d)  %s; %s".formatted(procs, result.time(), steals(result)));
    List<Map.Entry<String, Long>> ms =
        result.byM().entrySet().stream()
            .sorted(Comparator.comparingInt(m -> number(m.getKey())))
            .toList();
    int shown = ms.size() > MOST_MS_SHOWN ? MOST_MS_SHOWN - 1 : ms.size();
    ms.stream().limit(shown).forEach(m -> showM(m.getKey(), m.getValue()));
    if (shown < ms.size()) {
      long others = ms.stream().skip(shown).mapToLong(Map.Entry::getValue).sum();
      showM(ms.size() - shown + " more", others);
    }
    return isComplete(result);
  }

  private static String steals(Burst.Result result) {
    if (result.steals() == 0) {
      return "nothing stolen";
    }
    String times = result.steals() == 1 ? "1 steal" : "%,d steals".formatted(result.steals());
    return times + " took %,d goroutines".formatted(result.stolen());
  }

  private static int number(String nameOfM) {
    return Integer.parseInt(nameOfM.substring(1));
  }

  private void showM(String name, long count) {
    screen.line(
        "    %-9s %s %,7d".formatted(name, screen.bar((double) count, size.burst(), BAR), count));
  }

  private boolean isComplete(Burst.Result result) {
    if (result.total() == size.burst()) {
      return true;
    }
    screen.line(
        screen.red("WRONG: %,d of %,d ran".formatted(result.total(), size.burst()))
            + ". This is a bug in Heddle: please report it.");
    return false;
  }
}
