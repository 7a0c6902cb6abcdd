package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Following the schedulers that are made and closed. */
@HangGuard
class SchedulerWatchTest {
  @Test
  void schedulersOfBeforeAndLaterAreSeen() {
    List<String> seen = new CopyOnWriteArrayList<>();
    Runnable stop;
    try (Scheduler before = Scheduler.builder().name("watch-before").procs(1).build()) {
      stop = Scheduler.watch(opened -> add(seen, "+", opened), closed -> add(seen, "-", closed));
      assertThat(seen).contains("+" + before.name());
      Scheduler later = Scheduler.builder().name("watch-later").procs(1).build();
      assertThat(seen).contains("+watch-later");
      later.close();
      assertThat(seen).contains("-watch-later").doesNotContain("-watch-before");
      later.close();
    }
    assertThat(seen).contains("-watch-before").doesNotHaveDuplicates();
    stop.run();
    Scheduler.builder().name("watch-never").procs(1).build().close();
    assertThat(seen).doesNotContain("+watch-never");
  }

  private static void add(List<String> seen, String sign, Scheduler scheduler) {
    if (scheduler.name().startsWith("watch-")) {
      seen.add(sign + scheduler.name());
    }
  }

  @Test
  void failingObserverIsLoggedAndStopsNothing() {
    List<String> seen = new CopyOnWriteArrayList<>();
    Runnable stop =
        Scheduler.watch(
            _ -> {
              throw new IllegalStateException("no registry");
            },
            closed -> seen.add(closed.name()));
    try (LogCapture log = new LogCapture()) {
      Scheduler scheduler = Scheduler.builder().name("watch-fails").procs(1).build();
      Await.until(() -> log.messages().toString().contains("no registry"));
      assertThat(log.messages().toString()).contains("an observer of Scheduler.watch failed");
      scheduler.close();
      assertThat(seen).contains("watch-fails");
    } finally {
      stop.run();
    }
  }

  /** Each opened is followed by one closed, however watch, build and close meet. */
  @Test
  void observersThatComeWhileSchedulersComeAndGoMissNothing() throws Exception {
    List<Counts> observers = new ArrayList<>();
    List<Runnable> stops = new ArrayList<>();
    Thread maker =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < 100; i++) {
                    Scheduler.builder().name("churn").procs(1).build().close();
                  }
                });
    while (maker.isAlive() && observers.size() < 500) {
      Counts counts = new Counts(new ConcurrentHashMap<>());
      observers.add(counts);
      stops.add(Scheduler.watch(s -> counts.change(s, 1), s -> counts.change(s, -1)));
    }
    maker.join();
    stops.forEach(Runnable::run);
    for (Counts counts : observers) {
      assertThat(counts.open.values()).allMatch(n -> n == 0);
    }
  }

  /**
   * For each scheduler, how often it was opened and not closed; never another number than 0 or 1.
   */
  private record Counts(Map<Scheduler, Integer> open) {
    void change(Scheduler scheduler, int by) {
      if (scheduler.name().equals("churn")) {
        int now = open.merge(scheduler, by, Integer::sum);
        if (now < 0 || now > 1) {
          open.merge(scheduler, 1_000, Integer::sum); // so that it never returns to 0
        }
      }
    }
  }
}
