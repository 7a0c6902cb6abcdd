package golang.runtime;

import static io.heddle.Select.orElse;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static org.assertj.core.api.Assertions.assertThat;

import golang.GoProgram;
import io.heddle.Case;
import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.Scheduler;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The scheduler as programs see it: proc_test.go, except the parts in two other files. */
class ProcTest extends GoProgram {
  private volatile boolean stop;

  @Test
  void stopTheWorldDeadlock() throws Exception {
    program(
        () -> {
          Goroutine collector = go(() -> collect(5));
          Goroutine resizer =
              go(
                  () -> {
                    for (int i = 0; i < 300; i++) {
                      Go.procs(1 + i % 3);
                    }
                  });
          go(this::startTheNext);
          collector.join();
          resizer.join();
          stop = true;
        });
  }

  private void startTheNext() {
    if (!stop) {
      Go.go(this::startTheNext);
    }
  }

  private static void collect(int times) {
    for (int i = 0; i < times; i++) {
      System.gc();
    }
  }

  @Test
  void yieldProgress() throws Exception {
    program(() -> pollUntilSent(false));
  }

  @Test
  void yieldLockedProgress() throws Exception {
    program(() -> pollUntilSent(true));
  }

  private void pollUntilSent(boolean locked) throws InterruptedException {
    Chan<Boolean> c = Chan.make();
    Chan<Boolean> done = Chan.make();
    go(
        () -> {
          if (locked) {
            Go.lockThread();
          }
          Case<Boolean> received = recv(c);
          while (select(received, orElse()) != received) {
            Go.gosched();
          }
          done.send(true);
        });
    Go.sleep(Duration.ofMillis(10));
    c.send(true);
    assertThat(done.receive()).isTrue();
  }

  /** No goroutine yields: they can take turns only if all run at the same time. */
  @Test
  void goroutineParallelism() throws Exception {
    int count = 3;
    program(
        () -> {
          Go.procs(count);
          for (int i = 0; i < 3; i++) {
            AtomicInteger turn = new AtomicInteger();
            List<Goroutine> all = new ArrayList<>();
            for (int p = 0; p < count; p++) {
              int me = p;
              all.add(go(() -> takeTurns(turn, me, count)));
            }
            joinAll(all);
            assertThat(turn).hasValue(count * 3);
          }
        });
  }

  static void takeTurns(AtomicInteger turn, int me, int count) {
    for (int i = 0; i < 3; i++) {
      int mine = i * count + me;
      while (turn.get() != mine) {
        Thread.onSpinWait();
      }
      turn.set(mine + 1);
    }
  }

  @Test
  void goroutineParallelism2() throws Exception {
    program(
        () -> {
          Go.procs(4);
          try (ServerSocket pollerIsUsed = new ServerSocket(0)) {
            assertThat(pollerIsUsed.isBound()).isTrue();
            for (int i = 0; i < 3; i++) {
              load(4);
              nested(4);
            }
          }
        });
  }

  /** Waits until all run at the same time. */
  private void load(int count) throws InterruptedException {
    AtomicInteger running = new AtomicInteger();
    List<Goroutine> all = new ArrayList<>();
    for (int p = 0; p < count; p++) {
      all.add(
          go(
              () -> {
                running.incrementAndGet();
                while (running.get() != count) {
                  Thread.onSpinWait();
                }
              }));
    }
    joinAll(all);
  }

  private void nested(int count) throws InterruptedException {
    AtomicInteger turn = new AtomicInteger();
    Chan<Boolean> done = Chan.make();
    for (int p = 0; p < count; p += 2) {
      int even = p;
      go(
          () -> {
            for (int me = even; me < even + 2; me++) {
              int mine = me;
              go(
                  () -> {
                    takeTurns(turn, mine, count);
                    done.send(true);
                  });
            }
          });
    }
    for (int p = 0; p < count; p++) {
      done.receive();
    }
    assertThat(turn).hasValue(count * 3);
  }

  @Test
  void numGoroutine() throws Exception {
    program(
        () -> {
          assertThat(Go.goroutines()).isEqualTo(1);
          Chan<Boolean> end = Chan.make();
          List<Goroutine> all = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            all.add(untilWaiting(go(end::receive), "chan receive"));
          }
          assertThat(Go.goroutines()).isEqualTo(6);
          assertThat(Scheduler.current().dump().lines())
              .filteredOn(line -> line.startsWith("goroutine "))
              .hasSize(6);
          end.close();
          joinAll(all);
        });
  }

  /** A goroutine's identity does not change with the thread. */
  @Test
  void getgThreadSwitch() throws Exception {
    program(
        () -> {
          for (int i = 0; i < 8; i++) {
            go(
                () -> {
                  Goroutine me = Go.current();
                  for (int n = 0; n < 100; n++) {
                    Go.gosched();
                    assertThat(Go.current()).isSameAs(me);
                    assertThat(me.thread()).isSameAs(Thread.currentThread());
                  }
                });
          }
        });
  }

  @Test
  void bigGOMAXPROCS() throws Exception {
    program(
        () -> {
          Go.procs(1_024);
          assertThat(Go.procs()).isEqualTo(1_024);
          Chan<Integer> c = Chan.make();
          for (int i = 0; i < 100; i++) {
            go(() -> c.send(1));
          }
          int sum = 0;
          for (int i = 0; i < 100; i++) {
            sum += c.receive();
          }
          assertThat(sum).isEqualTo(100);
        });
  }
}
