package io.heddle.cluster;

import static io.heddle.Select.after;
import static io.heddle.Select.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.Case;
import io.heddle.Chan;
import io.heddle.Select;
import io.heddle.cluster.local.LocalHub;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of deliveries and locks that are lost: by a clock, by the engine, by forgetting. */
@Timeout(120)
class DeliveryLossTest {
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final LocalHub hub = new LocalHub();
  private final List<Cluster> open = new ArrayList<>();

  /**
   * How far the wall clock has gone ahead of the monotonic one, as while a machine is suspended.
   */
  private final AtomicLong suspended = new AtomicLong();

  @TempDir private Path folder;

  @AfterEach
  void closeAll() {
    open.reversed().forEach(Cluster::close);
  }

  private Cluster node(String name, Supplier<LeaseTime> clock) throws Exception {
    ClusterOptions options = ClusterOptions.defaults().node(name).lease(LEASE);
    Cluster cluster = Cluster.open(hub.connect("loss", name), options, clock);
    open.add(cluster);
    return cluster;
  }

  private LeaseTime now() {
    LeaseTime now = LeaseTime.now();
    return new LeaseTime(now.nanos(), now.wallNanos() + suspended.get());
  }

  private static RemoteChan<String> words(Cluster on) throws InterruptedException {
    return on.chan("words", String.class).capacity(10).lease(LEASE).attempts(100).open();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - end).isNegative();
      TimeUnit.MILLISECONDS.sleep(2);
    }
  }

  private static int waiting(RemoteChan<String> in) throws InterruptedException {
    return ((Chan<?>) in.deliveries()).length();
  }

  @Test
  void leasesAreMeasuredByTheFasterClock() {
    LeaseTime start = new LeaseTime(100, 1_000);
    assertThat(start.until(new LeaseTime(150, 1_010))).isEqualTo(50);
    assertThat(start.until(new LeaseTime(110, 1_070))).as("suspended").isEqualTo(70);
    assertThat(start.until(new LeaseTime(120, 10))).as("the wall clock was set back").isEqualTo(20);
    LeaseTime now = LeaseTime.now();
    assertThat(now.until(now)).isZero();
  }

  @Test
  void suspendedMachineHasLostItsDeliveriesAndLocks() throws Exception {
    Cluster b = node("b", this::now);
    words(b).send("one");
    Delivery<String> held = words(b).receive();
    Lease mutex = b.mutex("ledger").lock();
    Lease permit = b.semaphore("slots", 1).acquire(1);
    suspended.set(PATIENCE.toNanos());
    assertThat(held.isStale()).isTrue();
    assertThat(mutex.isLost()).isTrue();
    assertThat(permit.isLost()).isTrue();
    assertThatThrownBy(held::ack)
        .isInstanceOf(StaleDeliveryException.class)
        .hasMessageContaining("the lease has ended");
    Case<?> told = Select.recv(mutex.lost());
    assertThat(select(told, after(PATIENCE))).isSameAs(told);
    Delivery<String> again = words(b).receive();
    assertThat(again.value()).isEqualTo("one");
    assertThat(again.attempt()).isGreaterThan(1);
    again.ack();
  }

  @Test
  void selectSkipsValuesThatWereLostWhileTheyWaited() throws Exception {
    Cluster b = node("b", this::now);
    RemoteChan<String> in = words(b);
    List<String> handled = new ArrayList<>();
    Case<?> next = in.receiving(handled::add);
    in.sendAll(List.of("one", "two", "three"));
    await(() -> in.stats().received() == 3);
    suspended.addAndGet(PATIENCE.toNanos());
    while (handled.size() < 3) {
      assertThat(select(next, after(PATIENCE))).isSameAs(next);
    }
    assertThat(handled).containsExactlyInAnyOrder("one", "two", "three");
    assertThat(in.stats().repeated()).isGreaterThanOrEqualTo(3);
    await(() -> in.stats().holding() == 0);
    assertThat(in.length()).as("each was acknowledged").isZero();
  }

  @Test
  void valuesThatWereLostLeaveTheLocalChannel() throws Exception {
    Cluster b = node("b", this::now);
    RemoteChan<String> in = words(b);
    assertThat(waiting(in)).isZero();
    in.sendAll(List.of("one", "two", "three"));
    await(() -> in.stats().received() == 3);
    hub.cut("b");
    suspended.addAndGet(PATIENCE.toNanos());
    await(() -> in.stats().holding() == 0);
    while (waiting(in) > 0) {
      TimeUnit.MILLISECONDS.sleep(2); // the timeout of the test ends this
    }
    hub.heal("b");
    for (int i = 0; i < 3; i++) {
      Delivery<String> again = in.receive();
      assertThat(again.attempt()).isGreaterThan(1);
      again.ack();
    }
  }

  /** A node whose clocks stand still believes in leases that the engine has ended. */
  private Delivery<String> refusedLater(Cluster a, RemoteChan<String> in) throws Exception {
    Delivery<String> held = in.receive();
    hub.cut("b");
    Delivery<String> taken = words(a).receive();
    assertThat(taken.id()).isEqualTo(held.id());
    hub.heal("b");
    assertThat(held.isStale()).isFalse();
    taken.ack();
    return held;
  }

  @Tag("full")
  @Test
  void refusalByTheEngineIsTold() throws Exception {
    LeaseTime still = LeaseTime.now();
    Cluster b = node("b", () -> still);
    RemoteChan<String> in = words(b);
    in.send("one");
    Delivery<String> first;
    Path file = folder.resolve("lost.jfr");
    try (Recording recording = new Recording()) {
      recording.start();
      first = refusedLater(node("a", LeaseTime::now), in);
      assertThatThrownBy(first::ackAndAwait)
          .isInstanceOf(StaleDeliveryException.class)
          .hasMessageContaining(first.id())
          .hasMessageContaining("the engine has refused it");
      recording.stop();
      recording.dump(file);
    }
    assertThat(RecordingFile.readAllEvents(file))
        .filteredOn(e -> e.getEventType().getName().equals("io.heddle.cluster.LeaseLost"))
        .anyMatch(e -> "remote words".equals(e.getString("held")));
    assertThatThrownBy(first::ackAndAwait)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("settled already");
  }

  @Test
  void cutNodeRecordsWhatItHasLost() throws Exception {
    Path file = folder.resolve("cut.jfr");
    Cluster b = node("b", LeaseTime::now);
    words(b).send("one");
    try (Recording recording = new Recording()) {
      recording.start();
      Delivery<String> held = words(b).receive();
      Lease lock = b.mutex("ledger").lock();
      hub.cut("b");
      assertThat(lock.lost().receive()).isNull();
      assertThat(held.context().done().receive()).isNull();
      hub.heal("b");
      recording.stop();
      recording.dump(file);
    }
    assertThat(RecordingFile.readAllEvents(file))
        .filteredOn(e -> e.getEventType().getName().equals("io.heddle.cluster.LeaseLost"))
        .extracting(e -> e.getString("held"))
        .contains("remote words", "remote lock ledger");
  }

  @Tag("full")
  @Test
  void forgottenDeliveryIsGivenBackWhenItWasCollected() throws Exception {
    Cluster b = node("b", LeaseTime::now);
    RemoteChan<String> in = b.chan("long", String.class).lease(LEASE.multipliedBy(5)).open();
    in.sendAll(List.of("forgotten", "kept"));
    Delivery<String> kept = forgetOne(in);
    await(
        () -> {
          System.gc();
          return in.stats().repeated() == 1;
        });
    Delivery<String> again = in.receive();
    assertThat(again.value()).isEqualTo("forgotten");
    assertThat(again.attempt()).isEqualTo(2);
    again.ack();
    assertThat(kept.isStale()).as("that of the delivery that is held").isFalse();
    kept.ackAndAwait();
    assertThat(in.length()).isZero();
  }

  private static Delivery<String> forgetOne(RemoteChan<String> in) throws InterruptedException {
    assertThat(in.receive().value()).isEqualTo("forgotten");
    return in.receive();
  }
}
