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
 * Operations that do not wait allocate nothing, on a platform thread and in a goroutine. An
 * operation that waits allocates only its waiter, and a reused select not even that.
 */
@HangGuard
class AllocationTest {
  private static final int OPS = 100_000;
  private static final int ATTEMPTS = 10;
  private static final Integer ITEM = 1;

  /**
   * The smallest object has 16 bytes. Fewer bytes per operation cannot come from every operation.
   */
  private static final double NOTHING = 1;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Chan<Integer> chan = Chan.make(128);
  private @Nullable Object sink;

  @Test
  void bufferedSendAndReceiveAllocateNothing() throws Exception {
    assertAllocatesNothing(
        () -> {
          chan.send(ITEM);
          sink = chan.receive();
        });
  }

  @Test
  void trySendAndTryReceiveAllocateNothing() throws Exception {
    assertAllocatesNothing(
        () -> {
          sink = chan.trySend(ITEM);
          sink = chan.tryReceive();
        });
  }

  @Test
  void tryReceiveFromEmptyChannelAllocatesNothing() throws Exception {
    assertAllocatesNothing(() -> sink = chan.tryReceive());
  }

  @Test
  void trySendToFullChannelAllocatesNothing() throws Exception {
    Chan<Integer> full = Chan.make();
    assertAllocatesNothing(() -> sink = full.trySend(ITEM));
  }

  @Test
  void receiveFromClosedChannelAllocatesNothing() throws Exception {
    chan.close();
    assertAllocatesNothing(() -> sink = chan.receive());
  }

  /** At least one of the two cases is always ready. */
  @Test
  void selectWithReusedCasesAllocatesNothing() throws Exception {
    Case<?>[] cases = {Select.send(chan, ITEM), Select.recv(chan)};
    assertAllocatesNothing(() -> sink = Select.select(cases));
  }

  @Test
  void nonBlockingSelectWithReusedCasesAllocatesNothing() throws Exception {
    Case<?>[] cases = {Select.recv(chan), Select.recv(Chan.<Integer>make()), Select.orElse()};
    assertAllocatesNothing(() -> sink = Select.select(cases));
  }

  @Test
  void uncontendedMutexAllocatesNothing() throws Exception {
    Mutex mutex = new Mutex();
    assertAllocatesNothing(
        () -> {
          mutex.lock();
          mutex.unlock();
        });
  }

  /** Two of the four operations wait: on one P, each sender finds the receiver waiting. */
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
  void roundTripWithSelectAllocatesOneWaiter() throws Exception {
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

  /** The next two tests show that the measurement can fail. */
  @Tag("full")
  @Test
  void measurementDetectsSelectWithNewCases() throws Exception {
    Task broken = () -> sink = Select.select(Select.send(chan, ITEM), Select.recv(chan));
    assertThat(bytesOnThisThread(broken)).isGreaterThan(NOTHING);
    assertThat(bytesInAGoroutine(broken)).isGreaterThan(NOTHING);
  }

  @Test
  void measurementDetectsNewObjects() throws Exception {
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

  /**
   * Starts an echo goroutine, which already waits when this method returns because there is one P.
   */
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

  /** The JVM counts allocations of goroutines for their M, so this method measures all threads. */
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
   * Returns the bytes per operation, the minimum of several attempts. One-time allocations of the
   * JVM (loading a class, linking a call, discarding compiled code) and those of other threads do
   * not occur in every attempt. An allocation of the operation does.
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
