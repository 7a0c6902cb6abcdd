package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.heddle.internal.wait.WaitState;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What does not have to wait allocates nothing, on a platform thread and in a goroutine; what has to, only the waiter; a
 * select that is used again, not even that.
 */
@HangGuard
class AllocationTest {
  private static final int OPS = 100_000;
  private static final int ATTEMPTS = 10;
  private static final Integer ITEM = 1;

  /** The smallest object has 16 of them; what is below is not of each operation. */
  private static final double NOTHING = 1;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Chan<Integer> chan = Chan.make(128);
  private @Nullable Object sink;

  @Test
  void sendAndReceiveBuffered() throws Exception {
    assertAllocatesNothing(
        () -> {
          chan.send(ITEM);
          sink = chan.receive();
        });
  }

  @Test
  void trySendAndTryReceive() throws Exception {
    assertAllocatesNothing(
        () -> {
          sink = chan.trySend(ITEM);
          sink = chan.tryReceive();
        });
  }

  @Test
  void tryReceiveOfAnEmptyChannel() throws Exception {
    assertAllocatesNothing(() -> sink = chan.tryReceive());
  }

  @Test
  void trySendToAFullChannel() throws Exception {
    Chan<Integer> full = Chan.make();
    assertAllocatesNothing(() -> sink = full.trySend(ITEM));
  }

  @Test
  void receiveOfAClosedChannel() throws Exception {
    chan.close();
    assertAllocatesNothing(() -> sink = chan.receive());
  }

  /** Of the two at least one can always be done. */
  @Test
  void selectWithTheSameCases() throws Exception {
    Case<?>[] cases = {Select.send(chan, ITEM), Select.recv(chan)};
    assertAllocatesNothing(() -> sink = Select.select(cases));
  }

  @Test
  void selectWithTheSameCasesThatDoesNotWait() throws Exception {
    Case<?>[] cases = {Select.recv(chan), Select.recv(Chan.<Integer>make()), Select.orElse()};
    assertAllocatesNothing(() -> sink = Select.select(cases));
  }

  @Test
  void lockAndUnlock() throws Exception {
    Mutex mutex = new Mutex();
    assertAllocatesNothing(
        () -> {
          mutex.lock();
          mutex.unlock();
        });
  }

  /** Two of the four operations wait: on one P, whoever sends finds the other waiting. */
  @Test
  void roundTripAllocatesTwoWaiters() throws Exception {
    Chan<Integer> ping = Chan.make();
    Chan<Integer> pong = Chan.make();
    double bytes =
        bytesInAGoroutine(
            () -> startEcho(ping, pong),
            () -> {
              ping.send(ITEM);
              sink = pong.receive();
            },
            ping::close);
    assertThat(bytes).isLessThan(2 * sizeOfWaiter() + NOTHING);
  }

  @Test
  void roundTripWithASelectAllocatesTheOthersWaiter() throws Exception {
    Chan<Integer> ping = Chan.make();
    Chan<Integer> pong = Chan.make();
    Case<?>[] cases = {Select.recv(pong), Select.recv(Chan.<Integer>make())};
    double bytes =
        bytesInAGoroutine(
            () -> startEcho(ping, pong),
            () -> {
              ping.send(ITEM);
              sink = Select.select(cases);
            },
            ping::close);
    assertThat(bytes).isLessThan(sizeOfWaiter() + NOTHING);
  }

  /** These show that the measuring can fail. */
  @Tag("full")
  @Test
  void brokenSelectWithNewCases() throws Exception {
    Task broken = () -> sink = Select.select(Select.send(chan, ITEM), Select.recv(chan));
    assertThat(bytesOnThisThread(broken)).isGreaterThan(NOTHING);
    assertThat(bytesInAGoroutine(broken)).isGreaterThan(NOTHING);
  }

  @Test
  void brokenSendOfNewObjects() throws Exception {
    Chan<Object> objects = Chan.make(1);
    Task broken =
        () -> {
          objects.send(new Object());
          sink = objects.receive();
        };
    assertThat(bytesOnThisThread(broken)).isGreaterThan(NOTHING);
    assertThat(bytesInAGoroutine(broken)).isGreaterThan(NOTHING);
  }

  private static void assertAllocatesNothing(Task operation) throws Exception {
    assertThat(bytesOnThisThread(operation)).as("on a platform thread").isLessThan(NOTHING);
    assertThat(bytesInAGoroutine(operation)).as("in a goroutine").isLessThan(NOTHING);
  }

  /** It waits already when this returns: one P. */
  private static void startEcho(Chan<Integer> from, Chan<Integer> to) {
    Go.go(() -> echo(from, to));
    Go.gosched();
  }

  private static void echo(Chan<Integer> from, Chan<Integer> to) throws InterruptedException {
    for (Integer v : from) {
      to.send(v);
    }
  }

  private double sizeOfWaiter() throws Exception {
    return bytesOnThisThread(() -> sink = new WaitState());
  }

  private static double bytesOnThisThread(Task operation) throws Exception {
    return bytes(operation, THREADS::getCurrentThreadAllocatedBytes);
  }

  private static double bytesInAGoroutine(Task operation) throws Exception {
    return bytesInAGoroutine(() -> {}, operation, () -> {});
  }

  /** What goroutines allocate counts for their M; so that of all threads is asked for. */
  private static double bytesInAGoroutine(Task before, Task operation, Task after)
      throws Exception {
    double[] bytes = new double[1];
    OneP.run(
        () -> {
          before.run();
          bytes[0] = bytes(operation, THREADS::getTotalThreadAllocatedBytes);
          after.run();
        });
    return bytes[0];
  }

  /**
   * Per operation, the least of several attempts. What the JVM allocates once (to load a class, to link a call, when
   * compiled code is thrown away), and what other threads do meanwhile, is not in all of them; what an operation does is.
   */
  private static double bytes(Task operation, LongSupplier allocated) throws Exception {
    long least = Long.MAX_VALUE;
    for (int attempt = 0; attempt < ATTEMPTS && least >= OPS * NOTHING; attempt++) {
      long before = allocated.getAsLong();
      repeat(operation);
      least = Math.min(least, allocated.getAsLong() - before);
    }
    return (double) least / OPS;
  }

  private static void repeat(Task operation) throws Exception {
    for (int i = 0; i < OPS; i++) {
      operation.run();
    }
  }
}
