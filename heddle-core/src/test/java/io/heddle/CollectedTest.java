package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a scheduler that has nothing to do keeps in memory: none of the goroutines that have ended. */
@HangGuard
class CollectedTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void goroutinesThatHaveEnded(int procs) throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      List<WeakReference<Goroutine>> all = new ArrayList<>();
      scheduler.run(() -> startAndForget(all));
      Await.idle(scheduler);
      Await.until(() -> kept(all), 0L);
      assertThat(all).hasSize(400);
    }
  }

  /** Whose P is given up for the sake of a thread that it is locked to, and waits. */
  @Test
  void goroutinesThatHaveEndedBeforeOneThatIsLocked() throws Exception {
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

  /** More than fit the ring of a P, so that some are taken by way of the global queue. */
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
