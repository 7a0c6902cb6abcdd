package io.heddle.cluster.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.heddle.Chan;
import io.heddle.cluster.ChannelDepth;
import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterObserver;
import io.heddle.cluster.ClusterOptions;
import io.heddle.cluster.ClusterStatus;
import io.heddle.cluster.ClusterStatus.ChannelStatus;
import io.heddle.cluster.ClusterStatus.MemberStatus;
import io.heddle.cluster.ClusterStatus.TaskStatus;
import io.heddle.cluster.Delivery;
import io.heddle.cluster.Remote;
import io.heddle.cluster.RemoteChan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a look at a cluster shows, on each engine. */
@Timeout(60)
public abstract class StatusContract extends TwoNodes {
  private static final Duration LEASE = Duration.ofSeconds(10);

  private static ChannelStatus channel(ClusterStatus status, String name) {
    return status.channels().stream()
        .filter(each -> each.name().equals(name))
        .findAny()
        .orElseThrow();
  }

  /** Looks until all members have answered, which a slow machine may not do within a second. */
  private static ClusterStatus answered(Cluster on) throws InterruptedException {
    List<ClusterStatus> last = new ArrayList<>();
    await(
        () -> {
          last.add(on.status());
          return last.getLast().members().stream().allMatch(MemberStatus::hasAnswered);
        },
        () -> "answers of " + last.getLast().members());
    return last.getLast();
  }

  /** Looks until a remote goroutine is seen. */
  private static TaskStatus task(Cluster on) throws InterruptedException {
    List<TaskStatus> seen = new ArrayList<>();
    await(() -> seen.addAll(on.status().tasks()), () -> "a remote goroutine");
    return seen.getFirst();
  }

  @Test
  void membersAreThoseThatAreOpen() throws Exception {
    ClusterStatus status = answered(a);
    assertThat(status.members())
        .extracting(each -> each.member().id())
        .containsExactlyInAnyOrder(a.id(), b.id());
    assertThat(status.engine()).isNotEmpty();
    b.close();
    assertThat(a.status().members()).extracting(each -> each.member().id()).containsExactly(a.id());
  }

  @Test
  void channelsShowWhatIsStoredHeldAndSettled() throws Exception {
    RemoteChan<String> out =
        a.chan("orders", String.class).capacity(10).lease(LEASE).attempts(2).open();
    for (String value : List.of("one", "two", "three")) {
      out.send(value);
    }
    ChannelDepth before = channel(b.status(), "orders").depth();
    assertThat(before.stored()).isEqualTo(3);
    assertThat(before.unacknowledged()).isZero();
    assertThat(before.lag()).isGreaterThanOrEqualTo(Duration.ZERO);
    assertThat(before.deadLetters()).isZero();

    RemoteChan<String> in =
        b.chan("orders", String.class).capacity(10).lease(LEASE).attempts(2).open();
    in.receive().ack();
    in.receive().reject("not an order");
    Delivery<String> again = in.receive();
    again.retry();
    Delivery<String> held = in.receive();
    assertThat(held.attempt()).isEqualTo(2);
    await(() -> channel(a.status(), "orders").depth().stored() == 1, () -> "one message");
    ChannelStatus now = channel(answered(a), "orders");
    assertThat(now.capacity()).isEqualTo(10);
    assertThat(now.isClosed()).isFalse();
    assertThat(now.depth().unacknowledged()).isEqualTo(1);
    assertThat(now.depth().deadLetters()).isEqualTo(1);
    assertThat(now.stats().sent()).isEqualTo(3);
    assertThat(now.stats().received()).isEqualTo(4);
    assertThat(now.stats().repeated()).isEqualTo(1);
    assertThat(now.stats().dead()).isEqualTo(1);
    assertThat(now.stats().holding()).isEqualTo(1);
    assertThat(out.depth().stored()).isEqualTo(1);

    held.ack();
    out.close();
    await(() -> channel(b.status(), "orders").depth().stored() == 0, () -> "no message");
    ChannelStatus end = channel(b.status(), "orders");
    assertThat(end.isClosed()).isTrue();
    assertThat(end.depth().lag()).isEqualTo(Duration.ZERO);
  }

  @Test
  void manyChannelsAreCountedOverSeveralAnswers() throws Exception {
    Map<String, Long> sent = new TreeMap<>();
    for (int i = 0; i < 320; i++) {
      String name = "c" + i;
      RemoteChan<String> chan = a.chan(name, String.class).open();
      chan.send("x");
      sent.put(name, 1L);
    }
    Map<String, Long> shown = new TreeMap<>();
    ClusterStatus status = answered(b);
    status.channels().forEach(each -> shown.put(each.name(), each.stats().sent()));
    assertThat(shown).isEqualTo(sent);
    assertThat(status.moreChannels()).isZero();
  }

  @Test
  void remoteGoroutinesAreShownWhileTheyRun() throws Exception {
    Chan<Boolean> goOn = Chan.make();
    b.register(
        "wait",
        String.class,
        String.class,
        (_, text) -> {
          goOn.receive();
          return text;
        });
    Remote<String> remote = a.function("wait", String.class, String.class).go("done");
    TaskStatus task = task(a);
    assertThat(task.function()).isEqualTo("wait");
    assertThat(task.caller()).isEqualTo(a.id());
    assertThat(task.node()).isEqualTo(b.id());
    assertThat(task.runsFor()).isPositive();
    goOn.send(true);
    assertThat(remote.await()).isEqualTo("done");
    await(() -> answered(a).tasks().isEmpty(), () -> "the end of it");
  }

  @Test
  void observerIsNoMember() throws Exception {
    a.chan("orders", String.class).open().send("one");
    try (ClusterObserver observer = observe(options())) {
      assertThat(observer.status().members()).hasSize(2);
      await(
          () -> channel(observer.status(), "orders").stats().sent() == 1,
          () -> "the answer of the node that sent");
    }
    assertThat(a.members()).hasSize(2);
  }

  @Test
  void deletedChannelIsNotMadeAgainByALook() throws Exception {
    RemoteChan<String> chan = a.chan("orders", String.class).open();
    a.delete("orders");
    assertThat(chan.depth()).isNull();
    assertThat(b.status().channels()).isEmpty();
  }

  @Test
  void channelsAreToldToThoseThatWatch() throws Exception {
    RemoteChan<String> first = a.chan("first", String.class).open();
    List<Map.Entry<String, RemoteChan<?>>> told = new ArrayList<>();
    Runnable end = a.watchChannels(each -> told.add(entry(each.name(), each)));
    RemoteChan<String> second = a.chan("second", String.class).open();
    end.run();
    a.chan("third", String.class).open();
    assertThat(told).containsExactly(entry("first", first), entry("second", second));
  }

  /** Opens an observer on the engine under test. */
  protected abstract ClusterObserver observe(ClusterOptions options) throws Exception;
}
