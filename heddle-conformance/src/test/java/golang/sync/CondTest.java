package golang.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import golang.GoTest;
import golang.Until;
import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Mutex;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;

/** Go's {@code sync/cond_test.go}. */
class CondTest extends GoTest {
  private final Mutex m = new Mutex();
  private final Condition c = m.newCondition();
  private boolean over;
  private int step;

  @Test
  void condSignal() throws Exception {
    run(
        () -> {
          int n = 2;
          Chan<Boolean> running = Chan.make(n);
          Chan<Integer> awake = Chan.make(n);
          for (int i = 0; i < n; i++) {
            startWaiter(i, running, awake);
            running.receive();
          }
          for (int i = 0; i < n; i++) {
            Until.othersHaveRun();
            assertThat(awake.tryReceive()).as("not asleep").isNull();
            signal();
            assertThat(awake.receive()).isNotNull();
            Until.othersHaveRun();
            assertThat(awake.tryReceive()).as("too many awake").isNull();
          }
          signal();
        });
  }

  @Test
  void signalNeedsTheMutex() throws Exception {
    run(
        () -> {
          assertThatThrownBy(c::signal).isInstanceOf(IllegalMonitorStateException.class);
          assertThatThrownBy(c::signalAll).isInstanceOf(IllegalMonitorStateException.class);
        });
  }

  /** A signal wakes a goroutine that already waits, not one that comes later. */
  @Test
  void condSignalGenerations() throws Exception {
    run(
        () -> {
          int n = 100;
          Chan<Boolean> running = Chan.make(n);
          Chan<Integer> awake = Chan.make(n);
          for (int i = 0; i < n; i++) {
            startWaiter(i, running, awake);
            if (i > 0) {
              assertThat(awake.receive()).isEqualTo(i - 1);
            }
            running.receive();
            signal();
          }
        });
  }

  @Test
  void condBroadcast() throws Exception {
    run(
        () -> {
          int n = 40;
          int rounds = 20;
          Chan<Integer> running = Chan.make(n);
          Chan<Integer> awake = Chan.make(n);
          for (int i = 0; i < n; i++) {
            int id = i;
            Go.go(() -> waitUntilOver(id, running, awake));
          }
          for (int round = 1; round <= rounds; round++) {
            receiveAll(running, n);
            assertThat(awake.tryReceive()).as("not asleep").isNull();
            broadcast(round == rounds);
            receiveAll(awake, n);
          }
          Until.othersHaveRun();
          assertThat(running.tryReceive()).as("waits again").isNull();
          broadcast(true);
        });
  }

  /** Three goroutines that proceed in turns. */
  @Test
  void race() throws Exception {
    run(
        () -> {
          Chan<Integer> seen = Chan.make(2);
          Go.go(
              () -> {
                m.lock();
                step = 1;
                c.await();
                seen.send(step);
                step = 3;
                c.signal();
                m.unlock();
              });
          Go.go(
              () -> {
                lockWhen(1);
                step = 2;
                c.signal();
                m.unlock();
              });
          Go.go(
              () -> {
                lockWhen(2);
                if (step == 2) {
                  c.await();
                }
                seen.send(step);
                m.unlock();
              });
          assertThat(seen.receive()).isEqualTo(2);
          assertThat(seen.receive()).isEqualTo(3);
        });
  }

  /** A waiter that arrives during a broadcast does not take the wakeup of an earlier waiter. */
  @Test
  void condSignalStealing() throws Exception {
    run(
        () -> {
          for (int i = 0; i < 200; i++) {
            over = false;
            stealOnce();
          }
        });
  }

  private void startWaiter(int id, Chan<Boolean> running, Chan<Integer> awake) {
    Go.go(
        () -> {
          m.lock();
          running.send(true);
          c.await();
          awake.send(id);
          m.unlock();
        });
  }

  private void waitUntilOver(int id, Chan<Integer> running, Chan<Integer> awake)
      throws InterruptedException {
    m.lock();
    while (!over) {
      running.send(id);
      c.await();
      awake.send(id);
    }
    m.unlock();
  }

  private static void receiveAll(Chan<Integer> from, int n) throws InterruptedException {
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < n; i++) {
      assertThat(seen.add(from.receive())).as("once each").isTrue();
    }
  }

  private void signal() {
    m.lock();
    c.signal();
    m.unlock();
  }

  private void broadcast(boolean last) {
    m.lock();
    over |= last;
    c.signalAll();
    m.unlock();
  }

  private void lockWhen(int wanted) {
    m.lock();
    while (step < wanted) {
      m.unlock();
      Go.gosched();
      m.lock();
    }
  }

  private void stealOnce() throws InterruptedException {
    Chan<Integer> awake = Chan.make(1);
    Chan<Boolean> running = Chan.make(1);
    startWaiter(1, running, awake);
    running.receive();
    Go.go(() -> broadcast(false));
    Chan<Boolean> done = Chan.make(1);
    Go.go(
        () -> {
          m.lock();
          while (!over) {
            c.await();
          }
          m.unlock();
          done.send(true);
        });
    assertThat(awake.receive()).isEqualTo(1);
    broadcast(true);
    done.receive();
  }
}
