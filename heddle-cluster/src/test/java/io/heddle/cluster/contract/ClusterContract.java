package io.heddle.cluster.contract;

import static io.heddle.Go.go;
import static io.heddle.Select.after;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.Case;
import io.heddle.Chan;
import io.heddle.ClosedChanException;
import io.heddle.Context;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.WaitGroup;
import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterException;
import io.heddle.cluster.Codec;
import io.heddle.cluster.CodecException;
import io.heddle.cluster.DeadLetter;
import io.heddle.cluster.Delivery;
import io.heddle.cluster.Member;
import io.heddle.cluster.RemoteChan;
import io.heddle.cluster.UnsentException;
import io.heddle.cluster.Values;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What channels promise, tried with two nodes on a real engine. The file is long because each
 * promise has a test.
 */
@Timeout(120)
public abstract class ClusterContract extends TwoNodes {
  /** No lease ends here unless a node ends: a slow machine must not change what is counted. */
  private static final Duration LEASE = Duration.ofSeconds(10);

  /** A value with some structure. */
  public record Order(int number, String what) {}

  private static RemoteChan<Order> orders(Cluster on) throws InterruptedException {
    return on.chan("orders", Order.class).capacity(100).lease(LEASE).open();
  }

  private static RemoteChan<String> words(Cluster on) throws InterruptedException {
    return on.chan("words", String.class).capacity(10).lease(LEASE).open();
  }

  @Test
  void valueIsReceivedOnAnotherNode() throws Exception {
    orders(a).send(new Order(1, "warp"));
    try (Delivery<Order> delivery = orders(b).receive()) {
      assertThat(delivery.value()).isEqualTo(new Order(1, "warp"));
      assertThat(delivery.attempt()).isEqualTo(1);
      assertThat(delivery.sender()).isEqualTo(a.id());
      delivery.ack();
    }
    await(() -> orders(a).length() == 0, () -> "the acknowledgement");
    assertThat(orders(a).stats().sent()).isEqualTo(1);
    assertThat(orders(b).stats().acknowledged()).isEqualTo(1);
  }

  @Test
  void orderOfEachSenderIsKept() throws Exception {
    for (int batch : new int[] {1, 16}) {
      String chan = "ordered" + batch;
      RemoteChan<Order> out = a.chan(chan, Order.class).capacity(64).batch(batch).open();
      RemoteChan<Order> in = b.chan(chan, Order.class).capacity(64).batch(batch).open();
      WaitGroup senders = new WaitGroup();
      for (int s = 0; s < 8; s++) {
        String sender = "sender" + s;
        senders.go(
            () -> {
              for (int i = 0; i < 50; i += 2) {
                out.send(new Order(i, sender));
                out.sendAll(List.of(new Order(i + 1, sender)));
              }
            });
      }
      go(
          () -> {
            senders.await();
            out.close();
          });
      int[] next = new int[8];
      try (Values<Order> values = in.values()) {
        for (Order each : values) {
          int s = Integer.parseInt(each.what().substring("sender".length()));
          assertThat(each.number()).as(each.what()).isEqualTo(next[s]++);
        }
      }
      assertThat(next).containsOnly(50);
    }
  }

  @Test
  void sendAllSplitsByTheBatchAndKeepsTheOrder() throws Exception {
    RemoteChan<String> out = a.chan("many", String.class).capacity(400).batch(7).open();
    List<String> sent = IntStream.range(0, 100).mapToObj(Integer::toString).toList();
    out.sendAll(sent);
    out.close();
    List<String> received = new ArrayList<>();
    b.chan("many", String.class).capacity(400).batch(7).open().values().forEach(received::add);
    assertThat(received).isEqualTo(sent);
  }

  @Test
  void fullChannelBlocksTheSenderUntilAnAcknowledgement() throws Exception {
    RemoteChan<String> out = words(a);
    for (int i = 0; i < 10; i++) {
      out.send("" + i);
    }
    assertThat(out.trySend("refused")).isFalse();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Goroutine sender =
        go(
            () -> {
              try {
                out.send("late");
              } catch (Throwable t) {
                failure.set(t);
              }
            });
    awaitReason(sender, "chan send (remote words)");
    RemoteChan<String> in = words(b);
    Delivery<String> first = in.receive();
    assertThat(out.length()).as("sent before there was room").isEqualTo(10);
    first.ack();
    sender.join();
    assertThat(failure.get()).isNull();
    assertThat(out.length()).isEqualTo(10);
  }

  @Test
  void waitUnderAContextNamesTheChannel() throws Exception {
    RemoteChan<String> out = words(a);
    for (int i = 0; i < 10; i++) {
      out.send("" + i);
    }
    assertThat(out.trySend("refused")).isFalse();
    try (Context.Cancelable context = Context.background().withTimeout(PATIENCE)) {
      Goroutine sender = go(() -> context.run(() -> out.send("late")));
      awaitReason(sender, "select (remote words)");
      RemoteChan<String> in = words(b);
      for (int i = 0; i < 11; i++) {
        in.receive().ack();
      }
      sender.join();
      Case<?> next = in.receiving(_ -> {});
      Goroutine receiver = go(() -> select(recv(Chan.<String>make()), next));
      awaitReason(receiver, "select (remote words)");
      out.send("wakes it");
      receiver.join();
    }
  }

  @Test
  void confirmedAcknowledgementHasArrivedInTheEngine() throws Exception {
    words(a).send("one");
    words(b).receive().ackAndAwait();
    assertThat(words(a).length()).isZero();
    RemoteChan<String> out = a.chan("batched", String.class).capacity(20).batch(5).open();
    out.sendAll(List.of("two", "three"));
    RemoteChan<String> in = b.chan("batched", String.class).capacity(20).batch(5).open();
    in.receive().ackAndAwait();
    assertThat(out.length()).as("the other value is not settled").isEqualTo(1);
    in.receive().ackAndAwait();
    assertThat(out.length()).isZero();
  }

  @Test
  void handlerOfASelectRunsUnderTheContextOfItsDelivery() throws Exception {
    RemoteChan<String> in = words(b);
    try (Context.Cancelable context =
        Context.background().withValue(Cluster.TRACE, "00-abc-def-01").withTimeout(PATIENCE)) {
      context.run(() -> words(a).send("with a context"));
    }
    List<Context> seen = new ArrayList<>();
    select(in.receiving(_ -> seen.add(Context.current())), after(PATIENCE));
    assertThat(seen).hasSize(1);
    assertThat(seen.getFirst().value(Cluster.TRACE)).isEqualTo("00-abc-def-01");
    assertThat(Duration.between(Go.now(), seen.getFirst().deadline()))
        .isLessThanOrEqualTo(PATIENCE);
    assertThat(seen.getFirst().err()).as("after the acknowledgement").isNotNull();
    assertThat(Context.current().value(Cluster.TRACE)).isNull();
  }

  @Test
  void closedChannelOfDeadLettersKeepsTheItemInTheChannel() throws Exception {
    RemoteChan<String> in =
        b.chan("poisoned", String.class).capacity(10).attempts(1).window(1).open();
    in.dead().close();
    in.send("poison");
    in.send("good");
    Delivery<String> poison = in.receive();
    assertThatThrownBy(() -> poison.reject("no")).isInstanceOf(ClosedChanException.class);
    poison.retry(Duration.ZERO); // the last attempt: it would be a dead letter
    Delivery<String> good = in.receive();
    assertThat(good.value()).as("it does not stand in the way of others").isEqualTo("good");
    good.ackAndAwait();
    assertThat(in.length()).as("it is not lost").isEqualTo(1);
    assertThat(in.stats().dead()).isZero();
  }

  @Test
  void capacityBoundsItemsAlsoInBatches() throws Exception {
    RemoteChan<String> out = a.chan("bounded", String.class).capacity(20).batch(5).open();
    WaitGroup senders = new WaitGroup();
    for (int i = 0; i < 50; i++) {
      String value = "" + i;
      senders.go(() -> out.send(value));
    }
    await(() -> out.length() == 4, () -> "4 messages");
    assertThat(out.stats().sent()).isLessThanOrEqualTo(20);
    Set<String> received = new HashSet<>();
    RemoteChan<String> in = b.chan("bounded", String.class).capacity(20).batch(5).open();
    while (received.size() < 50) {
      Delivery<String> next = in.receive();
      received.add(next.value());
      next.ack();
    }
    senders.await();
  }

  @Test
  void closeEndsReceiversOnAllNodesAfterWhatIsLeft() throws Exception {
    RemoteChan<String> out = words(a);
    RemoteChan<String> in = words(b);
    List<String> received = new CopyOnWriteArrayList<>();
    Goroutine loop = go(() -> in.values().forEach(received::add));
    out.send("one");
    out.send("two");
    out.close();
    out.close();
    loop.join();
    assertThat(received).containsExactly("one", "two");
    assertThat(in.isDrained()).isTrue();
    assertThat(in.receive()).isNull();
    assertThatThrownBy(() -> out.send("three"))
        .isInstanceOf(ClosedChanException.class)
        .hasMessageContaining("words");
    await(in::isClosed, () -> "the close on the other node");
    assertThatThrownBy(() -> in.send("three")).isInstanceOf(ClosedChanException.class);
    Cluster late = node("late");
    assertThat(words(late).receive()).as("on a node that opens it later").isNull();
    assertThatThrownBy(() -> words(late).send("x")).isInstanceOf(ClosedChanException.class);
  }

  @Test
  void closedChannelIsNotDrainedWhileADeliveryIsOpen() throws Exception {
    words(a).send("one");
    Delivery<String> open = words(b).receive();
    words(a).close();
    Goroutine receiver = go(() -> assertThat(words(b).receive()).isNotNull());
    awaitReason(receiver, "chan receive (remote words)");
    open.retry(Duration.ZERO);
    receiver.join();
  }

  @Test
  void closeWakesABlockedSender() throws Exception {
    RemoteChan<String> out = words(a);
    for (int i = 0; i < 10; i++) {
      out.send("" + i);
    }
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Goroutine sender =
        go(
            () -> {
              try {
                out.send("late");
              } catch (Throwable t) {
                failure.set(t);
              }
            });
    awaitReason(sender, "chan send (remote words)");
    words(b).close();
    sender.join();
    assertThat(failure.get()).isInstanceOf(ClosedChanException.class);
    assertThat(out.length()).isEqualTo(10);
  }

  @Test
  void deletedChannelIsNewWhenItIsOpenedAgain() throws Exception {
    words(a).send("one");
    words(a).close();
    a.delete("words");
    b.delete("words");
    RemoteChan<String> again = a.chan("words", String.class).capacity(3).open();
    assertThat(again.length()).isZero();
    again.send("new");
  }

  @Test
  void oneSelectWaitsForLocalAndRemote() throws Exception {
    Chan<String> local = Chan.make(1);
    RemoteChan<String> in = words(b);
    RemoteChan<Order> out = orders(b);
    List<String> happened = new ArrayList<>();
    Case<?> remote = in.receiving(value -> happened.add("remote " + value));
    Case<?> here = recv(local, value -> happened.add("local " + value));
    Case<?> time = after(PATIENCE);

    local.send("x");
    assertThat(select(remote, here, time)).isSameAs(here);
    words(a).send("y");
    assertThat(select(remote, here, time)).isSameAs(remote);
    Case<?> send = out.sending(new Order(7, "z"), () -> happened.add("sent"));
    assertThat(select(send, here, time)).isSameAs(send);
    assertThat(orders(a).receive().value().number()).isEqualTo(7);
    assertThat(happened).containsExactly("local x", "remote y", "sent");
    await(() -> words(a).length() == 0, () -> "the acknowledgement of the select");
  }

  @Test
  void selectDoesNotSendToAFullChannel() throws Exception {
    RemoteChan<String> out = words(a);
    for (int i = 0; i < 10; i++) {
      out.send("" + i);
    }
    assertThat(out.trySend("refused")).isFalse();
    Case<?> send = out.sending("late");
    Case<?> time = after(Duration.ofMillis(120));
    assertThat(select(send, time)).isSameAs(time);
    assertThat(out.length()).isEqualTo(10);
    words(b).receive().ack();
    assertThat(select(send, after(PATIENCE))).isSameAs(send);
    words(b).close();
    await(out::isClosed, () -> "the close");
    assertThatThrownBy(() -> select(send, after(PATIENCE))).isInstanceOf(ClosedChanException.class);
  }

  @Test
  void handlerThatThrowsGivesTheValueBack() throws Exception {
    RemoteChan<String> in = words(b);
    words(a).send("again");
    AtomicInteger tries = new AtomicInteger();
    Case<?> work =
        in.receiving(
            _ -> {
              if (tries.incrementAndGet() == 1) {
                throw new IllegalStateException("first");
              }
            });
    assertThatThrownBy(() -> select(work)).hasMessage("first");
    select(work);
    assertThat(tries).hasValue(2);
  }

  @Test
  void retriedValueComesAgainAndEndsAsADeadLetter() throws Exception {
    RemoteChan<String> in =
        b.chan("words", String.class).capacity(10).lease(LEASE).attempts(3).open();
    words(a).send("poison");
    words(a).send("good");
    Set<String> good = new HashSet<>();
    List<Integer> attempts = new ArrayList<>();
    while (attempts.size() < 3) {
      Delivery<String> next = in.receive();
      if (next.value().equals("poison")) {
        attempts.add(next.attempt());
        next.retry(Duration.ofMillis(20));
      } else {
        good.add(next.value());
        next.ack();
      }
    }
    assertThat(attempts).containsExactly(1, 2, 3);
    try (Delivery<DeadLetter> dead = in.dead().receive()) {
      assertThat(new String(dead.value().bytes())).isEqualTo("poison");
      assertThat(dead.value().attempts()).isEqualTo(3);
      assertThat(dead.value().reason()).contains("3 times");
      dead.ack();
    }
    assertThat(in.stats().dead()).isEqualTo(1);
  }

  @Test
  void rejectedValueIsADeadLetterWithItsReason() throws Exception {
    words(a).send("bad");
    Delivery<String> delivery = words(b).receive();
    delivery.reject("it is bad");
    DeadLetter dead = words(a).dead().receive().value();
    assertThat(dead.reason()).isEqualTo("it is bad");
    assertThat(dead.channel()).isEqualTo("words");
    assertThat(dead.id()).isEqualTo(delivery.id());
    assertThat(dead.sender()).isEqualTo(a.id());
    assertThat(dead.node()).isEqualTo(b.id());
    await(() -> words(a).length() == 0, () -> "the removal of the rejected value");
  }

  @Test
  void valueThatCannotBeDecodedIsADeadLetterAndOthersPass() throws Exception {
    RemoteChan<byte[]> out = a.chan("mixed", new Raw()).open();
    out.send("{\"number\": 1, \"what\": \"good\", \"later\": [1, 2]}".getBytes());
    out.send("{\"number\": \"one\"}".getBytes());
    out.send("{\"number\": 2}".getBytes());
    RemoteChan<Order> in = b.chan("mixed", Order.class).open();
    assertThat(in.receive().value()).isEqualTo(new Order(1, "good"));
    assertThat(in.receive().value()).isEqualTo(new Order(2, null));
    assertThat(in.dead().receive().value().reason()).contains("cannot be decoded");
  }

  /** Writes bytes as they are, and says that they are JSON. */
  private static final class Raw implements Codec<byte[]> {
    @Override
    public String type() {
      return "json";
    }

    @Override
    public byte[] encode(byte[] value) {
      return value;
    }

    @Override
    public byte[] decode(byte[] bytes) {
      return bytes;
    }
  }

  @Test
  void nodeThatLeavesGivesBackWhatItHolds() throws Exception {
    for (int i = 0; i < 5; i++) {
      words(a).send("" + i);
    }
    Cluster leaver = node("leaver");
    RemoteChan<String> leaving = words(leaver);
    Delivery<String> held = leaving.receive();
    leaving.leave();
    assertThat(held.isStale()).isTrue();
    Cluster closing = node("closing");
    Delivery<String> other = words(closing).receive();
    closing.close();
    assertThat(other.isStale()).isTrue();
    Set<String> received = new HashSet<>();
    while (received.size() < 5) {
      Delivery<String> next = words(b).receive();
      received.add(next.value());
      next.ack();
    }
  }

  @Test
  void loopThatIsLeftEarlyGivesBackItsLastValue() throws Exception {
    words(a).send("one");
    words(a).send("two");
    try (Values<String> values = words(b).values()) {
      for (String each : values) {
        if (each.equals("two")) {
          break;
        }
      }
    }
    Delivery<String> again = words(b).receive();
    assertThat(again.value()).isEqualTo("two");
    assertThat(again.attempt()).isEqualTo(2);
  }

  @Test
  void deadlineAndTraceTravel() throws Exception {
    try (Context.Cancelable context =
        Context.background().withValue(Cluster.TRACE, "00-abc-def-01").withTimeout(PATIENCE)) {
      context.run(() -> words(a).send("with a context"));
    }
    words(a).send("without");
    Delivery<String> with = words(b).receive();
    assertThat(with.context().value(Cluster.TRACE)).isEqualTo("00-abc-def-01");
    assertThat(Duration.between(Go.now(), with.context().deadline()))
        .isPositive()
        .isLessThanOrEqualTo(PATIENCE);
    assertThat(with.context().err()).isNull();
    with.ack();
    assertThat(with.context().err()).as("after the acknowledgement").isNotNull();
    Delivery<String> without = words(b).receive();
    assertThat(without.context().deadline()).isNull();
    assertThat(without.context().value(Cluster.TRACE)).isNull();
  }

  @Test
  void sendEndsWithItsContextAndWasNotStored() throws Exception {
    RemoteChan<String> out = words(a);
    for (int i = 0; i < 10; i++) {
      out.send("" + i);
    }
    assertThat(out.trySend("refused")).isFalse();
    try (Context.Cancelable context = Context.background().withTimeout(Duration.ofMillis(100))) {
      assertThatThrownBy(() -> context.run(() -> out.send("never")))
          .isInstanceOf(UnsentException.class)
          .hasMessageContaining("words")
          .matches(e -> !((UnsentException) e).isUnknown() || out.stats().sent() == 10);
    }
    Goroutine sender = go(() -> assertInterrupted(out));
    awaitReason(sender, "chan send (remote words)");
    sender.interrupt();
    sender.join();
    words(b).receive().ack();
    await(() -> out.length() == 9, () -> "room");
    out.send("last");
    assertThat(out.length()).isEqualTo(10);
  }

  private static void assertInterrupted(RemoteChan<String> out) {
    assertThatThrownBy(() -> out.send("never")).isInstanceOf(InterruptedException.class);
  }

  @Test
  void misuseIsToldWithChannelEngineAndAddress() throws Exception {
    words(a);
    assertThatThrownBy(() -> b.chan("words", String.class).capacity(11).open())
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("words")
        .hasMessageContaining("capacity 10")
        .hasMessageContaining("capacity 11")
        .hasMessageContaining("engine");
    assertThatThrownBy(
            () -> a.chan("words", String.class).capacity(10).lease(LEASE).window(3).open())
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("window 64")
        .hasMessageContaining("window 3");
    assertThatThrownBy(() -> b.chan("words", Order.class).capacity(10).open())
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("codec string")
        .hasMessageContaining("codec json");
    assertThatThrownBy(() -> a.chan("threads", Thread.class))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("threads")
        .hasMessageContaining("java.lang.Thread")
        .hasMessageContaining("engine");
    assertThatThrownBy(() -> a.chan("no spaces", String.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no spaces");
    RemoteChan<String> small = a.chan("small", String.class).maxItemBytes(5).open();
    assertThatThrownBy(() -> small.send("123456"))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("small")
        .hasMessageContaining("6 bytes")
        .hasMessageContaining("5");
    small.send("12345");
    assertThat(small.length()).isEqualTo(1);
  }

  @Test
  void useAfterCloseIsRefusedAndWaitersAreWoken() throws Exception {
    Cluster gone = node("gone");
    RemoteChan<String> chan = words(gone);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Goroutine receiver =
        go(
            () -> {
              try {
                chan.receive();
              } catch (Throwable t) {
                failure.set(t);
              }
            });
    awaitReason(receiver, "chan receive (remote words)");
    gone.close();
    gone.close();
    receiver.join();
    assertThat(failure.get())
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("words")
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> chan.send("x"))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(chan::receive).isInstanceOf(ClusterException.class);
    assertThatThrownBy(() -> words(gone)).isInstanceOf(ClusterException.class);
    assertThatThrownBy(gone::members).isInstanceOf(ClusterException.class);
    assertThat(words(a).length()).isZero();
  }

  @Test
  void deliveryIsSettledOnce() throws Exception {
    words(a).send("once");
    Delivery<String> delivery = words(b).receive();
    delivery.ack();
    assertThatThrownBy(delivery::ack)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("words");
    assertThatThrownBy(() -> delivery.reject("x")).isInstanceOf(IllegalStateException.class);
    delivery.close();
    await(() -> words(a).length() == 0, () -> "the acknowledgement");
  }

  @Test
  void membersAreThoseThatAreOpen() throws Exception {
    Cluster c = node("c");
    assertThat(a.members().stream().map(Member::id))
        .containsExactlyInAnyOrder(a.id(), b.id(), c.id());
    Member self = b.members().stream().filter(m -> m.id().equals(b.id())).findFirst().orElseThrow();
    assertThat(self.name()).isEqualTo("b");
    assertThat(self.pid()).isEqualTo(ProcessHandle.current().pid());
    c.close();
    await(() -> a.members().size() == 2, () -> "the end of a member");
    assertThat(node("c").id()).as("a new id").isNotEqualTo(c.id());
  }
}
