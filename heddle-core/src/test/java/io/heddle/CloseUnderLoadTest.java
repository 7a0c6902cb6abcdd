package io.heddle;

import static io.heddle.Select.after;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A scheduler is closed under full load: every started goroutine ends, each later start fails with
 * a reason, and no thread is left.
 */
@HangGuard
class CloseUnderLoadTest {
  private static final int ROUNDS = 10;
  private static final int MANY = 500;
  private static final Duration LONG = Duration.ofHours(1);

  private final AtomicInteger started = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();

  @ParameterizedTest
  @CsvSource({"1, false", "2, false", "8, false", "1, true", "2, true", "8, true"})
  void startedGoroutinesEndAndLaterStartsAreRejected(int procs, boolean now) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Scheduler scheduler = Scheduler.builder().name("busy").procs(procs).build();
      CountDownLatch warmUp = new CountDownLatch(100);
      List<Thread> outside = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        outside.add(Thread.ofPlatform().start(() -> spawn(scheduler, warmUp)));
      }
      try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
        if (now) {
          startWaiters(scheduler, server);
        }
        warmUp.await();
        if (now) {
          scheduler.shutdownNow();
        } else {
          scheduler.close();
        }
        for (Thread each : outside) {
          each.join();
        }
      }
      // A start that was accepted before the close may be delayed until after it: Shutdown runs it.
      Await.until(scheduler::goroutines, 0);
      Await.until(() -> scheduler.stats().threads(), 0);
      assertThat(ended).hasValue(started.get());
      assertThatThrownBy(() -> scheduler.go(() -> {})).hasMessage("scheduler busy is closed");
    }
  }

  /** Starts goroutines until the scheduler rejects them. */
  private void spawn(Scheduler scheduler, CountDownLatch warmUp) {
    while (true) {
      if (scheduler.goroutines() > MANY) {
        Thread.yield(); // otherwise a busy machine would have more and more of them
        continue;
      }
      try {
        scheduler.go(() -> tree(2));
      } catch (IllegalStateException e) {
        assertThat(e).hasMessage("scheduler busy is closed");
        return;
      }
      started.incrementAndGet();
      warmUp.countDown();
    }
  }

  private void tree(int depth) throws InterruptedException {
    try {
      for (int i = 0; i < 2 && depth > 0; i++) {
        Go.go(() -> tree(depth - 1));
        started.incrementAndGet();
      }
      Go.sleep(Duration.ofNanos(50_000));
    } catch (InterruptedException e) {
      // shutdownNow interrupts it.
    } finally {
      ended.incrementAndGet();
    }
  }

  /** Starts goroutines that wait for events that never occur. */
  private void startWaiters(Scheduler scheduler, ServerSocket server) {
    Chan<Integer> chan = Chan.make();
    Mutex mutex = new Mutex();
    mutex.lock();
    List<Task> waits =
        List.of(
            () -> Go.sleep(LONG),
            () -> Thread.sleep(LONG),
            chan::receive,
            () -> select(recv(chan), after(LONG)),
            mutex::lockInterruptibly,
            () -> {
              try (Socket socket = server.accept()) {
                socket.getInputStream().read();
              }
            },
            () -> Go.blocking(() -> chan.receive()));
    for (Task wait : waits) {
      for (int i = 0; i < 5; i++) {
        scheduler.go(
            () -> {
              try {
                wait.run();
              } catch (Exception e) {
                // Interrupted, or the interrupt closed its socket.
              } finally {
                ended.incrementAndGet();
              }
            });
        started.incrementAndGet();
      }
    }
  }
}
