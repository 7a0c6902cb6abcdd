package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.heddle.internal.inspect.StuckChecks;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A check for deadlocks or leaks calls a logger of the program, which may block or fail. */
@HangGuard
class StuckLogTest {
  private final Scheduler scheduler =
      Scheduler.builder().name("logged").procs(2).uncaught((_, _) -> {}).build();
  private final ExecutorService pool = Executors.newSingleThreadExecutor();
  private final CountDownLatch logged = new CountDownLatch(1);
  private final CountDownLatch loggerReturns = new CountDownLatch(1);
  private final CountDownLatch mainInterrupted = new CountDownLatch(1);
  private final CountDownLatch mainReturns = new CountDownLatch(1);

  @AfterEach
  @HangGuard
  void close() {
    loggerReturns.countDown();
    mainReturns.countDown();
    pool.shutdownNow();
    scheduler.shutdownNow();
  }

  @Test
  void callerInterruptedDuringACheckGetsWhatMainThrows() throws Exception {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    pool.execute(() -> thrown.complete(catchThrowable(() -> scheduler.run(this::receiveInVain))));
    try (LoggerProbe _ = new LoggerProbe("of scheduler logged leaked", this::blockLogger)) {
      Thread checker = Thread.ofPlatform().start(this::checkUntilLogged);
      logged.await();
      pool.shutdownNow();
      mainInterrupted.await();
      loggerReturns.countDown();
      checker.join();
    }
    mainReturns.countDown();
    assertThat(thrown.join()).isInstanceOf(InterruptedException.class);
  }

  private void receiveInVain() throws InterruptedException {
    try {
      Chan.make().receive();
    } catch (InterruptedException e) {
      mainInterrupted.countDown();
      mainReturns.await();
      throw e;
    }
  }

  private void checkUntilLogged() {
    while (logged.getCount() > 0) {
      StuckChecks.leaked(scheduler.sched(), 0);
    }
  }

  private void blockLogger() {
    logged.countDown();
    try {
      loggerReturns.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void dumpIsWrittenAlthoughTheLoggerFails() {
    ReentrantLock a = new ReentrantLock();
    ReentrantLock b = new ReentrantLock();
    CountDownLatch both = new CountDownLatch(2);
    scheduler.go("one", () -> cross(a, b, both));
    scheduler.go("other", () -> cross(b, a, both));
    try (LoggerProbe _ = new LoggerProbe("of scheduler logged deadlocked", this::failLogger)) {
      Await.until(() -> scheduler.dump().contains("deadlocks failed: java.lang.IllegalState"));
    }
    assertThat(scheduler.dump()).contains("\ndeadlocked goroutines:\n");
  }

  private static void cross(ReentrantLock first, ReentrantLock second, CountDownLatch both)
      throws Exception {
    first.lock();
    StuckFixture.meet(both);
    second.lockInterruptibly();
  }

  private void failLogger() {
    throw new IllegalStateException("the logger fails");
  }

  /** Calls an action for each message that contains a text. */
  private static final class LoggerProbe extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("io.heddle");
    private final String text;
    private final Runnable action;

    LoggerProbe(String text, Runnable action) {
      this.text = text;
      this.action = action;
      logger.setUseParentHandlers(false);
      logger.addHandler(this);
    }

    @Override
    public void publish(LogRecord entry) {
      if (entry.getMessage().contains(text)) {
        action.run();
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      logger.removeHandler(this);
      logger.setUseParentHandlers(true);
    }
  }
}
