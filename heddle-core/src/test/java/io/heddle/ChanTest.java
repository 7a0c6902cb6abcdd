package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Channels: each value is received once, in order, by the receiver that waited longest. */
@HangGuard
class ChanTest {
  @Test
  void unbufferedSendWaitsForReceiver() throws Exception {
    OneP.run(
        () -> {
          Chan<String> c = Chan.make();
          Goroutine sender = Go.go(() -> c.send("hello"));
          yieldUntil(sender, "chan send");
          assertThat(c.length()).isZero();
          assertThat(c.receive()).isEqualTo("hello");
          sender.join();
        });
  }

  @Test
  void receiveWaitsForSender() throws Exception {
    Chan<String> c = Chan.make();
    AtomicReference<String> got = new AtomicReference<>();
    try (Scheduler scheduler = OneP.scheduler()) {
      Goroutine receiver = scheduler.go(() -> got.set(c.receive()));
      Await.until(receiver::waitReason, "chan receive");
      c.send("from a platform thread");
      receiver.join();
    }
    assertThat(got).hasValue("from a platform thread");
  }

  @Test
  void externalChannelNamesItsOtherSideInWaitReasons() throws Exception {
    Chan<String> c = Chan.external("remote orders", 1);
    try (Scheduler scheduler = OneP.scheduler()) {
      Goroutine receiver = scheduler.go(() -> c.receive());
      Await.until(receiver::waitReason, "chan receive (remote orders)");
      assertThat(scheduler.dump()).contains("[chan receive (remote orders)");
      c.send("first");
      receiver.join();
      c.send("fills the buffer");
      Goroutine sender = scheduler.go(() -> c.send("second"));
      Await.until(sender::waitReason, "chan send (remote orders)");
      assertThat(c.receive()).isEqualTo("fills the buffer");
      sender.join();
      assertThat(c.tryReceive()).isEqualTo("second");
      Goroutine select =
          scheduler.go(() -> Select.select(Select.recv(Chan.<String>make()), Select.recv(c)));
      Await.until(select::waitReason, "select (remote orders)");
      c.send("third");
      select.join();
    }
  }

  @Test
  void bufferHoldsItsCapacity() throws Exception {
    Chan<Integer> c = Chan.make(3);
    for (int i = 0; i < 3; i++) {
      assertThat(c.trySend(i)).isTrue();
    }
    assertThat(c.trySend(3)).isFalse();
    assertThat(c.length()).isEqualTo(3);
    assertThat(c.capacity()).isEqualTo(3);
    assertThat(c.receive()).isZero();
    assertThat(c.trySend(3)).isTrue();
    assertThat(drain(c)).containsExactly(1, 2, 3);
    assertThat(c.tryReceive()).isNull();
  }

  @Test
  void sendersOfFullBufferQueueInOrder() throws Exception {
    OneP.run(
        () -> {
          Chan<Integer> c = Chan.make(2);
          c.send(0);
          c.send(1);
          List<Goroutine> senders = new ArrayList<>();
          for (int i = 2; i < 6; i++) {
            int v = i;
            Goroutine g = Go.go(() -> c.send(v));
            yieldUntil(g, "chan send");
            senders.add(g);
          }
          List<Integer> got = new ArrayList<>();
          for (int i = 0; i < 6; i++) {
            got.add(c.receive());
          }
          assertThat(got).containsExactly(0, 1, 2, 3, 4, 5);
          for (Goroutine g : senders) {
            g.join();
          }
        });
  }

  @Test
  void receiverThatWaitedLongestReceivesFirst() throws Exception {
    OneP.run(
        () -> {
          Chan<Integer> c = Chan.make();
          AtomicIntegerArray got = new AtomicIntegerArray(5);
          List<Goroutine> receivers = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            int me = i;
            Goroutine g = Go.go(() -> got.set(me, c.receive()));
            yieldUntil(g, "chan receive");
            receivers.add(g);
          }
          for (int i = 0; i < 5; i++) {
            c.send(10 + i);
          }
          for (Goroutine g : receivers) {
            g.join();
          }
          assertThat(got).hasToString("[10, 11, 12, 13, 14]");
        });
  }

  @Test
  void closedChannelDrainsItsBufferThenReturnsNull() throws Exception {
    Chan<Integer> c = Chan.make(2);
    c.send(1);
    c.send(2);
    c.close();
    assertThat(c.isClosed()).isTrue();
    assertThat(c.receive()).isEqualTo(1);
    assertThat(c.tryReceive()).isEqualTo(2);
    assertThat(c.receive()).isNull();
    assertThat(c.tryReceive()).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void closeWakesAllReceivers(int capacity) throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
      Chan<Integer> c = Chan.make(capacity);
      AtomicInteger ends = new AtomicInteger();
      for (int i = 0; i < 100; i++) {
        Goroutine g =
            scheduler.go(
                () -> {
                  if (c.receive() == null) {
                    ends.incrementAndGet();
                  }
                });
        Await.until(g::waitReason, "chan receive");
      }
      c.close();
      Await.until(ends::get, 100);
    }
  }

  @Test
  void closeFailsWaitingSender() throws Exception {
    try (Scheduler scheduler = OneP.scheduler()) {
      Chan<Integer> c = Chan.make();
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      Goroutine sender =
          scheduler.go(
              () -> {
                try {
                  c.send(1);
                } catch (ClosedChanException e) {
                  thrown.set(e);
                }
              });
      Await.until(sender::waitReason, "chan send");
      c.close();
      sender.join();
      assertThat(thrown.get()).isInstanceOf(ClosedChanException.class);
      assertThat(c.receive()).as("the value that was not sent").isNull();
    }
  }

  @Test
  void misuseThrowsWithReason() {
    Chan<Integer> c = Chan.make(1);
    assertThatThrownBy(() -> c.send(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> c.trySend(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> Chan.make(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("capacity -1: allowed is 0 or more");
    c.close();
    assertThatThrownBy(c::close).isInstanceOf(ClosedChanException.class);
    assertThatThrownBy(() -> c.send(1)).isInstanceOf(ClosedChanException.class);
    assertThatThrownBy(() -> c.trySend(1)).isInstanceOf(ClosedChanException.class);
  }

  @Test
  void loopEndsWhenChannelIsClosedAndDrained() throws Exception {
    OneP.run(
        () -> {
          Chan<Integer> c = Chan.make(2);
          Go.go(
              () -> {
                for (int i = 0; i < 10; i++) {
                  c.send(i);
                }
                c.close();
              });
          int sum = 0;
          for (int v : c) {
            sum += v;
          }
          assertThat(sum).isEqualTo(45);
          assertThatThrownBy(() -> c.iterator().next()).isInstanceOf(NoSuchElementException.class);
        });
  }

  @Test
  void interruptedWaiterLeavesTheQueue() throws Exception {
    try (Scheduler scheduler = OneP.scheduler()) {
      Chan<Integer> c = Chan.make();
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      Goroutine receiver = scheduler.go(() -> thrown.set(catching(c::receive)));
      Await.until(receiver::waitReason, "chan receive");
      receiver.interrupt();
      receiver.join();
      assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
      assertThat(c.trySend(1)).as("no receiver waits").isFalse();
      Goroutine sender = scheduler.go(() -> thrown.set(catching(() -> c.send(2))));
      Await.until(sender::waitReason, "chan send");
      sender.interrupt();
      sender.join();
      assertThat(c.tryReceive()).as("a value that was not sent").isNull();
    }
  }

  @Test
  void interruptInLoopThrowsUncheckedAndKeepsTheFlag() throws Exception {
    try (Scheduler scheduler = OneP.scheduler()) {
      Chan<Integer> c = Chan.make();
      AtomicReference<Boolean> flag = new AtomicReference<>();
      Goroutine g =
          scheduler.go(
              () -> {
                try {
                  for (int v : c) {
                    throw new IllegalStateException("got " + v);
                  }
                } catch (CancelledException e) {
                  flag.set(Thread.interrupted());
                }
              });
      Await.until(g::waitReason, "chan receive");
      g.interrupt();
      g.join();
      assertThat(flag).hasValue(true);
    }
  }

  /**
   * A park needs stack space and throws if there is none. The waiter must not stay in the channel's
   * queue then.
   */
  @Test
  void waiterWithStackOverflowLeavesTheQueue() throws Exception {
    Chan<Integer> c = Chan.make();
    AtomicInteger received = new AtomicInteger();
    try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
      Goroutine g =
          scheduler.go(
              () -> {
                for (int i = 0; i < 200; i++) {
                  try {
                    receiveDeeper(c, i % 7, received);
                  } catch (StackOverflowError e) {
                    // nothing received
                  }
                }
                c.close();
              });
      int sent = 0;
      while (g.state() != Goroutine.State.DEAD) {
        try {
          sent += c.trySend(1) ? 1 : 0;
        } catch (ClosedChanException e) {
          break;
        }
      }
      g.join();
      assertThat(received).hasValue(sent);
    }
  }

  private static int receiveDeeper(Chan<Integer> c, int odd, AtomicInteger received)
      throws InterruptedException {
    try {
      return receiveDeeper(c, odd, received) + odd;
    } catch (StackOverflowError e) {
      if (c.receive() != null) {
        received.incrementAndGet();
      }
      return 0;
    }
  }

  /** Every value arrives once, in the order of its sender, whichever goroutine is interrupted. */
  @ParameterizedTest
  @CsvSource({"1, 0", "1, 3", "2, 0", "2, 1", "4, 0", "4, 16"})
  void noValueIsLostOrReceivedTwice(int procs, int capacity) throws Exception {
    int senders = 8;
    int each = 2_000;
    Chan<int[]> c = Chan.make(capacity);
    AtomicInteger received = new AtomicInteger();
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      List<Goroutine> sending = new ArrayList<>();
      List<Goroutine> receiving = new ArrayList<>();
      for (int s = 0; s < senders; s++) {
        int me = s;
        sending.add(scheduler.go(() -> sendAll(c, me, each)));
      }
      for (int r = 0; r < 4; r++) {
        receiving.add(scheduler.go(() -> receiveAll(c, received)));
      }
      while (received.get() < senders * each) {
        sending.get(received.get() % senders).interrupt();
        receiving.get(received.get() % 4).interrupt();
        Thread.onSpinWait();
      }
      c.close();
    }
    assertThat(received).hasValue(senders * each);
    assertThat(c.tryReceive()).isNull();
  }

  /** Must be called by the goroutine that has the only P. */
  private static void yieldUntil(Goroutine g, String reason) {
    while (!g.waitReason().equals(reason)) {
      Go.gosched();
    }
  }

  private static void sendAll(Chan<int[]> c, int me, int count) {
    for (int i = 0; i < count; ) {
      try {
        c.send(new int[] {me, i});
        i++;
      } catch (InterruptedException e) {
        // not sent: try again
      }
    }
  }

  private static void receiveAll(Chan<int[]> c, AtomicInteger received) {
    int[] last = new int[8];
    Arrays.fill(last, -1);
    for (; ; ) {
      try {
        int[] v = c.receive();
        if (v == null) {
          return;
        }
        if (v[1] <= last[v[0]]) {
          throw new AssertionError("out of order, or twice");
        }
        last[v[0]] = v[1];
        received.incrementAndGet();
      } catch (InterruptedException e) {
        // nothing received
      }
    }
  }

  private static List<Integer> drain(Chan<Integer> c) {
    List<Integer> all = new ArrayList<>();
    for (Integer v = c.tryReceive(); v != null; v = c.tryReceive()) {
      all.add(v);
    }
    return all;
  }

  private static Throwable catching(Task task) {
    try {
      task.run();
      return null;
    } catch (Throwable t) {
      return t;
    }
  }
}
