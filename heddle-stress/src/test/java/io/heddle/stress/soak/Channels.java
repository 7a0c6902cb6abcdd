package io.heddle.stress.soak;

import io.heddle.Chan;
import io.heddle.Go;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Senders and receivers on several schedulers share channels: unbuffered, with a small and with a
 * large buffer. The received values add up to the sent ones, and each receiver gets the values of
 * one sender in the order of sending.
 */
final class Channels implements Load {
  private static final int[] CAPACITIES = {0, 1, 128};

  private record Message(int sender, int number) {
    long checksum() {
      return (31L * sender + number) * 0x9E3779B97F4A7C15L;
    }
  }

  @Override
  public void step(Worker me) throws Exception {
    new Exchange(me).run();
  }

  @Override
  public Where where() {
    return Where.EVERYWHERE;
  }

  @Override
  public int workers() {
    return 2;
  }

  private static final class Exchange {
    private final Worker me;
    private final Chan<Message> chan;
    private final int senders;
    private final int receivers;
    private final int each;
    private final boolean yields;
    private final boolean tries;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong count = new AtomicLong();

    Exchange(Worker me) {
      this.me = me;
      this.chan = Chan.make(CAPACITIES[me.between(0, 2)]);
      this.senders = me.between(1, 4);
      this.receivers = me.between(1, 4);
      this.each = me.between(1, 400);
      this.yields = me.oneIn(4);
      this.tries = me.oneIn(4);
    }

    void run() throws Exception {
      Crew sending = new Crew(me);
      Crew receiving = new Crew(me);
      for (int i = 0; i < receivers; i++) {
        receiving.go(this::receive);
      }
      for (int i = 0; i < senders; i++) {
        int sender = i;
        sending.go(() -> send(sender));
      }
      sending.await();
      chan.close();
      receiving.await();
      Expect.same("messages received", count.get(), (long) senders * each);
      Expect.same("checksum", received.get(), sent.get());
      Expect.that(chan.receive() == null, "a value in a channel that is closed and drained");
      me.did(count.get());
    }

    private void send(int sender) throws InterruptedException {
      long sum = 0;
      for (int i = 0; i < each; i++) {
        Message message = new Message(sender, i);
        if (!tries || !chan.trySend(message)) {
          chan.send(message);
        }
        sum += message.checksum();
        if (yields && i % 16 == 0) {
          Go.gosched();
        }
      }
      sent.addAndGet(sum);
    }

    private void receive() throws InterruptedException {
      int[] last = new int[senders];
      Arrays.fill(last, -1);
      long sum = 0;
      long n = 0;
      for (Message m = next(n); m != null; m = next(n)) {
        Expect.that(m.number > last[m.sender], "out of order: " + m + " after " + last[m.sender]);
        last[m.sender] = m.number;
        if (!isDropped()) {
          sum += m.checksum();
          n++;
        }
      }
      received.addAndGet(sum);
      count.addAndGet(n);
    }

    private boolean isDropped() {
      return me.world.plan.has(Plan.Flaw.DROP) && me.world.takeFlaw(Plan.Flaw.DROP);
    }

    private Message next(long n) throws InterruptedException {
      Message there = tries ? chan.tryReceive() : null;
      if (there != null) {
        return there;
      }
      if (n % 8 != 0) {
        return chan.receive();
      }
      long since = System.nanoTime();
      Message message = chan.receive();
      me.world.tally.waited(Tally.Wait.CHANNEL, System.nanoTime() - since);
      return message;
    }
  }
}
