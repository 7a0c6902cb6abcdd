package io.heddle.bench.rows;

import com.softwaremill.jox.Channel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** Jox's rows: its channels on JDK virtual threads. Rows without a channel are those of the JDK. */
final class JoxRows extends VirtualThreadRows {
  @Override
  public long ring(int rounds) throws Exception {
    return run(
        () -> {
          Channel<Integer> first = Channel.newRendezvousChannel();
          Channel<Integer> last = first;
          for (int i = 1; i < RING; i++) {
            Channel<Integer> from = last;
            Channel<Integer> to = Channel.newRendezvousChannel();
            start(
                () -> {
                  for (int r = 0; r < rounds; r++) {
                    to.send((from.receive() + 1) & 127);
                  }
                });
            last = to;
          }
          int token = 0;
          for (int r = 0; r < rounds; r++) {
            first.send(token);
            token = (last.receive() + 1) & 127;
          }
          return (long) token;
        });
  }

  @Override
  public long pairs(int n) throws Exception {
    return run(
        () -> {
          AtomicLong sum = new AtomicLong();
          CountDownLatch all = new CountDownLatch(n / 2);
          for (int i = 0; i < n / 2; i++) {
            Channel<Integer> ping = Channel.newRendezvousChannel();
            Channel<Integer> pong = Channel.newRendezvousChannel();
            start(() -> answer(ping, pong));
            start(
                () -> {
                  sum.addAndGet(ask(ping, pong));
                  all.countDown();
                });
          }
          all.await();
          return sum.get();
        });
  }

  private static void answer(Channel<Integer> ping, Channel<Integer> pong)
      throws InterruptedException {
    for (int i = 0; i < PAIR_ROUNDS; i++) {
      pong.send(ping.receive());
    }
  }

  private static long ask(Channel<Integer> ping, Channel<Integer> pong)
      throws InterruptedException {
    long sum = 0;
    for (int i = 0; i < PAIR_ROUNDS; i++) {
      ping.send(i);
      sum += pong.receive();
    }
    return sum;
  }

  /**
   * Releases the receivers one by one, because closing a channel with this many receivers overflows
   * the stack.
   */
  @Override
  public Parked park(int n) throws Exception {
    Channel<Integer> gate = Channel.newRendezvousChannel();
    AtomicLong woken = new AtomicLong();
    CountDownLatch started = new CountDownLatch(n);
    CountDownLatch ended = new CountDownLatch(n);
    for (int i = 0; i < n; i++) {
      start(
          () -> {
            started.countDown();
            gate.receive();
            woken.incrementAndGet();
            ended.countDown();
          });
    }
    started.await();
    return () -> {
      for (int i = 0; i < n; i++) {
        gate.send(1);
      }
      ended.await();
      return woken.get();
    };
  }
}
