package io.heddle.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Context;
import io.heddle.Go;
import io.heddle.WaitGroup;
import io.heddle.cluster.local.Faults;
import io.heddle.cluster.local.LocalHub;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Remote goroutines and locks between simulated nodes, under faults; and a thousand nodes. */
@Timeout(600)
class RemoteSimulationTest {
  private static final int MAX_STEPS = 400_000;

  /** What happened in all runs. */
  private static final Map<String, Integer> HAPPENED = new HashMap<>();

  private static void happened(String what) {
    HAPPENED.merge(what, 1, Integer::sum);
  }

  @Test
  void functionBeginsNoMoreOftenThanItMay() {
    Seeds.run(60, MAX_STEPS, seed -> new Tasks(seed).run());
    if (!Seeds.isOne()) {
      assertThat(HAPPENED).containsKeys("result", "died", "again", "cancelled", "lapsed");
    }
  }

  @Test
  void lockHasOneHolderAtATime() {
    Seeds.run(100, MAX_STEPS, seed -> new Locks(seed).run());
    if (!Seeds.isOne()) {
      assertThat(HAPPENED).containsKeys("held", "lost");
    }
  }

  @Tag("full")
  @Test
  void bothHoldInThousandsOfRuns() {
    Seeds.run(4_000, MAX_STEPS, seed -> new Tasks(seed).run());
    Seeds.run(10_000, MAX_STEPS, seed -> new Locks(seed).run());
  }

  @Test
  void manyNodesShareAChannelAndAFunction() {
    Seeds.run(1, 20_000_000, seed -> manyNodes(seed, 200));
  }

  @Tag("full")
  @Test
  void thousandNodesShareAChannelAndAFunction() {
    Seeds.run(1, 20_000_000, seed -> manyNodes(seed, 1_000));
  }

  private static void manyNodes(long seed, int n) throws Exception {
    LocalHub hub = new LocalHub(new Faults(seed).delay(Duration.ofMillis(2)));
    List<Cluster> nodes = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      nodes.add(Cluster.open(hub.connect("big", "n" + i), ClusterOptions.defaults().node("n" + i)));
    }
    assertThat(nodes.getFirst().members()).hasSize(n);
    Set<String> senders = new HashSet<>();
    WaitGroup all = new WaitGroup();
    for (Cluster each : nodes) {
      RemoteChan<String> chan = each.chan("values", String.class).capacity(50).window(2).open();
      all.go(() -> chan.send(each.id()));
      each.register("where", Integer.class, String.class, 1, (_, _) -> each.id());
    }
    RemoteChan<String> in =
        nodes.get(n / 2).chan("values", String.class).capacity(50).window(2).open();
    while (senders.size() < n) {
      Delivery<String> next = in.receive();
      assertThat(senders.add(next.value())).isTrue();
      next.ack();
    }
    all.await();
    RemoteFunction<Integer, String> where =
        nodes.getLast().function("where", Integer.class, String.class);
    Set<String> workers = new HashSet<>();
    try (RemoteGroup group = nodes.getLast().group()) {
      for (int i = 0; i < 300; i++) {
        group.go(where, i, workers::add);
      }
      group.await();
    }
    assertThat(workers).hasSizeGreaterThan(n / 10);
    nodes.forEach(Cluster::close);
  }

  /** A hub with faults, and nodes that may die. */
  private abstract static class World {
    final RandomGenerator random;
    final LocalHub hub;
    private final List<Cluster> open = new ArrayList<>();
    private final WaitGroup chaos = new WaitGroup();
    boolean isOver;

    World(long seed) {
      random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
      Faults faults = new Faults(seed).timeout(Duration.ofMillis(200));
      if (random.nextInt(4) > 0) {
        faults.drop(0.02).duplicate(0.02).reorder(0.05).delay(Duration.ofMillis(20));
      }
      hub = new LocalHub(faults);
    }

    Cluster join(String name) throws InterruptedException {
      ClusterOptions options = ClusterOptions.defaults().node(name).lease(Duration.ofMillis(900));
      Cluster cluster = Cluster.open(hub.connect("sim", name), options);
      open.add(cluster);
      return cluster;
    }

    void startChaos(List<String> victims, boolean mayKill) {
      chaos.go(
          () -> {
            for (int i = 0; i < 6 && !isOver; i++) {
              Go.sleep(Duration.ofMillis(random.nextInt(600)));
              harm(victims.get(random.nextInt(victims.size())), mayKill);
            }
          });
    }

    private void harm(String victim, boolean mayKill) throws InterruptedException {
      Duration time = Duration.ofMillis(random.nextInt(2_000));
      try {
        switch (random.nextInt(mayKill ? 3 : 2)) {
          case 0 -> {
            hub.cut(victim);
            Go.sleep(time);
            hub.heal(victim);
          }
          case 1 -> {
            hub.pause(victim);
            Go.sleep(time);
            hub.resume(victim);
          }
          default -> hub.crash(victim);
        }
      } catch (ClusterException e) {
        // It is dead, or has not joined.
      }
    }

    void calm() throws InterruptedException {
      isOver = true;
      chaos.await();
    }

    void close() throws InterruptedException {
      calm();
      open.forEach(Cluster::close);
    }
  }

  /** Two callers and some workers. */
  private static final class Tasks extends World {
    private static final int CALLS = 8;

    private final Map<Integer, Integer> begun = new HashMap<>();

    Tasks(long seed) {
      super(seed);
    }

    void run() throws Exception {
      List<String> workers = List.of("w0", "w1", "w2");
      for (String each : workers) {
        work(join(each));
      }
      work(join("survivor"));
      startChaos(workers, true);
      WaitGroup callers = new WaitGroup();
      for (int c = 0; c < 2; c++) {
        Cluster caller = join("caller" + c);
        int first = c * CALLS;
        for (int i = 0; i < CALLS; i++) {
          int number = first + i;
          callers.go(() -> call(caller, number));
        }
      }
      callers.await();
      Go.sleep(Duration.ofSeconds(2)); // for functions whose callers do not wait any more
      close();
    }

    private void work(Cluster node) throws InterruptedException {
      node.register(
          "work",
          Integer.class,
          String.class,
          2,
          (context, number) -> {
            begun.merge(number, 1, Integer::sum);
            Go.sleep(Duration.ofMillis(random.nextInt(800)));
            return number + (context.err() == null ? "" : " ended");
          });
    }

    private void call(Cluster caller, int number) throws InterruptedException {
      int attempts = number % 2 == 0 ? 1 : 3;
      RemoteFunction<Integer, String> function =
          caller.function("work", Integer.class, String.class).again(attempts);
      Go.sleep(Duration.ofMillis(random.nextInt(1_000)));
      Remote<String> remote = function.go(number);
      boolean cancels = random.nextInt(6) == 0;
      if (cancels) {
        Go.sleep(Duration.ofMillis(random.nextInt(300)));
        remote.cancel();
      }
      try {
        assertThat(remote.await()).startsWith("" + number);
        assertThat(begun).containsKey(number);
        happened("result");
      } catch (NodeDiedException e) {
        happened("died");
      } catch (java.util.concurrent.CancellationException e) {
        assertThat(cancels).isTrue();
        happened("cancelled");
      } catch (ClusterException e) {
        assertThat(e).hasMessageContaining("counted this node as dead");
        happened("lapsed");
      }
      int times = begun.getOrDefault(number, 0);
      if (times > 1) {
        happened("again");
      }
      assertThat(times).as("how often %s began", number).isLessThanOrEqualTo(attempts);
    }
  }

  /** Nodes that want one lock, and two of three permits. */
  private static final class Locks extends World {
    private final Map<String, Lease> holders = new HashMap<>();
    private final Set<Long> tokens = new HashSet<>();
    private final Map<Lease, Long> permits = new HashMap<>();

    Locks(long seed) {
      super(seed);
    }

    void run() throws Exception {
      List<String> names = List.of("a", "b", "c");
      WaitGroup users = new WaitGroup();
      Cluster first = join("first");
      for (String each : names) {
        Cluster node = join(each);
        users.go(() -> use(each, node));
        users.go(() -> share(node));
      }
      startChaos(names, false);
      users.await();
      calm();
      // A share without a lease would keep its permits for as long as its node lives.
      try (var soon = Context.background().withTimeout(Duration.ofMinutes(1))) {
        soon.run(() -> first.semaphore("slots", 3).acquire(3).close());
      }
      close();
    }

    private void use(String name, Cluster node) throws InterruptedException {
      for (int i = 0; i < 5; i++) {
        try (Lease lease = node.mutex("ledger").lock()) {
          assertThat(tokens.add(lease.token())).as("a token of its own").isTrue();
          holders.put(name, lease);
          for (int k = random.nextInt(6); k >= 0 && !lease.isLost(); k--) {
            Go.sleep(Duration.ofMillis(random.nextInt(300)));
            check(lease);
          }
          happened(lease.isLost() ? "lost" : "held");
          holders.remove(name);
        } catch (ClusterException e) {
          holders.remove(name);
          happened("away");
        }
      }
    }

    private void check(Lease mine) {
      if (!mine.isLost()) {
        for (Lease other : holders.values()) {
          assertThat(other == mine || other.isLost())
              .as("%s and %s are held", mine, other)
              .isTrue();
          assertThat(other.token()).isLessThanOrEqualTo(mine.token());
        }
      }
    }

    private void share(Cluster node) throws InterruptedException {
      RemoteSemaphore semaphore = node.semaphore("slots", 3);
      for (int i = 0; i < 5; i++) {
        long weight = 1 + random.nextInt(3);
        try (Lease lease = semaphore.acquire(weight)) {
          permits.put(lease, weight);
          for (int k = random.nextInt(4); k >= 0 && !lease.isLost(); k--) {
            Go.sleep(Duration.ofMillis(random.nextInt(300)));
            long held = 0;
            for (Map.Entry<Lease, Long> each : permits.entrySet()) {
              held += each.getKey().isLost() ? 0 : each.getValue();
            }
            assertThat(held).as("permits that are held").isLessThanOrEqualTo(3);
          }
          permits.remove(lease);
        } catch (ClusterException e) {
          permits.keySet().removeIf(Lease::isLost);
          happened("away");
        }
      }
    }
  }
}
