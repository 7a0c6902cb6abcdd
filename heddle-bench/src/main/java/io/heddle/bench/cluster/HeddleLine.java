package io.heddle.bench.cluster;

import io.heddle.Go;
import io.heddle.WaitGroup;
import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterException;
import io.heddle.cluster.ClusterOptions;
import io.heddle.cluster.Delivery;
import io.heddle.cluster.RemoteChan;
import java.util.function.Consumer;

/** A remote channel. */
final class HeddleLine implements Line {
  private static final int SENDERS = 1_000;
  private static final int CAPACITY = 50_000;

  private final int batch;
  private final Cluster from;
  private final Cluster to;
  private final RemoteChan<byte[]> out;

  HeddleLine(String url, int batch) throws Exception {
    this.batch = batch;
    ClusterOptions options =
        ClusterOptions.defaults().cluster("bench-" + Long.toHexString(System.nanoTime()));
    from = Cluster.open(url, options.node("from"));
    to = Cluster.open(url, options.node("to"));
    out = open(from);
  }

  private RemoteChan<byte[]> open(Cluster on) throws InterruptedException {
    return on.chan("values", byte[].class).capacity(CAPACITY).batch(batch).open();
  }

  @Override
  public String name() {
    return batch == 1 ? "Heddle" : "Heddle, batch(" + batch + ")";
  }

  @Override
  public int senders() {
    return SENDERS;
  }

  @Override
  public void receive(Consumer<byte[]> taker) throws Exception {
    RemoteChan<byte[]> in = open(to);
    var _ =
        Go.go(
            () -> {
              try {
                for (Delivery<byte[]> each = in.receive(); each != null; each = in.receive()) {
                  taker.accept(each.value());
                  each.ack();
                }
              } catch (ClusterException e) {
                // The line is closed.
              }
            });
  }

  @Override
  public void send(byte[] value) throws Exception {
    out.send(value);
  }

  @Override
  public void inAllSenders(Body body) throws Exception {
    WaitGroup all = new WaitGroup();
    for (int i = 0; i < SENDERS; i++) {
      all.go(body::run);
    }
    all.await();
  }

  @Override
  public void close() throws Exception {
    to.close();
    from.delete("values");
    from.close();
  }
}
