package io.heddle;

import static io.heddle.Select.after;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static io.heddle.Select.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.base.MasterSwitch;
import io.heddle.internal.inspect.Invariants;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A platform thread interrupts hundreds of goroutines at arbitrary points: no value is lost, and no
 * lock or permit stays held.
 */
@HangGuard
@Tag("jdks")
class InterruptStormTest {
  private static final int EACH = 30;
  private static final int STEPS = 60;
  private static final Duration SHORT = Duration.ofNanos(200_000);

  private final Queue<Goroutine> all = new ConcurrentLinkedQueue<>();
  private final AtomicInteger interrupted = new AtomicInteger();
  private CountDownLatch left;

  private interface Step {
    void run() throws InterruptedException, IOException;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void interruptsLoseNoValueAndLeakNoLock(int procs) throws Exception {
    Chan<Integer> chan = Chan.make();
    Chan<Integer> buffered = Chan.make(3);
    Mutex mutex = new Mutex();
    RWMutex rwMutex = new RWMutex();
    Semaphore semaphore = new Semaphore(5);
    AtomicLong sent = new AtomicLong();
    AtomicLong received = new AtomicLong();
    AtomicInteger inside = new AtomicInteger();
    List<Step> steps =
        List.of(
            () -> {
              chan.send(1);
              sent.incrementAndGet();
            },
            () -> received.addAndGet(chan.receive()),
            () -> {
              var fired = select(send(chan, 1), send(buffered, 1), after(SHORT));
              sent.addAndGet(fired.toString().contains("after") ? 0 : 1);
            },
            () -> {
              var fired = select(recv(chan), recv(buffered), after(SHORT));
              received.addAndGet(fired.value() == null ? 0 : 1);
            },
            () -> {
              mutex.lockInterruptibly();
              assertThat(inside.incrementAndGet()).isOne();
              Thread.yield();
              inside.decrementAndGet();
              mutex.unlock();
            },
            () -> {
              rwMutex.writeLock().lockInterruptibly();
              rwMutex.writeLock().unlock();
              rwMutex.readLock().lockInterruptibly();
              rwMutex.readLock().unlock();
            },
            () -> {
              semaphore.acquire(2);
              Thread.yield();
              semaphore.release(2);
            },
            () -> Go.sleep(SHORT));
    left = new CountDownLatch(steps.size() * EACH);
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build();
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      for (Step step : steps) {
        for (int i = 0; i < EACH; i++) {
          all.add(scheduler.go(() -> repeat(step)));
        }
      }
      for (int i = 0; i < 10; i++) {
        all.add(scheduler.go(() -> connect(server))); // an interrupt closes a socket
      }
      storm();
      Await.until(scheduler::goroutines, 0);
      assertThat(interrupted).hasPositiveValue();
      received.addAndGet(buffered.length());
      assertThat(received).hasValue(sent.get());
      assertThat(chan.tryReceive()).as("a sender left in the queue").isNull();
      assertThat(chan.trySend(1)).as("a receiver left in the queue").isFalse();
      assertThat(mutex.tryLock()).isTrue();
      assertThat(rwMutex.writeLock().tryLock()).isTrue();
      assertThat(semaphore.tryAcquire(5)).isTrue();
      if (!MasterSwitch.isOff()) {
        Await.idle(scheduler);
        Invariants.check(scheduler.sched());
      }
    }
  }

  /** The last goroutines that wait for each other wait until they are interrupted. */
  private void repeat(Step step) throws IOException {
    for (int i = 0; i < STEPS; i++) {
      try {
        step.run();
      } catch (InterruptedException e) {
        interrupted.incrementAndGet();
      }
    }
    left.countDown();
  }

  private void connect(ServerSocket server) throws InterruptedException {
    while (left.getCount() > 0) {
      try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
          Socket accepted = server.accept()) {
        accepted.getInputStream().read();
      } catch (IOException e) {
        boolean _ = Thread.interrupted(); // closed by an interrupt
      }
    }
  }

  private void storm() {
    Goroutine[] targets = all.toArray(Goroutine[]::new);
    SplittableRandom random = new SplittableRandom();
    while (left.getCount() > 0 && !Thread.currentThread().isInterrupted()) {
      targets[random.nextInt(targets.length)].interrupt();
    }
    for (Goroutine each : targets) {
      while (each.state() != Goroutine.State.DEAD && !Thread.currentThread().isInterrupted()) {
        each.interrupt();
        Thread.yield();
      }
    }
  }
}
