package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.internal.inspect.Invariants;
import io.heddle.internal.sched.HandOff;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@link Go#blocking}: calls marked as blocking free their P at once (rules S2, S5). The time slice
 * is so long that sysmon takes no P for another reason.
 */
@HangGuard
class GoBlockingTest {
  private static final Task NOTHING = () -> {};

  private final AtomicInteger runs = new AtomicInteger();

  @Test
  void s2_anotherGoroutineRunsDuringBlockingCall() throws Exception {
    OneP.run(
        () -> {
          String result =
              Go.blocking(
                  () -> {
                    runAnother();
                    return "done";
                  });
          assertThat(result).isEqualTo("done");
        });
    assertThat(runs).hasValue(1);
  }

  @Test
  void s2_anotherGoroutineRunsDuringNestedBlockingCall() throws Exception {
    OneP.run(
        () -> {
          Go.blocking(
              () -> {
                runAnother();
                Go.blocking(
                    () -> {
                      runAnother();
                      return null;
                    });
                runAnother(); // the outer call has not ended
                return null;
              });
          assertHasP();
        });
    assertThat(runs).hasValue(3);
  }

  /** Starts a goroutine and returns when it has run. The caller keeps its thread meanwhile. */
  private void runAnother() {
    int before = runs.get();
    Go.go(runs::incrementAndGet);
    Await.until(runs::get, before + 1);
  }

  /** Must be called by the only goroutine of a scheduler with one P. */
  private static void assertHasP() {
    assertThat(Scheduler.current().stats().idleProcs()).isZero();
  }

  @Test
  void s5_blockingCallFreesItsPAndTakesOneAtItsEnd() throws Exception {
    OneP.run(
        () -> {
          assertHasP();
          Go.blocking(
              () -> {
                Await.until(() -> Scheduler.current().stats().idleProcs(), 1);
                return null;
              });
          assertHasP();
        });
  }

  @Test
  void s5_callThatEndsWithoutFreePQueuesItsGoroutineGlobally() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger after = new AtomicInteger();
    try (Scheduler scheduler = OneP.scheduler()) {
      Goroutine blocked =
          scheduler.go(
              () -> {
                Go.blocking(
                    () -> {
                      Await.until(over::get);
                      return null;
                    });
                after.incrementAndGet();
              });
      Await.until(blocked::state, Goroutine.State.SYSCALL);
      try (Busy busy = Busy.start(scheduler, 1)) {
        over.set(true);
        Await.until(blocked::state, Goroutine.State.RUNNABLE);
        assertThat(after).hasValue(0);
        assertThat(scheduler.sched().handOffs().count(HandOff.Reason.MARKED)).isEqualTo(1);
        assertThat(scheduler.stats().handoffs()).isEqualTo(1);
        assertThat(scheduler.stats().globalQueue()).isEqualTo(1);
      }
      blocked.join();
      assertThat(after).hasValue(1);
      Await.idle(scheduler);
      Invariants.check(scheduler.sched());
    }
  }

  @Test
  void s5_callThatEndsTakesAnotherIdleP() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    try (Scheduler scheduler = Busy.withLongSlice().procs(2).build();
        Busy busy = Busy.start(scheduler, 1)) {
      Goroutine blocked =
          scheduler.go(
              () ->
                  Go.blocking(
                      () -> {
                        Await.until(over::get);
                        return null;
                      }));
      Await.until(blocked::state, Goroutine.State.SYSCALL);
      try (Busy _ = Busy.start(scheduler, 1)) { // takes the one free P
        busy.stop(); // frees the other P
        Await.until(() -> scheduler.stats().idleProcs(), 1);
        over.set(true);
        blocked.join();
      }
    }
  }

  @Test
  void s2_stateIsSyscallDuringBlockingCall() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    try (Scheduler scheduler = OneP.scheduler()) {
      Goroutine g =
          scheduler.go(
              "caller",
              () ->
                  Go.blocking(
                      () -> {
                        Await.until(over::get);
                        return null;
                      }));
      Await.until(g::state, Goroutine.State.SYSCALL);
      assertThat(g.waitReason()).isEmpty();
      assertThat(scheduler.dump()).contains("\"caller\" [syscall]:");
      over.set(true);
      g.join();
      assertThat(g.state()).isEqualTo(Goroutine.State.DEAD);
    }
  }

  @Test
  void blockingRethrowsTheExceptionOfTheCall() throws Exception {
    OneP.run(
        () -> {
          IOException checked = new IOException("as intended");
          AssertionError error = new AssertionError("as intended");
          assertThatThrownBy(() -> Go.blocking(() -> fail(checked))).isSameAs(checked);
          assertHasP();
          assertThatThrownBy(() -> Go.blocking(() -> fail(error))).isSameAs(error);
          assertHasP();
          assertThatThrownBy(() -> Go.blocking(() -> Go.blocking(() -> fail(checked))))
              .isSameAs(checked);
          assertHasP();
        });
  }

  private static Object fail(Throwable t) throws Exception {
    if (t instanceof Error e) {
      throw e;
    }
    throw (Exception) t;
  }

  @Test
  void interruptReachesBlockingCall() throws Exception {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    AtomicBoolean seen = new AtomicBoolean();
    try (Scheduler scheduler = OneP.scheduler()) {
      Goroutine parked =
          scheduler.go(
              () -> {
                try {
                  Go.blocking(
                      () -> {
                        new Semaphore(0).acquire();
                        return null;
                      });
                } catch (InterruptedException e) {
                  thrown.set(e);
                }
              });
      Goroutine awake =
          scheduler.go(
              () ->
                  Go.blocking(
                      () -> {
                        Await.until(() -> Thread.currentThread().isInterrupted());
                        seen.set(Thread.interrupted());
                        return null;
                      }));
      Await.until(parked::state, Goroutine.State.WAITING);
      Await.until(awake::state, Goroutine.State.SYSCALL);
      parked.interrupt();
      awake.interrupt();
      parked.join();
      awake.join();
    }
    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    assertThat(seen).isTrue();
  }

  /**
   * The goroutine leaves its thread in the middle of the call, and the thread is no longer in a
   * call.
   */
  @Test
  void s5_blockingCallThatParksContinuesOnAnotherThread() throws Exception {
    Semaphore semaphore = new Semaphore(0);
    try (Scheduler scheduler = OneP.scheduler()) {
      Goroutine parked =
          scheduler.go(
              () -> {
                Go.blocking(
                    () -> {
                      semaphore.acquire();
                      Go.blocking(
                          () -> {
                            runAnother();
                            semaphore.acquire();
                            assertHasP();
                            return null;
                          });
                      assertHasP();
                      Go.gosched();
                      return null;
                    });
                assertHasP();
                runs.incrementAndGet();
              });
      Await.until(parked::state, Goroutine.State.WAITING);
      scheduler.go(() -> assertThat(parked.state()).isEqualTo(Goroutine.State.WAITING)).join();
      semaphore.release();
      Await.until(() -> runs.get() == 1 && parked.state() == Goroutine.State.WAITING);
      semaphore.release();
      parked.join();
      assertThat(runs).hasValue(2);
      Await.idle(scheduler);
      Invariants.check(scheduler.sched());
    }
  }

  @Test
  void blockingRunsTheCallDirectlyOnForeignThreads() throws Exception {
    Thread me = Thread.currentThread();
    assertThat(Go.blocking(Thread::currentThread)).isSameAs(me);
    AtomicReference<Thread> seen = new AtomicReference<>();
    Thread virtual =
        Thread.startVirtualThread(
            () -> {
              try {
                seen.set(Go.blocking(Thread::currentThread));
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    virtual.join();
    assertThat(seen.get()).isSameAs(virtual);
  }

  @Test
  void nullIsRejected() throws Exception {
    assertThatThrownBy(() -> Go.blocking(null)).isInstanceOf(NullPointerException.class);
    OneP.run(
        () -> assertThatThrownBy(() -> Go.blocking(null)).isInstanceOf(NullPointerException.class));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void s5_manyShortCallsRun(int procs) throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      runShortCalls(scheduler, 100, 100);
      Await.idle(scheduler);
      Invariants.check(scheduler.sched());
    }
    assertThat(runs).hasValue(10_000);
  }

  /** A call that begins while its P is stopped keeps the P and must not take another. */
  @Test
  void s5_p1_manyShortCallsRunWhileProcsChanges() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    try (Scheduler scheduler = Busy.withLongSlice().procs(4).build()) {
      Thread changer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int n = 0; !done.get(); n++) {
                      scheduler.procs(2 + n % 3);
                    }
                  });
      runShortCalls(scheduler, 4, 20_000);
      done.set(true);
      changer.join();
      Await.idle(scheduler);
      Invariants.check(scheduler.sched());
    }
    assertThat(runs).hasValue(80_000);
  }

  private void runShortCalls(Scheduler scheduler, int goroutines, int calls) throws Exception {
    List<Goroutine> started = new ArrayList<>();
    for (int i = 0; i < goroutines; i++) {
      started.add(
          scheduler.go(
              () -> {
                for (int k = 0; k < calls; k++) {
                  Go.blocking(runs::incrementAndGet);
                }
              }));
    }
    for (Goroutine g : started) {
      g.join();
    }
  }

  /** The JDK marks reads of a process's output as blocking. */
  @Test
  void s2_callMarkedByTheJdkFreesItsP() throws Exception {
    Process cat = new ProcessBuilder("cat").start();
    AtomicInteger read = new AtomicInteger();
    try (Scheduler scheduler = OneP.scheduler()) {
      Goroutine reader = scheduler.go(() -> read.set(cat.getInputStream().read()));
      Await.until(reader::state, Goroutine.State.SYSCALL);
      Await.until(() -> scheduler.stats().idleProcs(), 1);
      scheduler.go(NOTHING).join();
      try (Busy _ = Busy.start(scheduler, 1)) {
        cat.getOutputStream().write('x');
        cat.getOutputStream().flush();
        Await.until(reader::state, Goroutine.State.RUNNABLE);
        assertThat(scheduler.sched().handOffs().count(HandOff.Reason.MARKED)).isEqualTo(1);
      }
      reader.join();
    } finally {
      cat.destroyForcibly();
    }
    assertThat(read).hasValue('x');
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void s2_manyGoroutinesForceTheirFiles(int procs, @TempDir Path directory) throws Exception {
    int writers = 20;
    CountDownLatch written = new CountDownLatch(writers);
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      for (int i = 0; i < writers; i++) {
        Path file = directory.resolve("file" + i);
        scheduler.go(
            () -> {
              try (FileChannel channel =
                  FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                for (int k = 0; k < 10; k++) {
                  channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
                  channel.force(true);
                }
              }
              written.countDown();
            });
      }
      written.await();
      assertThat(Files.size(directory.resolve("file0"))).isEqualTo(30);
      Await.idle(scheduler);
      Invariants.check(scheduler.sched());
    }
  }
}
