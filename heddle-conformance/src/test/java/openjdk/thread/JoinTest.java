package openjdk.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import openjdk.Pinned;
import openjdk.VirtualTest;
import org.junit.jupiter.api.Test;

/** Thread.join, by platform and virtual threads: ThreadAPI.java. */
class JoinTest extends VirtualTest {
  private static final Duration MOMENT = Duration.ofMillis(5);
  private static final Duration LONG = Duration.ofHours(1);

  private interface Join {
    void join(Thread thread) throws InterruptedException;
  }

  private static final List<Join> JOINS =
      List.of(
          Thread::join,
          thread -> thread.join(LONG.toMillis()),
          thread -> thread.join(LONG.toMillis(), 1),
          thread -> thread.join(LONG),
          thread -> thread.join(Duration.ofSeconds(Long.MAX_VALUE)));

  @Test
  void joinOfAnUnstartedThreadReturns() throws Exception {
    platformAndVirtual(
        () -> {
          Thread thread = Thread.ofVirtual().unstarted(() -> {});
          thread.join();
          thread.join(0);
          thread.join(0, 0);
          thread.join(100);
          thread.join(100, 1);
          for (int millis : new int[] {-100, 0, 100}) {
            assertThatExceptionOfType(IllegalThreadStateException.class)
                .isThrownBy(() -> thread.join(Duration.ofMillis(millis)));
          }
        });
  }

  @Test
  void aTimeLimitEndsIt() throws Exception {
    platformAndVirtual(
        () -> {
          Thread thread = Thread.ofVirtual().start(LockSupport::park);
          thread.join(5);
          thread.join(5, 5);
          thread.join(0, 5);
          assertThat(thread.join(MOMENT.negated())).isFalse();
          assertThat(thread.join(Duration.ZERO)).isFalse();
          assertThat(thread.join(MOMENT)).isFalse();
          assertThat(thread.isAlive()).isTrue();
          LockSupport.unpark(thread);
          thread.join();
        });
  }

  @Test
  void endOfTheThreadEndsTheJoin() throws Exception {
    platformAndVirtual(
        () -> {
          for (Join join : JOINS) {
            Thread joiner = Thread.currentThread();
            Thread thread = Thread.ofVirtual().start(() -> untilItWaits(joiner));
            join.join(thread);
            assertThat(thread.isAlive()).isFalse();
          }
          Thread thread = Thread.ofVirtual().start(() -> LockSupport.parkNanos(MOMENT.toNanos()));
          assertThat(thread.join(LONG)).isTrue();
        });
  }

  @Test
  void joinOfAnEndedThreadReturns() throws Exception {
    platformAndVirtual(
        () -> {
          Thread thread = Thread.ofVirtual().start(() -> {});
          until(() -> !thread.isAlive());
          for (Join join : JOINS) {
            join.join(thread);
          }
          assertThat(thread.join(MOMENT.negated())).isTrue();
          assertThat(thread.join(Duration.ZERO)).isTrue();
        });
  }

  @Test
  void interruptedThreadDoesNotWait() throws Exception {
    platformAndVirtual(
        () -> {
          for (Join join : JOINS) {
            Thread thread = Thread.ofVirtual().start(LockSupport::park);
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> join.join(thread));
            assertThat(Thread.interrupted()).isFalse();
            LockSupport.unpark(thread);
            thread.join();
          }
        });
  }

  @Test
  void anInterruptEndsIt() throws Exception {
    platformAndVirtual(
        () -> {
          for (Join join : JOINS) {
            Thread thread = Thread.ofVirtual().start(LockSupport::park);
            Thread me = Thread.currentThread();
            Thread.ofPlatform()
                .start(
                    () -> {
                      untilItWaits(me);
                      me.interrupt();
                    });
            assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> join.join(thread));
            assertThat(Thread.interrupted()).isFalse();
            LockSupport.unpark(thread);
            thread.join();
          }
        });
  }

  @Test
  void aThreadThatParksAndGoesOn() throws Exception {
    platformAndVirtual(
        () -> {
          Object monitor = new Object();
          Thread thread =
              Thread.ofVirtual()
                  .start(
                      () -> {
                        synchronized (monitor) {
                          for (int i = 0; i < 10; i++) {
                            LockSupport.parkNanos(1_000_000);
                          }
                        }
                      });
          thread.join();
          assertThat(thread.isAlive()).isFalse();
        });
  }

  @Test
  void aThreadThatParksWhilePinned() throws Exception {
    platformAndVirtual(
        () -> {
          AtomicBoolean done = new AtomicBoolean();
          Started<Void> started =
              start(
                  () ->
                      Pinned.run(
                          () -> {
                            while (!done.get()) {
                              LockSupport.parkNanos(1_000_000);
                            }
                          }));
          assertThat(started.thread().join(MOMENT)).isFalse();
          done.set(true);
          started.result();
        });
  }

  @Test
  void virtualThreadsJoinPlatformThreads() throws Exception {
    virtually(
        () -> {
          Thread platform = Thread.ofPlatform().start(LockSupport::park);
          assertThat(platform.join(MOMENT)).isFalse();
          LockSupport.unpark(platform);
          assertThat(platform.join(LONG)).isTrue();
        });
  }

  @Test
  void aDurationIsNeeded() throws Exception {
    Thread thread = Thread.ofVirtual().unstarted(LockSupport::park);
    assertThatNullPointerException().isThrownBy(() -> thread.join(null));
    thread.start();
    assertThatNullPointerException().isThrownBy(() -> thread.join(null));
    LockSupport.unpark(thread);
    thread.join();
    assertThatNullPointerException().isThrownBy(() -> thread.join(null));
  }

  /** With or without a time limit. */
  private static void untilItWaits(Thread thread) {
    until(
        () ->
            thread.getState() == Thread.State.WAITING
                || thread.getState() == Thread.State.TIMED_WAITING);
  }
}
