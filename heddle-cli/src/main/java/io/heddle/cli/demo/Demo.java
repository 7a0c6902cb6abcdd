package io.heddle.cli.demo;

import io.heddle.cli.screen.Screen;
import java.util.List;

/** Plays the sections of the demo in order. */
public final class Demo {
  private static final String JDK_PARALLELISM = "jdk.virtualThreadScheduler.parallelism";

  private final List<Section> sections;

  public Demo(Screen screen, DemoSize wanted) {
    this(sections(screen, wanted, wanted.fitting(Runtime.getRuntime().maxMemory())));
    giveJdkAsManyThreads(wanted.procs());
  }

  Demo(List<Section> sections) {
    this.sections = sections;
  }

  /** Plays all sections; returns false if one of them found a wrong result. */
  public boolean play() throws Exception {
    boolean good = true;
    for (Section section : sections) {
      good &= section.play();
    }
    return good;
  }

  private static List<Section> sections(Screen screen, DemoSize wanted, DemoSize size) {
    return List.of(
        new Introduction(screen, wanted, size),
        new OrderSection(screen, new OrderProgram(), size.orderRuns()),
        new StealingSection(screen, size),
        new RaceSection(screen, size),
        new ParkedSection(screen, size),
        new HogsSection(screen, size),
        new NextSteps(screen));
  }

  /**
   * Gives the JDK's scheduler as many threads, for a fair race. The JDK reads the property when the
   * first virtual thread is created, which happens later.
   */
  private static void giveJdkAsManyThreads(int n) {
    if (System.getProperty(JDK_PARALLELISM) == null) {
      System.setProperty(JDK_PARALLELISM, Integer.toString(n));
    }
  }
}
