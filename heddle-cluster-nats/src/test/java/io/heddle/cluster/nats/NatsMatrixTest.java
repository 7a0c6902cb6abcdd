package io.heddle.cluster.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.Context;
import io.heddle.cluster.Cluster;
import io.heddle.cluster.Delivery;
import io.heddle.cluster.Lease;
import io.heddle.cluster.RemoteChan;
import io.heddle.cluster.UnsentException;
import io.heddle.cluster.contract.EngineServer;
import io.heddle.cluster.contract.MatrixContract;
import io.heddle.cluster.contract.MatrixNode;
import io.heddle.cluster.contract.MatrixNode.Order;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rows of the failure matrix in which one of several processes is killed, slow or newer. */
class NatsMatrixTest extends MatrixContract {
  @Override
  protected EngineServer start() throws Exception {
    return NatsServer.start();
  }

  @Test
  void minorityConfirmsNothingAndGoesOnWhenAnotherServerIsBack() throws Exception {
    try (ThreeServers servers = new ThreeServers();
        Cluster here =
            ThreeServers.whenReady(() -> Cluster.open(servers.uri(), MatrixNode.options("here")))) {
      RemoteChan<Order> orders =
          here.chan("orders", Order.class).replicas(3).lease(MatrixNode.LEASE).open();
      for (int i = 0; i < 100; i++) {
        orders.send(new Order(i, "before"));
      }
      Lease lock = here.mutex("ledger").lock();
      servers.get(1).kill();
      servers.get(2).kill();
      assertThat(lock.lost().receive()).as("the end of the lease").isNull();
      try (Context.Cancelable soon = Context.background().withTimeout(Duration.ofSeconds(1))) {
        assertThatThrownBy(() -> soon.run(() -> orders.send(new Order(100, "meanwhile"))))
            .isInstanceOf(UnsentException.class);
      }
      servers.get(1).restart();
      orders.send(new Order(101, "after"));
      try (Lease next = here.mutex("ledger").lock()) {
        assertThat(next.token()).isGreaterThan(lock.token());
      }
      Set<Integer> received = new HashSet<>();
      while (!received.contains(101)) {
        Delivery<Order> next = orders.receive();
        received.add(next.value().number());
        next.ack();
      }
      assertThat(received).containsAll(IntStream.range(0, 100).boxed().toList());
    }
  }
}
