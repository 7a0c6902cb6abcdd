package io.heddle.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.HangGuard;
import io.heddle.LogCapture;
import io.heddle.internal.inspect.Invariants;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * An M runs user callbacks, such as a logger, like a goroutine: they may block, and other
 * goroutines still run.
 */
@HangGuard
class ChoresTest {
  private final Logger logger = Logger.getLogger("io.heddle");
  private final CountDownLatch logged = new CountDownLatch(1);
  private @Nullable Handler handler;

  @AfterEach
  void removeHandler() {
    if (handler != null) {
      logger.removeHandler(handler);
      logger.setUseParentHandlers(true);
    }
  }

  @Test
  void f6_loggerMayWaitForGoroutineItStarted() throws Exception {
    try (BareSched bare = new BareSched().procs(2).open()) {
      logFromM(bare, () -> join(bare.go(() -> {})));
      assertThat(logged.getCount()).isZero();
    }
  }

  @Test
  void f6_loggerMayWaitForGoroutineOfAnotherThread() throws Exception {
    try (BareSched bare = new BareSched().procs(2).open()) {
      logFromM(bare, () -> joinPlatform(() -> join(bare.go(() -> {}))));
      assertThat(logged.getCount()).isZero();
    }
  }

  @Test
  void p1_loggerMayWaitForAChangeOfProcs() throws Exception {
    try (BareSched bare = new BareSched().procs(2).open()) {
      logFromM(
          bare,
          () -> {
            BareSched.BareG started = bare.go(() -> {}); // queued on the M that logs
            joinPlatform(() -> bare.sched().procs(3));
            join(started);
          });
      assertThat(bare.sched().procs()).isEqualTo(3);
    }
  }

  /** Such an error is a goroutine that cannot run, or no memory to register one. */
  @Test
  void g5_errorBetweenGoroutinesLosesNoP() throws Exception {
    try (LogCapture log = new LogCapture();
        BareSched bare = new BareSched().procs(1).open()) {
      BareSched.BareG ended = bare.go(() -> {});
      ended.join();
      bare.awaitIdle();
      bare.sched().globalQueue.put(ended);
      bare.go(() -> {}).join();
      bare.sched().procs(2);
      bare.go(() -> {}).join();
      bare.awaitIdle();
      Invariants.check(bare.sched());
      assertThat(log.messages()).singleElement().asString().contains("continues after an error");
    }
  }

  /** Makes an M log, with a logger that runs {@code during}. Waits until it has logged. */
  private void logFromM(BareSched bare, Runnable during) throws InterruptedException {
    handler = new OnPublish(during);
    logger.setUseParentHandlers(false);
    logger.addHandler(handler);
    bare.awaitIdle();
    bare.sched().logLater("says the test", null);
    bare.go(() -> {}); // wakes an M, which logs before it runs the goroutine
    logged.await();
  }

  private static void join(BareSched.BareG g) {
    try {
      g.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void joinPlatform(Runnable task) {
    AtomicBoolean ended = new AtomicBoolean();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  task.run();
                  ended.set(true);
                });
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    assertThat(ended).isTrue();
  }

  private final class OnPublish extends Handler {
    private final Runnable during;

    OnPublish(Runnable during) {
      this.during = during;
    }

    @Override
    public void publish(LogRecord entry) {
      during.run();
      logged.countDown();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
