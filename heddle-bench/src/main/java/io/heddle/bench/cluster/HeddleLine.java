package io.heddle.bench.cluster;

import io.heddle.Go;
import io.heddle.WaitGroup;
import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterException;
import io.heddle.cluster.ClusterOptions;
import io.heddle.cluster.Delivery;
import io.heddle.cluster.RemoteChan;
import java.util.function.Consumer;

/** A remote channel on NATS. */
@SuppressWarnings("try") // an interrupt ends the run
record HeddleLine(int batch) implements Line {
  private static final int SENDERS = 1_000;

  @Override
  public String name() {
    return batch == 1 ? "Heddle, 1000 goroutines" : "Heddle, batch(" + batch + "), 1000 goroutines";
  }

  @Override
  public String promise() {
    return "stored";
  }

  private static Cluster join(String server, String place, String node) throws Exception {
    return Cluster.open(server, ClusterOptions.defaults().cluster(place).node(node));
  }

  private RemoteChan<byte[]> open(Cluster on) throws InterruptedException {
    return on.chan(VALUES, byte[].class).capacity(CAPACITY).batch(batch).open();
  }

  @Override
  public SendingEnd send(String server, String place) throws Exception {
    Cluster cluster = join(server, place, "from");
    RemoteChan<byte[]> out = open(cluster);
    return new SendingEnd() {
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
        cluster.delete(VALUES);
        cluster.close();
      }
    };
  }

  @Override
  public AutoCloseable receive(String server, String place, Consumer<byte[]> taker)
      throws Exception {
    Cluster cluster = join(server, place, "to");
    RemoteChan<byte[]> in = open(cluster);
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
    return cluster;
  }
}
