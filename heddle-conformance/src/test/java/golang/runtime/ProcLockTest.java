package golang.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import golang.GoProgram;
import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Goroutine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Goroutines locked to their thread: the part of proc_test.go about them. */
class ProcLockTest extends GoProgram {
  private volatile boolean stop;

  /** Ends without an unlock, as in Go's test. */
  @Test
  void yieldLocked() throws Exception {
    program(
        () -> {
          Chan<Boolean> stayed = Chan.make();
          go(
              () -> {
                Go.lockThread();
                String mine = thread();
                boolean same = true;
                for (int i = 0; i < 10; i++) {
                  Go.gosched();
                  same &= thread().equals(mine);
                  Go.sleep(Duration.ofMillis(1));
                  same &= thread().equals(mine);
                }
                stayed.send(same);
              });
          assertThat(stayed.receive()).isTrue();
        });
  }

  /** The name of the OS thread under the caller. */
  private static String thread() {
    String all = Thread.currentThread().toString();
    return all.substring(all.lastIndexOf('@') + 1);
  }

  @Test
  void blockLocked() throws Exception {
    program(
        () -> {
          Chan<String> c = Chan.make();
          go(
              () -> {
                Go.lockThread();
                for (int i = 0; i < 10; i++) {
                  c.send(thread());
                }
                Go.unlockThread();
              });
          String first = c.receive();
          for (int i = 1; i < 10; i++) {
            assertThat(c.receive()).isEqualTo(first);
          }
        });
  }

  /** After two locks and one unlock it is still locked. */
  @Test
  void lockOSThreadNesting() throws Exception {
    program(
        () -> {
          Goroutine g =
              go(
                  () -> {
                    Go.lockThread();
                    Go.lockThread();
                    Go.unlockThread();
                    String mine = thread();
                    for (int i = 0; i < 20; i++) {
                      List<String> theirs = new ArrayList<>();
                      go(() -> theirs.add(thread())).join();
                      assertThat(thread()).isEqualTo(mine);
                      assertThat(theirs).doesNotContain(mine);
                    }
                    Go.unlockThread();
                  });
          g.join();
        });
  }

  /**
   * Go ends the thread with the goroutine, so that each one would have a different thread; Heddle
   * reuses threads.
   */
  @Test
  void lockOSThreadExit() throws Exception {
    Set<String> used = ConcurrentHashMap.newKeySet();
    program(
        () -> {
          for (int i = 0; i < 100; i++) {
            Goroutine locked =
                go(
                    () -> {
                      Go.lockThread();
                      used.add(thread());
                    });
            locked.join();
          }
        });
    assertThat(used).hasSizeBetween(1, 99);
  }

  @Test
  void lockOSThreadTemplateThreadRace() throws Exception {
    program(
        () -> {
          Goroutine resizer =
              go(
                  () -> {
                    while (!stop) {
                      Go.procs(1 + Go.procs() % 4);
                      Go.gosched();
                    }
                  });
          for (int i = 0; i < 50; i++) {
            List<Goroutine> both = List.of(go(Go::lockThread), go(Go::lockThread));
            joinAll(both);
          }
          stop = true;
          resizer.join();
        });
  }

  /** Goroutines that end while locked release their threads while the number of Ps changes. */
  @Test
  void mexitSTW() throws Exception {
    program(
        () -> {
          Go.procs(4);
          for (int i = 0; i < 2; i++) {
            go(
                () -> {
                  while (!stop) {
                    Go.gosched();
                  }
                });
          }
          List<Goroutine> locked = new ArrayList<>();
          for (int i = 0; i < 100; i++) {
            locked.add(go(Go::lockThread));
            Go.procs(3 + i % 2);
          }
          joinAll(locked);
          stop = true;
        });
  }
}
