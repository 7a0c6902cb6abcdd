package io.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.heddle.Await;
import io.heddle.HangGuard;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Exchanger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@HangGuard
@Tag("jdks")
class OsThreadTest {
  @BeforeAll
  static void prepare() {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "needs Linux");
    OsThread.prepare();
  }

  @Test
  void runningThreadWantsCpu() {
    assertThat(OsThread.current()).isPositive();
    assertThat(wishOf(OsThread.current())).isEqualTo(OsThread.RunState.CPU);
  }

  /** The thread's name imitates the format that OsThread parses. */
  @Test
  void waitingThreadDoesNotWantCpu() throws Exception {
    Exchanger<Integer> id = new Exchanger<>();
    CountDownLatch over = new CountDownLatch(1);
    Thread waits =
        Thread.ofPlatform()
            .name("a) R (b")
            .start(
                () -> {
                  try {
                    id.exchange(OsThread.current());
                    over.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    int its = id.exchange(null);
    Await.until(() -> waits.getState() == Thread.State.WAITING);
    Await.until(() -> wishOf(its) == OsThread.RunState.SOMETHING_ELSE);
    over.countDown();
    waits.join();
    Await.until(
        () ->
            wishOf(its)
                == OsThread.RunState.UNKNOWN); // the thread ends slightly after join returns
  }

  @Test
  void missingThreadIsUnknown() {
    assertThat(wishOf(OsThread.NONE)).isEqualTo(OsThread.RunState.UNKNOWN);
    assertThat(wishOf(1)).isEqualTo(OsThread.RunState.UNKNOWN); // a thread of another process
    assertThat(wishOf(Integer.MAX_VALUE)).isEqualTo(OsThread.RunState.UNKNOWN);
  }

  private static OsThread.RunState wishOf(int id) {
    try (OsThread asker = new OsThread()) {
      return asker.wishOf(id);
    }
  }
}
