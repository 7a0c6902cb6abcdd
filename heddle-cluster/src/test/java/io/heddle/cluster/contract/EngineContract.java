package io.heddle.cluster.contract;

import static io.heddle.cluster.contract.Frames.bytes;
import static io.heddle.cluster.contract.Frames.done;
import static io.heddle.cluster.contract.Frames.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.cluster.ClusterException;
import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.Handed;
import io.heddle.cluster.spi.Log;
import io.heddle.cluster.spi.LogSpec;
import io.heddle.cluster.spi.LogSpec.Storage;
import io.heddle.cluster.spi.PublishResult;
import io.heddle.cluster.spi.Registry;
import io.heddle.cluster.spi.Registry.Ended;
import io.heddle.cluster.spi.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What the SPI promises, tried on an engine with two nodes. Nothing here depends on how long an
 * engine takes.
 *
 * <p>The file is long because each promise has a test.
 */
@Timeout(120)
public abstract class EngineContract {
  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final Duration LONG_LEASE = Duration.ofSeconds(60);
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final List<Engine> engines = new ArrayList<>();
  private String cluster;
  private Engine a;
  private Engine b;

  /**
   * Connects a node to the engine under test. Engines of one cluster name share their logs, keys
   * and messages; engines of different names share nothing.
   */
  protected abstract Engine connect(String cluster, String node) throws Exception;

  @BeforeEach
  void connectTwo() throws Exception {
    cluster = "contract" + NAMES.incrementAndGet() + "-" + Long.toHexString(System.nanoTime());
    a = join("a");
    b = join("b");
  }

  @AfterEach
  void disconnect() {
    engines.reversed().forEach(Engine::close);
  }

  private Engine join(String node) throws Exception {
    Engine engine = connect(cluster, node);
    engines.add(engine);
    return engine;
  }

  private static LogSpec spec(String name, int capacity, Duration lease) {
    return new LogSpec(name, capacity, 1 << 20, Storage.ANY, 1, lease);
  }

  private static Log log(Engine engine, String name) throws Exception {
    return engine.log(spec(name, 1_000, LONG_LEASE));
  }

  private static PublishResult put(Log log, String text) throws Exception {
    return done(log.publish(bytes(text), "id-" + text));
  }

  @Test
  void framesOfOneNodeArriveOnceAndInOrder() throws Exception {
    Log out = log(a, "orders");
    List<CompletionStage<PublishResult>> results = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      results.add(out.publish(bytes("" + i), "id-" + i));
    }
    for (CompletionStage<PublishResult> each : results) {
      assertThat(done(each)).isEqualTo(PublishResult.STORED);
    }
    long last = Long.MIN_VALUE;
    try (Frames in = new Frames(log(b, "orders"), 16)) {
      for (int i = 0; i < 200; i++) {
        Handed frame = in.next();
        assertThat(text(frame)).isEqualTo("" + i);
        assertThat(frame.attempt()).isEqualTo(1);
        assertThat(frame.sequence()).isGreaterThan(last);
        last = frame.sequence();
        done(frame.ack());
      }
      assertThat(in.waiting()).isZero();
    }
    assertThat(log(b, "orders").state().stored()).isZero();
  }

  @Test
  void tapThatIsOpenFirstGetsWhatIsPublishedLater() throws Exception {
    try (Frames in = new Frames(log(b, "orders"), 1)) {
      put(log(a, "orders"), "late");
      assertThat(text(in.next())).isEqualTo("late");
    }
  }

  @Test
  void windowBoundsWhatATapHolds() throws Exception {
    Log out = log(a, "orders");
    for (int i = 0; i < 10; i++) {
      put(out, "" + i);
    }
    try (Frames slow = new Frames(log(b, "orders"), 3)) {
      List<Handed> held = slow.next(3);
      try (Frames other = new Frames(log(a, "orders"), 100)) {
        assertThat(other.next(7).stream().map(Frames::text))
            .containsExactly("3", "4", "5", "6", "7", "8", "9");
      }
      assertThat(slow.waiting()).isZero();
      assertThat(held.stream().map(Frames::text)).containsExactly("0", "1", "2");
    }
  }

  @Test
  void framesAreSharedByTheTapsAndEachHasOneHolder() throws Exception {
    try (Frames one = new Frames(log(a, "orders"), 4);
        Frames two = new Frames(log(b, "orders"), 4)) {
      Log out = log(a, "orders");
      for (int i = 0; i < 8; i++) {
        put(out, "" + i);
      }
      List<String> all = new ArrayList<>();
      one.next(4).forEach(frame -> all.add(text(frame)));
      two.next(4).forEach(frame -> all.add(text(frame)));
      assertThat(all).containsExactlyInAnyOrder("0", "1", "2", "3", "4", "5", "6", "7");
    }
  }

  @Test
  void fullLogRefusesUntilAFrameIsAcknowledged() throws Exception {
    Log out = a.log(spec("small", 3, LONG_LEASE));
    for (int i = 0; i < 3; i++) {
      assertThat(put(out, "" + i)).isEqualTo(PublishResult.STORED);
    }
    assertThat(put(out, "refused")).isEqualTo(PublishResult.FULL);
    try (Frames in = new Frames(b.log(spec("small", 3, LONG_LEASE)), 3)) {
      List<Handed> held = in.next(3);
      assertThat(put(out, "refused")).as("held frames count").isEqualTo(PublishResult.FULL);
      CompletionStage<Void> room = out.room();
      TimeUnit.MILLISECONDS.sleep(150);
      assertThat(room.toCompletableFuture()).as("room in a full log").isNotDone();
      done(held.get(1).ack());
      PublishResult result;
      do {
        done(out.room());
        result = put(out, "accepted");
      } while (result == PublishResult.FULL);
      assertThat(result).isEqualTo(PublishResult.STORED);
      assertThat(text(in.next())).isEqualTo("accepted");
    }
  }

  @Test
  void capacityHoldsAgainstManyPublishersAtOnce() throws Exception {
    Log one = a.log(spec("small", 10, LONG_LEASE));
    Log two = b.log(spec("small", 10, LONG_LEASE));
    List<CompletionStage<PublishResult>> results = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      results.add((i % 2 == 0 ? one : two).publish(bytes("" + i), "id-" + i));
    }
    int stored = 0;
    for (CompletionStage<PublishResult> each : results) {
      stored += done(each) == PublishResult.STORED ? 1 : 0;
    }
    assertThat(stored).isEqualTo(10);
    assertThat(one.state().stored()).isEqualTo(10);
  }

  @Test
  void sameIdIsStoredOnceAlsoAfterTheAcknowledgement() throws Exception {
    Log out = log(a, "orders");
    assertThat(done(out.publish(bytes("first"), "same"))).isEqualTo(PublishResult.STORED);
    assertThat(done(out.publish(bytes("first"), "same"))).isEqualTo(PublishResult.STORED);
    assertThat(out.state().stored()).isEqualTo(1);
    try (Frames in = new Frames(log(b, "orders"), 10)) {
      done(in.next().ack());
      assertThat(done(log(b, "orders").publish(bytes("first"), "same")))
          .isEqualTo(PublishResult.STORED);
      put(out, "second");
      assertThat(text(in.next())).isEqualTo("second");
    }
  }

  @Test
  void givenBackFrameComesAgainWithItsAttempt() throws Exception {
    put(log(a, "orders"), "again");
    try (Frames in = new Frames(log(b, "orders"), 1)) {
      Handed first = in.next();
      done(first.giveBack(Duration.ZERO));
      Handed second = in.next();
      assertThat(text(second)).isEqualTo("again");
      assertThat(second.attempt()).isEqualTo(2);
      assertThat(second.sequence()).isEqualTo(first.sequence());
      done(second.giveBack(Duration.ofMillis(200)));
      assertThat(in.next().attempt()).isEqualTo(3);
    }
  }

  @Tag("full")
  @Test
  void delayedFrameLetsOthersPassAndStaysStored() throws Exception {
    Log out = log(a, "orders");
    put(out, "late");
    put(out, "next");
    try (Frames in = new Frames(log(b, "orders"), 1)) {
      done(in.next().giveBack(Duration.ofMillis(1_500)));
      Handed next = in.next();
      assertThat(text(next)).isEqualTo("next");
      assertThat(out.state().stored()).isEqualTo(2);
      done(next.ack());
      assertThat(text(in.next())).isEqualTo("late");
    }
  }

  @Test
  void closedTapGivesItsFramesBack() throws Exception {
    put(log(a, "orders"), "left");
    Frames first = new Frames(log(a, "orders"), 1);
    first.next();
    first.close();
    try (Frames second = new Frames(log(b, "orders"), 1)) {
      assertThat(text(second.next())).isEqualTo("left");
    }
    assertThat(first.waiting()).isZero();
  }

  @Test
  void closedNodeGivesItsFramesBack() throws Exception {
    put(log(a, "orders"), "left");
    Engine leaver = join("leaver");
    new Frames(log(leaver, "orders"), 1).next();
    try (Frames in = new Frames(log(b, "orders"), 1)) {
      leaver.close();
      assertThat(text(in.next())).isEqualTo("left");
    }
  }

  /** What must hold if this process was not held up for long. Returns false if it was. */
  @FunctionalInterface
  private interface Timed {
    boolean holds(Duration lease) throws Exception;
  }

  /** Tries with longer and longer leases, until one is long enough for this machine. */
  private static void withGrowingLease(Timed check) throws Exception {
    Duration lease = LEASE;
    while (!check.holds(lease)) {
      lease = lease.multipliedBy(3);
      assertThat(lease).as("a lease that this machine can renew").isLessThan(LONG_LEASE);
    }
  }

  @Tag("full")
  @Test
  void frameThatIsRenewedStaysWithItsHolder() throws Exception {
    withGrowingLease(this::isRenewed);
  }

  private boolean isRenewed(Duration lease) throws Exception {
    LogSpec spec = spec("leases" + lease.toMillis(), 10, lease);
    Log log = a.log(spec);
    put(log, "kept");
    try (Frames holder = new Frames(log, 1);
        Frames other = new Frames(b.log(spec), 1)) {
      Handed held = takeFromEither(holder, other);
      long start = System.nanoTime();
      long last = start;
      long longest = 0;
      while (last - start < lease.multipliedBy(3).toNanos()) {
        TimeUnit.NANOSECONDS.sleep(lease.toNanos() / 5);
        if (longest < lease.toNanos() / 2) {
          CompletionStage<Void> _ = held.renew().exceptionally(_ -> null);
        }
        longest = Math.max(longest, System.nanoTime() - last);
        last = System.nanoTime();
      }
      if (longest >= lease.toNanos() / 2) {
        return false;
      }
      assertThat(holder.waiting() + other.waiting()).as("handed out again").isZero();
      done(held.ack());
      return true;
    }
  }

  private static Handed takeFromEither(Frames one, Frames two) throws InterruptedException {
    while (one.waiting() + two.waiting() == 0) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    return one.waiting() > 0 ? one.next() : two.next();
  }

  @Test
  void sealedLogRefusesOnAllNodesAndHandsOutWhatItHas() throws Exception {
    Log out = log(a, "orders");
    put(out, "before");
    log(b, "orders").seal();
    assertThat(put(out, "after")).isEqualTo(PublishResult.SEALED);
    assertThat(put(log(b, "orders"), "after")).isEqualTo(PublishResult.SEALED);
    log(a, "orders").seal();
    assertThat(out.state().isSealed()).isTrue();
    assertThat(out.state().stored()).isEqualTo(1);
    try (Frames in = new Frames(out, 1)) {
      Handed frame = in.next();
      assertThat(text(frame)).isEqualTo("before");
      done(frame.ack());
    }
    assertThat(out.state().stored()).isZero();
  }

  @Test
  void deletedLogIsNewWhenItIsOpenedAgain() throws Exception {
    Log old = log(a, "orders");
    put(old, "gone");
    old.seal();
    b.delete("orders");
    b.delete("never-there");
    Log again = a.log(spec("orders", 5, LONG_LEASE));
    assertThat(again.state().stored()).isZero();
    assertThat(done(again.publish(bytes("new"), "new"))).isEqualTo(PublishResult.STORED);
  }

  @Test
  void logWithOtherSettingsIsRefused() throws Exception {
    a.log(spec("orders", 5, LONG_LEASE));
    assertThatThrownBy(() -> b.log(spec("orders", 6, LONG_LEASE)))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("orders")
        .hasMessageContaining("5")
        .hasMessageContaining("6")
        .hasMessageContaining(b.name());
  }

  @Test
  void namesDifferInCaseAndMayHaveDots() throws Exception {
    for (String name : List.of("orders", "Orders", "orders.dead", "or_ders", "or-ders")) {
      put(log(a, name), name);
    }
    for (String name : List.of("orders", "Orders", "orders.dead", "or_ders", "or-ders")) {
      try (Frames in = new Frames(log(b, name), 5)) {
        assertThat(text(in.next())).isEqualTo(name);
      }
    }
  }

  @Test
  void largeFrameArrivesWhole() throws Exception {
    byte[] large = new byte[900_000];
    for (int i = 0; i < large.length; i++) {
      large[i] = (byte) (i * 31);
    }
    done(log(a, "orders").publish(large, "large"));
    try (Frames in = new Frames(log(b, "orders"), 1)) {
      assertThat(in.next().frame()).isEqualTo(large);
    }
  }

  @Test
  void clustersShareNothing() throws Exception {
    Engine other = connect(cluster + "x", "a2");
    engines.add(other);
    put(log(a, "orders"), "mine");
    a.registry().create("key.one", bytes("mine"), null);
    assertThat(log(other, "orders").state().stored()).isZero();
    assertThat(other.registry().get("key.one")).isNull();
  }

  @Test
  void registryComparesRevisions() throws Exception {
    Registry keys = a.registry();
    long first = keys.create("lock.one", bytes("a"), null).orElseThrow();
    assertThat(first).isPositive();
    assertThat(b.registry().create("lock.one", bytes("b"), null)).isEmpty();
    assertThat(b.registry().replace("lock.one", bytes("b"), first + 1, null)).isEmpty();
    long second = b.registry().replace("lock.one", bytes("b"), first, null).orElseThrow();
    assertThat(second).isGreaterThan(first);
    Registry.Entry entry = keys.get("lock.one");
    assertThat(entry.value()).isEqualTo(bytes("b"));
    assertThat(entry.revision()).isEqualTo(second);
    assertThat(keys.delete("lock.one", first)).isFalse();
    assertThat(keys.delete("lock.one", second)).isTrue();
    assertThat(keys.delete("lock.one", second)).isFalse();
    assertThat(keys.get("lock.one")).isNull();
    assertThat(keys.create("lock.one", bytes("c"), null).orElseThrow())
        .as("a revision after a deletion")
        .isGreaterThan(second);
  }

  @Test
  void registryListsWhatIsBelowAPath() throws Exception {
    Registry keys = a.registry();
    keys.create("node.a", bytes("1"), null);
    keys.create("node.b.c", bytes("2"), null);
    keys.create("nodes.x", bytes("3"), null);
    long gone = keys.create("node.gone", bytes("4"), null).orElseThrow();
    keys.delete("node.gone", gone);
    assertThat(b.registry().list("node").stream().map(Registry.Entry::key))
        .containsExactlyInAnyOrder("node.a", "node.b.c");
    assertThat(b.registry().list("none")).isEmpty();
  }

  @Tag("full")
  @Test
  void keyWithATimeToLiveDisappearsUnlessItIsReplaced() throws Exception {
    withGrowingLease(lease -> livesWhileReplaced(lease.multipliedBy(2)));
  }

  private boolean livesWhileReplaced(Duration ttl) throws Exception {
    String path = "ttl" + ttl.toMillis();
    String key = path + ".one";
    Registry keys = a.registry();
    Changes changes = new Changes();
    try (Ended _ = b.registry().watch(path, changes)) {
      long set = System.nanoTime();
      long revision = keys.create(key, bytes("x"), ttl).orElseThrow();
      assertThat(changes.next()).isEqualTo(key + "=x");
      for (int i = 0; i < 4; i++) {
        TimeUnit.NANOSECONDS.sleep(ttl.toNanos() / 3);
        OptionalLong renewed = keys.replace(key, bytes("x" + i), revision, ttl);
        if (System.nanoTime() - set > ttl.toNanos() * 2 / 3) {
          return false;
        }
        set = System.nanoTime();
        assertThat(renewed).as("replaced in time").isPresent();
        revision = renewed.getAsLong();
        assertThat(changes.next()).isEqualTo(key + "=x" + i);
      }
      assertThat(changes.next()).isEqualTo(key + " removed");
      assertThat(keys.get(key)).isNull();
      assertThat(keys.create(key, bytes("y"), null).orElseThrow()).isGreaterThan(revision);
      return true;
    }
  }

  @Test
  void watcherIsToldWhatExistsAndThenEachChange() throws Exception {
    Registry keys = a.registry();
    long first = keys.create("w.one", bytes("1"), null).orElseThrow();
    Changes changes = new Changes();
    Ended watching = b.registry().watch("w", changes);
    assertThat(changes.next()).isEqualTo("w.one=1");
    keys.create("other.one", bytes("x"), null);
    long second = keys.replace("w.one", bytes("2"), first, null).orElseThrow();
    keys.delete("w.one", second);
    keys.create("w.two", bytes("3"), null);
    assertThat(changes.next()).isEqualTo("w.one=2");
    assertThat(changes.next()).isEqualTo("w.one removed");
    assertThat(changes.next()).isEqualTo("w.two=3");
    watching.close();
    watching.close();
  }

  @Test
  void wireTellsAllAndAsksOne() throws Exception {
    List<String> heard = new CopyOnWriteArrayList<>();
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    try (Ended _ = a.wire().listen("news.one", (message, _) -> told.add(new String(message)));
        Ended _ = b.wire().listen("news.one", (message, _) -> told.add(new String(message)));
        Ended _ =
            b.wire()
                .listen(
                    "echo",
                    (message, reply) -> {
                      heard.add(new String(message));
                      reply.send(bytes("re: " + new String(message)));
                    })) {
      a.wire().tell("news.one", bytes("hello"));
      assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo("hello");
      assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo("hello");
      byte[] answer = done(a.wire().ask("echo", bytes("you"), Frames.PATIENCE));
      assertThat(answer).isEqualTo(bytes("re: you"));
      assertThat(heard).containsExactly("you");
    }
    assertThat(done(a.wire().ask("nothing.there", bytes("?"), Duration.ofMillis(200)))).isNull();
  }

  @Test
  void wireCarriesTheLargestMessageAndAnswer() throws Exception {
    byte[] large = new byte[Wire.MAX_BYTES];
    for (int i = 0; i < large.length; i++) {
      large[i] = (byte) (i * 31);
    }
    try (Ended _ = b.wire().listen("large", (message, reply) -> reply.send(message))) {
      assertThat(done(a.wire().ask("large", large, Frames.PATIENCE))).isEqualTo(large);
    }
  }

  @Test
  void askedListenerThatDoesNotAnswerCountsAsSilence() throws Exception {
    try (Ended _ = b.wire().listen("mute", (_, _) -> {})) {
      assertThat(done(a.wire().ask("mute", bytes("?"), Duration.ofMillis(200)))).isNull();
    }
  }

  @Test
  void closedEngineRefusesWithItsName() throws Exception {
    Engine gone = join("gone");
    Registry keys = gone.registry();
    gone.close();
    gone.close();
    done(gone.ended());
    assertThat(gone.isConnected()).isFalse();
    assertThatThrownBy(() -> keys.get("any.key"))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining(gone.name());
    assertThatThrownBy(() -> log(gone, "orders"))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining(gone.name());
  }

  @Test
  void engineSaysWhatItIs() {
    assertThat(a.name()).isNotEmpty();
    assertThat(a.address()).isNotEmpty();
    assertThat(a.capabilities()).isNotEmpty();
    assertThat(a.isConnected()).isTrue();
    assertThat(a.ended().toCompletableFuture()).isNotDone();
  }

  /** The changes that a watcher was told. */
  private static final class Changes implements Registry.Watcher {
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    @Override
    public void set(Registry.Entry entry) {
      told.add(entry.key() + "=" + new String(entry.value()));
    }

    @Override
    public void removed(String key) {
      told.add(key + " removed");
    }

    String next() throws InterruptedException {
      String change = told.poll(Frames.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      assertThat(change).as("a change within %s", Frames.PATIENCE).isNotNull();
      return change;
    }
  }
}
