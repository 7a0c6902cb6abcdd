package io.heddle.cli.demo;

import io.heddle.cli.screen.Screen;

/** Explains G, M and P, and names the machine. */
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
        "A %s is a goroutine, an %s an OS thread; an M needs a %s to run a goroutine."
            .formatted(screen.bold("G"), screen.bold("M"), screen.bold("P")));
    screen.line(
        screen.dim(
            "Java %s, %d CPUs, %d Ps unless a section says otherwise"
                .formatted(
                    Runtime.version().feature(),
                    Runtime.getRuntime().availableProcessors(),
                    size.procs())));
    screen.line(screen.dim("CPU: " + CpuModel.name()));
    if (!size.equals(wanted)) {
      screen.line(
          "Fewer goroutines than usual or requested, because the heap limit is %,d MB."
              .formatted(Runtime.getRuntime().maxMemory() >> 20));
    }
    return true;
  }
}
