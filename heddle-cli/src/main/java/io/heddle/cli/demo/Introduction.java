package io.heddle.cli.demo;

import io.heddle.cli.screen.Screen;

/** What the three letters mean. */
final class Introduction implements Section {
  private final Screen screen;
  private final DemoSize wanted;
  private final DemoSize size;

  Introduction(Screen screen, DemoSize wanted, DemoSize size) {
    this.screen = screen;
    this.wanted = wanted;
    this.size = size;
  }

  @Override
  public boolean play() {
    screen.line(screen.bold("Heddle") + ": goroutines for the JVM, on JDK virtual threads.");
    screen.line(
        "A %s is a goroutine, an %s an OS thread, a %s the right to run one on the other."
            .formatted(screen.bold("G"), screen.bold("M"), screen.bold("P")));
    screen.line(
        screen.dim(
            "Java %s, %d CPUs, %d Ps unless a section says otherwise"
                .formatted(
                    Runtime.version().feature(),
                    Runtime.getRuntime().availableProcessors(),
                    size.procs())));
    if (!size.equals(wanted)) {
      screen.line(
          "Fewer goroutines than usual or asked for: the heap may grow to %,d MB only."
              .formatted(Runtime.getRuntime().maxMemory() >> 20));
    }
    return true;
  }
}
