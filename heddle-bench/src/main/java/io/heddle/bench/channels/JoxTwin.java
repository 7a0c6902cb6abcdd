package io.heddle.bench.channels;

import com.softwaremill.jox.Channel;
import com.softwaremill.jox.ChannelClosed;
import com.softwaremill.jox.Select;
import com.softwaremill.jox.SelectClause;
import com.softwaremill.jox.Sink;
import com.softwaremill.jox.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * Jox's twin: its channels on JDK virtual threads. Jox has no lock. The clauses of a select are
 * reused here, too.
 */
final class JoxTwin implements Twin {
  @Override
  public long pingPong(int n) throws Exception {
    return ThreadBody.async(
            () -> {
              Channel<Integer> ping = Channel.newRendezvousChannel();
              Channel<Integer> pong = Channel.newRendezvousChannel();
              ThreadBody.start(
                  () -> {
                    for (int i = 0; i < n; i++) {
                      pong.send(ping.receive());
                    }
                  });
              long sum = 0;
              for (int i = 0; i < n; i++) {
                ping.send(i & 127);
                sum += pong.receive();
              }
              return sum;
            })
        .get();
  }

  @Override
  public long buffered(int n) throws Exception {
    return ThreadBody.async(
            () -> {
              Channel<Integer> items = Channel.newBufferedChannel(CAPACITY);
              ThreadBody.start(
                  () -> {
                    produce(items, n);
                    items.done();
                  });
              return sum(items);
            })
        .get();
  }

  @Override
  public long mpmc(int n) throws Exception {
    return ThreadBody.async(
            () -> {
              Channel<Integer> items = Channel.newBufferedChannel(CAPACITY);
              List<Thread> producers = new ArrayList<>();
              List<Future<Long>> sums = new ArrayList<>();
              for (int w = 0; w < WORKERS; w++) {
                producers.add(ThreadBody.start(() -> produce(items, n / WORKERS)));
                sums.add(ThreadBody.async(() -> sum(items)));
              }
              for (Thread each : producers) {
                each.join();
              }
              items.done();
              long sum = 0;
              for (Future<Long> each : sums) {
                sum += each.get();
              }
              return sum;
            })
        .get();
  }

  @Override
  public long select(int n) throws Exception {
    return ThreadBody.async(
            () -> {
              SelectClause<Integer>[] clauses = clauses(n / WORKERS);
              long sum = 0;
              for (int i = 0; i < n; i++) {
                sum += Select.select(clauses);
              }
              return sum;
            })
        .get();
  }

  @Override
  public long mutex(int n) {
    throw new UnsupportedOperationException("Jox has no lock");
  }

  @Override
  public long skynet(int leaves) throws Exception {
    return ThreadBody.async(
            () -> {
              Channel<Long> result = Channel.newRendezvousChannel();
              ThreadBody.start(() -> skynet(result, 0, leaves));
              return result.receive();
            })
        .get();
  }

  @Override
  public void close() {}

  private static void produce(Sink<Integer> items, int n) throws InterruptedException {
    for (int i = 0; i < n; i++) {
      items.send(i & 127);
    }
  }

  private static long sum(Source<Integer> items) throws InterruptedException {
    long sum = 0;
    for (Object item = items.receiveOrClosed();
        !(item instanceof ChannelClosed);
        item = items.receiveOrClosed()) {
      sum += (Integer) item;
    }
    return sum;
  }

  @SuppressWarnings("unchecked")
  private static SelectClause<Integer>[] clauses(int itemsOfEach) {
    return Stream.generate(() -> feed(itemsOfEach).receiveClause())
        .limit(WORKERS)
        .toArray(SelectClause[]::new);
  }

  private static Source<Integer> feed(int n) {
    Channel<Integer> feed = Channel.newRendezvousChannel();
    ThreadBody.start(() -> produce(feed, n));
    return feed;
  }

  private static void skynet(Sink<Long> to, long first, int leaves) throws InterruptedException {
    if (leaves == 1) {
      to.send(first);
      return;
    }
    Channel<Long> sums = Channel.newRendezvousChannel();
    int each = leaves / FAN_OUT;
    for (int i = 0; i < FAN_OUT; i++) {
      long start = first + (long) i * each;
      ThreadBody.start(() -> skynet(sums, start, each));
    }
    long sum = 0;
    for (int i = 0; i < FAN_OUT; i++) {
      sum += sums.receive();
    }
    to.send(sum);
  }
}
