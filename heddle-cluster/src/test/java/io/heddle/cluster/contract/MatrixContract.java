package io.heddle.cluster.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.Context;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterException;
import io.heddle.cluster.DeadLetter;
import io.heddle.cluster.Delivery;
import io.heddle.cluster.Lease;
import io.heddle.cluster.NodeDiedException;
import io.heddle.cluster.Remote;
import io.heddle.cluster.RemoteChan;
import io.heddle.cluster.RemoteFailureException;
import io.heddle.cluster.RemoteFunction;
import io.heddle.cluster.UnsentException;
import io.heddle.cluster.contract.MatrixNode.NewOrder;
import io.heddle.cluster.contract.MatrixNode.Order;
import io.heddle.cluster.contract.MatrixNode.OtherOrder;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows of the failure matrix in which one of two processes is killed, stopped, slow or newer. */
@Tag("full")
@Timeout(180)
public abstract class MatrixContract {
  /** Starts an engine. */
  protected abstract EngineServer start() throws Exception;

  private static Cluster open(EngineServer server) throws Exception {
    return Cluster.open(server.uri(), MatrixNode.options("here"));
  }

  private static RemoteFunction<String, String> function(Cluster on, String name) {
    return on.function(name, String.class, String.class);
  }

  @Test
  void workerThatIsKilledIsToldApartFromAFailure() throws Exception {
    try (EngineServer server = start();
        Cluster here = open(server);
        MatrixNode worker = new MatrixNode(server.uri(), "worker")) {
      String id = worker.line();
      Remote<String> failing = function(here, "fail").go("this");
      assertThatThrownBy(failing::await)
          .isInstanceOf(RemoteFailureException.class)
          .hasMessageContaining(id)
          .hasMessageContaining("cannot do this");

      Remote<String> once = function(here, "hold").go("once");
      assertThat(worker.line()).isEqualTo("began once");
      Remote<String> again = function(here, "hold").again(2).go("again");
      assertThat(worker.line()).isEqualTo("began again");
      worker.kill();
      assertThatThrownBy(once::await)
          .isInstanceOf(NodeDiedException.class)
          .hasMessageContaining("hold")
          .hasMessageContaining(id);
      here.register("hold", String.class, String.class, (_, input) -> input + " done here");
      assertThat(again.await()).isEqualTo("again done here");
    }
  }

  @Test
  void lockOfAKilledProcessIsFreeAfterItsLease() throws Exception {
    try (EngineServer server = start();
        Cluster here = open(server);
        MatrixNode holder = new MatrixNode(server.uri(), "holder")) {
      long token = Long.parseLong(holder.line());
      assertThat(here.mutex("ledger").tryLock()).isEmpty();
      holder.kill();
      try (Lease lease = here.mutex("ledger").lock()) {
        assertThat(lease.token()).isGreaterThan(token);
      }
    }
  }

  @Test
  void stoppedProcessLosesItsLockAndIsToldWhenItGoesOn() throws Exception {
    try (EngineServer server = start();
        Cluster here = open(server);
        MatrixNode holder = new MatrixNode(server.uri(), "holder")) {
      long token = Long.parseLong(holder.line());
      holder.signal("STOP");
      long next;
      try (Lease lease = here.mutex("ledger").lock()) {
        next = lease.token();
        assertThat(next).isGreaterThan(token);
        holder.signal("CONT");
        assertThat(holder.line()).isEqualTo("lost true");
        assertThat(lease.isLost()).as("that of the next holder").isFalse();
      }
      assertThat(Long.parseLong(holder.line())).isGreaterThan(next);
      assertThat(holder.exitCode()).isZero();
    }
  }

  @Test
  void fastProducerWaitsForASlowConsumerAndNothingIsDropped() throws Exception {
    int values = 1_000;
    try (EngineServer server = start();
        Cluster here = open(server);
        MatrixNode slow = new MatrixNode(server.uri(), "slow")) {
      RemoteChan<Order> out = MatrixNode.chan(here, "orders", Order.class);
      Goroutine producer =
          Go.go(
              () -> {
                for (int i = 0; i < values; i++) {
                  out.send(new Order(i, "fast"));
                }
                out.close();
              });
      long most = 0;
      while (!producer.join(Duration.ofMillis(5))) {
        most = Math.max(most, out.length());
      }
      assertThat(most).isBetween(MatrixNode.CAPACITY / 2L, (long) MatrixNode.CAPACITY);
      assertThat(slow.line()).isEqualTo("" + values);
    }
  }

  @Test
  void valueThatKillsEveryJvmBecomesADeadLetter() throws Exception {
    try (EngineServer server = start();
        Cluster here = open(server)) {
      RemoteChan<String> out = MatrixNode.chan(here, "poison", String.class);
      out.send("poison");
      int deaths = 0;
      while (deaths < MatrixNode.ATTEMPTS) {
        try (MatrixNode victim = new MatrixNode(server.uri(), "victim")) {
          assertThat(victim.line()).isEqualTo("poison");
          assertThat(victim.exitCode()).isEqualTo(134);
          deaths++;
        }
      }
      try (MatrixNode next = new MatrixNode(server.uri(), "victim")) {
        out.send("good");
        assertThat(next.line()).as("the poison is not delivered any more").isEqualTo("good");
        try (Delivery<DeadLetter> letter = out.dead().receive()) {
          assertThat(new String(letter.value().bytes())).isEqualTo("poison");
          assertThat(letter.value().attempts()).isEqualTo(MatrixNode.ATTEMPTS);
          assertThat(letter.value().reason()).contains("3 times and not acknowledged");
          letter.ackAndAwait();
        }
      }
    }
  }

  @Test
  void otherVersionsOfAValueAreReadOrBecomeDeadLetters() throws Exception {
    try (EngineServer server = start();
        Cluster here = open(server);
        Cluster other = Cluster.open(server.uri(), MatrixNode.options("other"))) {
      RemoteChan<Order> in = MatrixNode.chan(here, "orders", Order.class);
      try (MatrixNode newer = new MatrixNode(server.uri(), "newer")) {
        assertThat(newer.line()).isEqualTo("sent");
        assertThat(newer.exitCode()).isZero();
      }
      RemoteChan<OtherOrder> unreadable = MatrixNode.chan(other, "orders", OtherOrder.class);
      unreadable.send(new OtherOrder("two", "of another version"));
      in.send(new Order(3, "of this version"));
      Delivery<Order> first = in.receive();
      assertThat(first.value()).isEqualTo(new Order(1, "newer"));
      first.ackAndAwait();
      Delivery<Order> third = in.receive();
      assertThat(third.value()).isEqualTo(new Order(3, "of this version"));
      third.ackAndAwait();
      DeadLetter letter = in.dead().receive().value();
      assertThat(letter.reason()).contains("cannot be decoded").contains("Order");
      assertThat(new String(letter.bytes())).contains("of another version");
      in.leave();
      in.send(new Order(4, "older"));
      try (Cluster updated = Cluster.open(server.uri(), MatrixNode.options("updated"))) {
        Delivery<NewOrder> old = MatrixNode.chan(updated, "orders", NewOrder.class).receive();
        assertThat(old.value()).isEqualTo(new NewOrder(4, "older", null));
        old.ack();
      }
      assertThatThrownBy(() -> MatrixNode.chan(other, "orders", String.class))
          .isInstanceOf(ClusterException.class)
          .hasMessageContaining("codec json")
          .hasMessageContaining("codec string");
    }
  }

  @Test
  void engineThatIsLostForGoodIsToldToAllThatAskIt() throws Exception {
    try (EngineServer server = start()) {
      Cluster here =
          Cluster.open(
              server.uri(), MatrixNode.options("here").connectTimeout(Duration.ofSeconds(2)));
      RemoteChan<Order> orders = MatrixNode.chan(here, "orders", Order.class);
      orders.send(new Order(1, "held"));
      Delivery<Order> held = orders.receive();
      Lease lock = here.mutex("ledger").lock();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Goroutine receiver = Go.go(() -> receiveNothing(orders, failure));
      server.kill();
      assertThat(lock.lost().receive()).as("the end of the lease").isNull();
      assertThat(held.context().done().receive()).as("the loss of the delivery").isNull();
      assertThat(held.isStale()).isTrue();
      assertThatThrownBy(here::members)
          .isInstanceOf(ClusterException.class)
          .hasMessageContaining("127.0.0.1:" + server.port());
      assertThatThrownBy(() -> here.mutex("other").lock()).isInstanceOf(ClusterException.class);
      assertThatThrownBy(orders::length).isInstanceOf(ClusterException.class);
      assertThat(orders.depth()).isNull();
      try (Context.Cancelable soon = Context.background().withTimeout(Duration.ofMillis(500))) {
        assertThatThrownBy(() -> soon.run(() -> orders.send(new Order(2, "never"))))
            .isInstanceOf(UnsentException.class)
            .hasMessageContaining("orders");
      }
      here.close();
      receiver.join();
      assertThat(failure.get()).isInstanceOf(ClusterException.class).hasMessageContaining("closed");
    }
  }

  @Test
  void engineThatStartsLaterThanANodeIsFound() throws Exception {
    try (EngineServer server = start()) {
      server.kill();
      AtomicReference<Cluster> opened = new AtomicReference<>();
      Goroutine opener = Go.go(() -> opened.set(open(server)));
      server.restart();
      opener.join();
      try (Cluster here = opened.get()) {
        assertThat(here.members()).hasSize(1);
      }
    }
  }

  private static void receiveNothing(RemoteChan<?> from, AtomicReference<Throwable> failure)
      throws InterruptedException {
    try {
      failure.set(new AssertionError("received " + from.receive()));
    } catch (ClusterException e) {
      failure.set(e);
    }
  }
}
