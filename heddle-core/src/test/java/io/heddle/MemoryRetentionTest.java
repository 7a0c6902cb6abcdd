package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An idle scheduler keeps no goroutine that has ended reachable. */
@HangGuard
class MemoryRetentionTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void idleSchedulerKeepsNoEndedGoroutine(int procs) throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      List<WeakReference<Goroutine>> all = new ArrayList<>();
      scheduler.run(() -> startAndForget(all));
      Await.idle(scheduler);
      Await.until(() -> kept(all), 0L);
      assertThat(all).hasSize(400);
    }
  }

  /**
   * An M that gives up its P to the M of a locked goroutine goes to sleep. It must not keep ended
   * goroutines reachable either.
   */
  @Test
  void lockedGoroutineKeepsNoEndedGoroutine() throws Exception {
    List<WeakReference<Goroutine>> all = new ArrayList<>();
    Chan<Integer> end = Chan.make();
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      scheduler.go(
          () -> {
            Go.lockThread();
            startAndForget(all);
            end.receive();
          });
      Await.until(() -> all.size() == 400 ? kept(all) : -1, 0L);
      end.send(1);
    }
  }

  /** Starts more goroutines than fit the ring of a P, so that some go through the global queue. */
  private static void startAndForget(List<WeakReference<Goroutine>> all)
      throws InterruptedException {
    WaitGroup done = new WaitGroup();
    done.add(400);
    for (int i = 0; i < 400; i++) {
      all.add(new WeakReference<>(Go.go(done::done)));
    }
    done.await();
  }

  private static long kept(List<WeakReference<Goroutine>> all) {
    System.gc();
    return all.stream().filter(one -> one.get() != null).count();
  }
}
