package golang.runtime;

import static io.heddle.Select.orElse;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static io.heddle.Select.send;
import static org.assertj.core.api.Assertions.assertThat;

import golang.GoProgram;
import io.heddle.Case;
import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.Receiver;
import io.heddle.Scheduler;
import io.heddle.Timer;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scheduler as programs see it. One file, as it is in Go: hence so long. */
class ProcTest extends GoProgram {
  private static final Duration TWENTY_MILLIS = Duration.ofMillis(20);

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

  /** Ends without an unlock, as there. */
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

  /** None of them lets others run: only if all do at the same time they can take turns. */
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

  private static void takeTurns(AtomicInteger turn, int me, int count) {
    for (int i = 0; i < 3; i++) {
      int mine = i * count + me;
      while (turn.get() != mine) {
        Thread.onSpinWait();
      }
      turn.set(mine + 1);
    }
  }

  private static void joinAll(List<Goroutine> all) throws InterruptedException {
    for (Goroutine g : all) {
      g.join();
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

  /** Until all run at the same time. */
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

  /** Two that are always ready do not keep a timer from being served. */
  @Test
  void timerFairness() throws Exception {
    program(
        () -> {
          Chan<Boolean> done = Chan.make();
          Chan<Boolean> c = Chan.make();
          for (int i = 0; i < 2; i++) {
            go(() -> sendUntil(done, c));
          }
          Case<Instant> over = recv(Timer.after(TWENTY_MILLIS));
          Case<Boolean> received = recv(c);
          while (select(received, over) != over) {
            assertThat(received.value()).isTrue();
          }
          done.close();
        });
  }

  private static void sendUntil(Chan<Boolean> done, Chan<Boolean> c) throws InterruptedException {
    Case<Boolean> over = recv(done);
    Case<Boolean> sent = send(c, true);
    while (select(sent, over) != over) {
      // again
    }
  }

  @Test
  void timerFairness2() throws Exception {
    program(
        () -> {
          Chan<Boolean> c = Chan.make();
          List<Goroutine> all = new ArrayList<>();
          for (int i = 0; i < 2; i++) {
            all.add(go(() -> talkUntil(Timer.after(TWENTY_MILLIS), c)));
          }
          joinAll(all);
        });
  }

  private static void talkUntil(Receiver<Instant> timer, Chan<Boolean> c) throws Exception {
    Case<Instant> over = recv(timer);
    Case<?>[] any = {send(c, true), recv(c), over};
    do {
      Go.blocking(() -> null);
    } while (select(any) != over);
  }

  /** On one P, too: who computes loses it after a time slice. */
  @Test
  void preemption() throws Exception {
    program(
        () -> {
          AtomicInteger turn = new AtomicInteger();
          List<Goroutine> both = new ArrayList<>();
          for (int i = 0; i < 2; i++) {
            int me = i;
            both.add(go(() -> takeTurns(turn, me, 2)));
          }
          joinAll(both);
          assertThat(turn).hasValue(6);
        });
  }

  @Test
  void preemptionGC() throws Exception {
    program(
        () -> {
          Go.procs(4);
          for (int i = 0; i < 3; i++) {
            go(this::spin);
          }
          for (int i = 0; i < 2; i++) {
            Go.gosched();
            System.gc();
          }
          stop = true;
        });
  }

  private void spin() {
    while (!stop) {
      Thread.onSpinWait();
    }
  }

  /** Loops without a call in them do not keep main, or the collector, from going on. */
  @Test
  void asyncPreempt() throws Exception {
    program(
        () -> {
          AtomicInteger spinning = new AtomicInteger();
          for (int i = 0; i < 3; i++) {
            go(
                () -> {
                  spinning.incrementAndGet();
                  spin();
                });
          }
          while (spinning.get() < 3) {
            Go.gosched();
          }
          System.gc();
          stop = true;
        });
  }

  /** Quick system calls without end do not keep a timer from main. */
  @Test
  void gcFairness(@TempDir Path folder) throws Exception {
    try (FileChannel file =
        FileChannel.open(
            folder.resolve("dots"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      program(
          () -> {
            for (int i = 0; i < 2; i++) {
              go(() -> writeDots(file));
            }
            Go.sleep(Duration.ofMillis(10));
            stop = true;
          });
    }
  }

  private void writeDots(FileChannel file) throws Exception {
    while (!stop) {
      file.write(ByteBuffer.wrap(new byte[] {'.'}), 0);
    }
  }

  /** Each of those that make garbage without end gets its share. */
  @Test
  void gcFairness2() throws Exception {
    program(
        () -> {
          AtomicIntegerArray counts = new AtomicIntegerArray(3);
          byte[][] garbage = new byte[3][];
          for (int i = 0; i < 3; i++) {
            int me = i;
            go(
                () -> {
                  while (!stop) {
                    garbage[me] = new byte[1 << 10];
                    counts.incrementAndGet(me);
                  }
                });
          }
          while (counts.get(0) == 0 || counts.get(1) == 0 || counts.get(2) == 0) {
            Go.sleep(Duration.ofMillis(1));
          }
          stop = true;
        });
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

  /** Two that compute for long between their messages, and two that do not: both pairs get on. */
  @Test
  void pingPongHog() throws Exception {
    endlessProgram(
        () -> {
          AtomicInteger hogs = pingPong(1_000_000);
          AtomicInteger lights = pingPong(1_000);
          while (hogs.get() < 10 || lights.get() < 10) {
            Go.sleep(Duration.ofMillis(1));
          }
        });
  }

  /** How often one has woken the other. */
  private AtomicInteger pingPong(int work) {
    AtomicInteger count = new AtomicInteger();
    Chan<Integer> wake = Chan.make();
    for (int i = 0; i < 2; i++) {
      go(
          () -> {
            for (int sum : wake) {
              count.incrementAndGet();
              wake.send(compute(sum, work));
            }
          });
    }
    go(() -> wake.send(0));
    return count;
  }

  private static int compute(int from, int work) {
    int sum = from;
    for (int i = 0; i < work; i++) {
      sum = sum * 31 + i;
    }
    return sum;
  }

  /** Locked twice and unlocked once, it is still locked. */
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

  /** Go ends the thread with it, so that each would have another; here threads are used again. */
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

  @Test
  void preemptionAfterSyscall() throws Exception {
    program(
        () -> {
          for (int micros : new int[] {10, 100, 1_000}) {
            stop = false;
            Chan<Boolean> started = Chan.make(8);
            List<Goroutine> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
              all.add(go(() -> callUntilStopped(micros, started)));
            }
            for (int i = 0; i < 8; i++) {
              started.receive();
            }
            stop = true;
            joinAll(all);
          }
        });
  }

  private void callUntilStopped(int micros, Chan<Boolean> started) throws Exception {
    started.send(true);
    while (!stop) {
      Go.blocking(
          () -> {
            long end = System.nanoTime() + micros * 1_000L;
            while (System.nanoTime() < end) {
              Thread.onSpinWait();
            }
            return null;
          });
    }
  }

  /** Who one is does not change with the thread. */
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

  /** Threads come free of goroutines that end locked, while the number of Ps changes. */
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
