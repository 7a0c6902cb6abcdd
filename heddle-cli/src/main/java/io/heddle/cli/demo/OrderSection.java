package io.heddle.cli.demo;

import io.heddle.cli.screen.Screen;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** Runs the order program many times, shows that the order is always the same, and explains it. */
final class OrderSection implements Section {
  private final Screen screen;
  private final Callable<List<Integer>> program;
  private final int runs;

  OrderSection(Screen screen, Callable<List<Integer>> program, int runs) {
    this.screen = screen;
    this.program = program;
    this.runs = runs;
  }

  @Override
  public boolean play() throws Exception {
    screen.heading("1. In which order do ten goroutines run on one P?");
    screen.code(OrderProgram.TEXT);
    for (int run = 1; run <= runs; run++) {
      List<Integer> order = program.call();
      if (!order.equals(OrderProgram.EXPECTED)) {
        return complain(run, order);
      }
    }
    screen.line("It prints  " + screen.green(words(OrderProgram.EXPECTED)));
    screen.line(
        "in each of %d runs. The newest goroutine is in the P's 'runnext' slot: it runs"
            .formatted(runs));
    screen.line("first; a newer one moves it to the tail of the queue. So 9 leads, then 0, 1...");
    return true;
  }

  private boolean complain(int run, List<Integer> order) {
    screen.line(screen.red("WRONG ORDER in run %d of %d: %s".formatted(run, runs, words(order))));
    screen.line(
        "It must be "
            + words(OrderProgram.EXPECTED)
            + ". This is a bug in Heddle: please report it.");
    return false;
  }

  private static String words(List<Integer> order) {
    return order.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }
}
