package io.heddle.cluster.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterOptions;
import io.heddle.cluster.Delivery;
import io.heddle.cluster.RemoteChan;
import io.heddle.cluster.StaleDeliveryException;
import io.heddle.cluster.contract.EngineServer;
import io.heddle.cluster.contract.FailureContract;
import io.heddle.cluster.contract.MatrixNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Rows of the failure matrix that concern the line, the disk and senders. */
class EmbeddedFailureTest extends FailureContract {
  @Override
  protected EngineServer start(Path store) throws Exception {
    return HubProcess.start(store);
  }

  @Override
  protected boolean goesOnAfterAFullDisk() {
    return true;
  }

  @Test
  void hubThatStoodStillForLongerThanALeaseLosesNothing() throws Exception {
    ClusterOptions options = MatrixNode.options("here");
    try (HubProcess hub = HubProcess.start(folder.resolve("store"));
        Cluster here = Cluster.open(hub.uri(), options)) {
      RemoteChan<String> chan = MatrixNode.chan(here, "orders", String.class);
      chan.send("one");
      Delivery<String> held = chan.receive();
      hub.signal("STOP");
      Goroutine sender = Go.go(() -> chan.send("two"));
      assertThat(held.context().done().receive()).as("the loss of the delivery").isNull();
      hub.signal("CONT");
      sender.join();
      Map<String, Integer> received = new TreeMap<>();
      while (received.size() < 2) {
        try (Delivery<String> next = chan.receive()) {
          received.put(next.value(), next.attempt());
          next.ackAndAwait();
        }
      }
      assertThat(received.get("one")).isGreaterThan(1);
      assertThatThrownBy(held::ack).isInstanceOf(StaleDeliveryException.class);
      assertThat(chan.length()).isZero();
    }
  }
}
