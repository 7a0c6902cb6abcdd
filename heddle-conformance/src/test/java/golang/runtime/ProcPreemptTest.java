package golang.runtime;

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
import io.heddle.Timer;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No goroutine prevents others from running: the part of proc_test.go about that. */
class ProcPreemptTest extends GoProgram {
  private static final Duration TWENTY_MILLIS = Duration.ofMillis(20);

  private volatile boolean stop;

  /** Two goroutines that are always ready do not starve a timer. */
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

  /** Also on one P: a computing goroutine loses it after a time slice. */
  @Test
  void preemption() throws Exception {
    program(
        () -> {
          AtomicInteger turn = new AtomicInteger();
          List<Goroutine> both = new ArrayList<>();
          for (int i = 0; i < 2; i++) {
            int me = i;
            both.add(go(() -> ProcTest.takeTurns(turn, me, 2)));
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

  /** Loops without a call do not prevent main or the collector from running. */
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

  /** Endless short system calls do not starve main's timer. */
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

  /** Each goroutine that creates garbage without end gets its share. */
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

  /**
   * Two goroutines compute for long between their messages, and two do not: both pairs make
   * progress.
   */
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

  /** How often one goroutine has woken the other. */
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
}
