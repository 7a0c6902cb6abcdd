package openjdk.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Exchanger;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import openjdk.Pinned;
import openjdk.VirtualTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Short stress tests of all features, modelled on the tests in stress/: about a second each. */
class StressTest extends VirtualTest {
  private static final int ROUNDS = 2_000;

  private final AtomicBoolean done = new AtomicBoolean();

  @AfterEach
  void endAll() {
    done.set(true);
  }

  /** ParkALot.java. */
  @Test
  void parks() throws Exception {
    manyTimes(50, () -> repeat(200, () -> LockSupport.parkNanos(1 + random(100_000))));
  }

  /** ParkAfterTimedPark.java. */
  @Test
  void parksAfterTimedParks() throws Exception {
    for (int i = 0; i < 200; i++) {
      Started<Void> started =
          start(
              () -> {
                LockSupport.parkNanos(random(50_000));
                LockSupport.park();
              });
      while (started.thread().isAlive()) {
        LockSupport.unpark(started.thread());
        Thread.yield();
      }
      started.result();
    }
  }

  /** SleepALot.java. */
  @Test
  void sleeps() throws Exception {
    AtomicInteger slept = new AtomicInteger();
    manyTimes(
        2_000,
        () -> {
          Thread.sleep(10);
          slept.incrementAndGet();
        });
    assertThat(slept).hasValue(2_000);
  }

  /** YieldALot.java. */
  @Test
  void yields() throws Exception {
    manyTimes(20, () -> repeat(ROUNDS, Thread::yield));
  }

  /** PinALot.java. */
  @Test
  void pins() throws Exception {
    manyTimes(
        4, () -> Pinned.run(() -> repeat(300, () -> LockSupport.parkNanos(1 + random(20_000)))));
  }

  /** PingPong.java. */
  @Test
  void pingPong() throws Exception {
    pingPong(new SynchronousQueue<>(), new SynchronousQueue<>());
    pingPong(new LinkedTransferQueue<>(), new LinkedTransferQueue<>());
  }

  /** PingPong.java, with an exchanger. */
  @Test
  void exchanges() throws Exception {
    Exchanger<Integer> exchanger = new Exchanger<>();
    Started<Integer> one = call(() -> exchange(exchanger, 0));
    Started<Integer> other = call(() -> exchange(exchanger, 1));
    assertThat(one.result() + other.result()).isEqualTo(1);
  }

  /** Skynet.java. */
  @Test
  void skynet() throws Exception {
    assertThat(call(() -> skynet(0, 10_000)).result()).isEqualTo(10_000L * 9_999 / 2);
  }

  /** Skynet100kWithMonitors.java. */
  @Test
  void skynetWithMonitors() throws Exception {
    assertThat(call(() -> skynetWithMonitors(0, 10_000)).result()).isEqualTo(10_000L * 9_999 / 2);
  }

  /** LotsOfContendedMonitorEnter.java. */
  @Test
  void contendedMonitors() throws Exception {
    Object[] monitors = new Object[16];
    for (int i = 0; i < monitors.length; i++) {
      monitors[i] = new Object();
    }
    manyTimes(64, () -> repeat(100, () -> nested(monitors, 0)));
  }

  /** LotsOfUncontendedMonitorEnter.java. */
  @Test
  void uncontendedMonitors() throws Exception {
    virtually(
        () -> {
          List<Object> monitors = new ArrayList<>();
          for (int i = 0; i < 10_000; i++) {
            Object monitor = new Object();
            monitors.add(monitor);
            synchronized (monitor) {
              if (i % 1_000 == 0) {
                Thread.yield();
              }
            }
          }
        });
  }

  /** TimedWaitALot.java. */
  @Test
  void timedWaits() throws Exception {
    Object monitor = new Object();
    Thread notifier =
        Thread.ofVirtual()
            .start(
                () -> {
                  while (!done.get()) {
                    synchronized (monitor) {
                      monitor.notify();
                    }
                    LockSupport.parkNanos(100_000);
                  }
                });
    manyTimes(
        50,
        () -> {
          for (int i = 0; i < 50; i++) {
            synchronized (monitor) {
              monitor.wait(1 + random(3));
            }
          }
        });
    done.set(true);
    notifier.join();
  }

  /** TimedGet.java. */
  @Test
  void timedPolls() throws Exception {
    for (int i = 0; i < 300; i++) {
      int n = i;
      SynchronousQueue<Integer> queue = new SynchronousQueue<>();
      Started<Integer> receiver = call(() -> queue.poll(1, TimeUnit.MINUTES));
      virtually(() -> queue.put(n));
      assertThat(receiver.result()).isEqualTo(n);
    }
  }

  /**
   * GetStackTraceALot.java and similar tests: stacks of threads that park, wait for monitors, wait
   * with a time limit, or are pinned.
   */
  @Test
  void stackTraces() throws Exception {
    Object monitor = new Object();
    List<Started<Void>> all =
        List.of(
            start(() -> untilDone(() -> LockSupport.parkNanos(1 + random(10_000)))),
            start(() -> untilDone(Thread::yield)),
            start(() -> untilDone(() -> enter(monitor))),
            start(() -> untilDone(() -> enter(monitor))),
            start(
                () ->
                    untilDone(
                        () -> {
                          synchronized (monitor) {
                            monitor.wait(1);
                          }
                        })),
            start(
                () ->
                    Pinned.run(() -> untilDone(() -> LockSupport.parkNanos(1 + random(10_000))))));
    for (int i = 0; i < 3_000; i++) {
      StackTraceElement[] stack = all.get(i % all.size()).thread().getStackTrace();
      assertThat(stack.length == 0 || mentions(stack, "FutureTask.run")).isTrue();
    }
    done.set(true);
    awaitAll(all);
  }

  private static void repeat(int times, Task task) throws Exception {
    for (int i = 0; i < times; i++) {
      task.run();
    }
  }

  private void untilDone(Task task) throws Exception {
    while (!done.get()) {
      task.run();
    }
  }

  private static int random(int bound) {
    return ThreadLocalRandom.current().nextInt(bound);
  }

  private static void enter(Object monitor) {
    synchronized (monitor) {
      Thread.yield();
    }
  }

  private static void nested(Object[] monitors, int from) {
    if (from < monitors.length) {
      synchronized (monitors[from]) {
        if (random(20) == 0) {
          Thread.yield();
        }
        nested(monitors, from + 1 + random(8));
      }
    }
  }

  private static void pingPong(BlockingQueue<Integer> out, BlockingQueue<Integer> back)
      throws Exception {
    Started<Void> pong =
        start(
            () -> {
              for (int i = 0; i < ROUNDS; i++) {
                back.put(out.take() + 1);
              }
            });
    virtually(
        () -> {
          for (int i = 0; i < ROUNDS; i++) {
            out.put(i);
            assertThat(back.take()).isEqualTo(i + 1);
          }
        });
    pong.result();
  }

  private static int exchange(Exchanger<Integer> exchanger, int mine) throws Exception {
    int value = mine;
    for (int i = 0; i < ROUNDS; i++) {
      value = exchanger.exchange(value);
    }
    return value;
  }

  private static long skynet(int number, int size) throws InterruptedException {
    if (size == 1) {
      return number;
    }
    BlockingQueue<Long> results = new SynchronousQueue<>();
    int part = size / 10;
    for (int i = 0; i < 10; i++) {
      int child = number + i * part;
      Thread.startVirtualThread(
          () -> {
            try {
              results.put(skynet(child, part));
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          });
    }
    long sum = 0;
    for (int i = 0; i < 10; i++) {
      sum += results.take();
    }
    return sum;
  }

  private static long skynetWithMonitors(int number, int size) throws InterruptedException {
    if (size == 1) {
      return number;
    }
    long[] sum = new long[1];
    CountDownLatch left = new CountDownLatch(10);
    int part = size / 10;
    for (int i = 0; i < 10; i++) {
      int child = number + i * part;
      Thread.startVirtualThread(
          () -> {
            try {
              long result = skynetWithMonitors(child, part);
              synchronized (sum) {
                Thread.yield();
                sum[0] += result;
              }
              left.countDown();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          });
    }
    left.await();
    synchronized (sum) {
      return sum[0];
    }
  }
}
