package golang.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import golang.GoTest;
import golang.Until;
import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Scheduler;
import io.heddle.WaitGroup;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Go's {@code sync/waitgroup_test.go}. */
class WaitgroupTest extends GoTest {
  private int ran;

  @Test
  void waitGroup() throws Exception {
    run(
        () -> {
          WaitGroup arrived = new WaitGroup();
          WaitGroup gate = new WaitGroup();
          for (int i = 0; i < 8; i++) {
            passTheGate(arrived, gate);
          }
        });
  }

  @Test
  void waitGroupMisuse() throws Exception {
    run(
        () -> {
          WaitGroup wg = new WaitGroup();
          wg.add(1);
          wg.done();
          assertThatThrownBy(wg::done)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("negative WaitGroup counter");
        });
  }

  @Test
  void waitGroupRace() throws Exception {
    run(
        () -> {
          for (int i = 0; i < 300; i++) {
            WaitGroup wg = new WaitGroup();
            AtomicInteger n = new AtomicInteger();
            for (int j = 0; j < 2; j++) {
              wg.add(1);
              Go.go(
                  () -> {
                    n.incrementAndGet();
                    wg.done();
                  });
            }
            wg.await();
            assertThat(n).hasValue(2);
          }
        });
  }

  @Test
  void waitGroupGo() throws Exception {
    run(
        () -> {
          WaitGroup wg = new WaitGroup();
          wg.go(() -> ran++);
          wg.await();
          assertThat(ran).isEqualTo(1);
        });
  }

  /** A task that throws is also done, and its exception is reported. */
  @Test
  void issue76126() throws Exception {
    AtomicReference<Throwable> told = new AtomicReference<>();
    IllegalStateException thrown = new IllegalStateException("test");
    try (Scheduler scheduler =
        Scheduler.builder().procs(procs).uncaught((g, t) -> told.set(t)).build()) {
      scheduler.run(
          () -> {
            WaitGroup wg = new WaitGroup();
            wg.go(
                () -> {
                  throw thrown;
                });
            wg.await();
          });
    }
    assertThat(told).hasValue(thrown);
  }

  private static void passTheGate(WaitGroup arrived, WaitGroup gate) throws InterruptedException {
    int n = 16;
    arrived.add(n);
    gate.add(n);
    Chan<Boolean> through = Chan.make(n);
    for (int i = 0; i < n; i++) {
      Go.go(
          () -> {
            arrived.done();
            gate.await();
            through.send(true);
          });
    }
    arrived.await();
    Until.othersHaveRun();
    for (int i = 0; i < n; i++) {
      assertThat(through.tryReceive()).as("through after %d of %d", i, n).isNull();
      gate.done();
    }
    for (int i = 0; i < n; i++) {
      assertThat(through.receive()).isTrue();
    }
  }
}
