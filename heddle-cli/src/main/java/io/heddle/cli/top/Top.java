package io.heddle.cli.top;

import io.heddle.ContainerMXBean;
import io.heddle.SchedulerMXBean;
import io.heddle.cli.attach.Target;
import io.heddle.cli.attach.TargetException;
import io.heddle.cli.screen.Screen;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the schedulers of a process at an interval, and draws them. */
public final class Top {
  private final Screen screen;
  private final TopView view;
  private final Target target;
  private final long pid;
  private final int interval;
  private Map<String, SchedulerReading> before = Map.of();
  private List<String> container = List.of();

  public Top(Screen screen, Target target, long pid, int interval) {
    this.screen = screen;
    this.view = new TopView(screen);
    this.target = target;
    this.pid = pid;
    this.interval = interval;
  }

  /** Prints the whole view once. */
  public void once() throws TargetException, InterruptedException {
    readSchedulers();
    Thread.sleep(interval);
    picture(readSchedulers()).forEach(screen::line);
  }

  /** Refreshes the view until the process ends. */
  public void run() throws TargetException, InterruptedException {
    readSchedulers();
    for (; ; ) {
      Thread.sleep(interval);
      List<ReadingPair> seen = tryReadSchedulers();
      if (seen == null) {
        screen.line("process " + pid + " has ended");
        return;
      }
      if (screen.isAnimated()) {
        List<String> picture = new ArrayList<>(picture(seen));
        picture.add(screen.dim("Ctrl-C ends this"));
        screen.page(picture);
      } else {
        seen.forEach(one -> screen.line(view.line(one.before(), one.now())));
      }
    }
  }

  /** A scheduler's current reading and the one before; both are the same for a new scheduler. */
  private record ReadingPair(SchedulerReading before, SchedulerReading now) {}

  private List<String> picture(List<ReadingPair> seen) {
    List<String> lines = new ArrayList<>();
    lines.add("process " + pid);
    lines.addAll(container);
    for (ReadingPair one : seen) {
      lines.add("");
      lines.addAll(view.lines(one.before(), one.now()));
    }
    return lines;
  }

  private @Nullable List<ReadingPair> tryReadSchedulers() throws InterruptedException {
    try {
      return readSchedulers();
    } catch (TargetException | UndeclaredThrowableException e) {
      return null;
    }
  }

  private List<ReadingPair> readSchedulers() throws TargetException, InterruptedException {
    Map<String, SchedulerReading> readings = new HashMap<>();
    List<ReadingPair> seen = new ArrayList<>();
    for (SchedulerMXBean scheduler : target.schedulers()) {
      SchedulerReading now = SchedulerReading.of(scheduler);
      seen.add(new ReadingPair(before.getOrDefault(now.name(), now), now));
      readings.put(now.name(), now);
    }
    before = readings;
    ContainerMXBean limits = target.container();
    container = limits == null ? List.of() : TopView.container(limits);
    return seen;
  }
}
