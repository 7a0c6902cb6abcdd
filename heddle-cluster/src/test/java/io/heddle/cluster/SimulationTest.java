package io.heddle.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.heddle.Bubble;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A channel between simulated nodes, while messages are lost, delayed, doubled and overtaken, and
 * nodes are cut off, paused and killed.
 */
@Timeout(300)
class SimulationTest {
  private static final int MAX_STEPS = 400_000;
  private static final int PRODUCERS = 3;
  private static final int VALUES = 12;
  private static final int CAPACITY = 4;

  /** What happened in all runs: a simulation in which nothing goes wrong proves little. */
  private static final Map<String, Integer> HAPPENED = new HashMap<>();

  @Test
  void nothingConfirmedIsLostUnderFaults() {
    Seeds.run(150, MAX_STEPS, seed -> new Exchange(seed, 1).run());
    Seeds.run(150, MAX_STEPS, seed -> new Exchange(seed, 4).run());
    if (!Seeds.isOne()) {
      assertThat(HAPPENED)
          .containsKeys("stale", "repeated", "cut", "paused", "crashed", "outage", "full");
    }
  }

  @Test
  void firstDeliveriesAreInTheOrderOfEachSender() {
    Seeds.run(150, MAX_STEPS, seed -> new Exchange(seed, 1).withOneReceiver().run());
    Seeds.run(150, MAX_STEPS, seed -> new Exchange(seed, 4).withOneReceiver().run());
    if (!Seeds.isOne()) {
      assertThat(HAPPENED).containsKeys("first", "repeated", "cut", "paused", "outage");
    }
  }

  @Tag("full")
  @Test
  void nothingConfirmedIsLostUnderFaultsInThousandsOfRuns() {
    Seeds.run(5_000, MAX_STEPS, seed -> new Exchange(seed, 1).run());
    Seeds.run(5_000, MAX_STEPS, seed -> new Exchange(seed, 4).run());
    Seeds.run(5_000, MAX_STEPS, seed -> new Exchange(seed, 1).withOneReceiver().run());
    Seeds.run(5_000, MAX_STEPS, seed -> new Exchange(seed, 4).withOneReceiver().run());
  }

  @Test
  void seedRepeatsTheRunExactly() {
    for (long seed = 1; seed <= 20; seed++) {
      Bubble.Outcome first = Seeds.outcome(seed, MAX_STEPS, s -> new Exchange(s, 1).run());
      Bubble.Outcome second = Seeds.outcome(seed, MAX_STEPS, s -> new Exchange(s, 1).run());
      assertThat(second.trail()).as("seed %d", seed).isEqualTo(first.trail());
      assertThat(second.steps()).isEqualTo(first.steps());
      assertThat(second.elapsed()).isEqualTo(first.elapsed());
    }
  }

  @Test
  void failingSeedIsNamedAndFailsAgainInTheSameWay() {
    assumeFalse(Seeds.isOne());
    Throwable failure =
        catchThrowable(
            () -> Seeds.run(150, MAX_STEPS, seed -> new Exchange(seed, 1).withoutRepeats().run()));
    assertThat(failure).as("some seed repeats a value").isInstanceOf(AssertionError.class);
    Matcher named = Pattern.compile("-Dheddle.seed=(\\d+)").matcher(failure.getMessage());
    assertThat(named.find()).as(failure.getMessage()).isTrue();
    long seed = Long.parseLong(named.group(1));
    Bubble.Outcome one = outcomeWithoutRepeats(seed);
    Bubble.Outcome two = outcomeWithoutRepeats(seed);
    assertThat(one.failure()).isNotNull().hasSameClassAs(failure.getCause());
    assertThat(two.failure()).isNotNull().hasSameClassAs(failure.getCause());
    assertThat(two.trail()).isEqualTo(one.trail());
  }

  private static Bubble.Outcome outcomeWithoutRepeats(long seed) {
    return Seeds.outcome(seed, MAX_STEPS, s -> new Exchange(s, 1).withoutRepeats().run());
  }

  /** Producers and consumers on nodes of their own, and chaos. */
  private static final class Exchange {
    private final int batch;
    private final RandomGenerator random;
    private final LocalHub hub;
    private final Set<String> confirmed = new HashSet<>();
    private final Set<String> tried = new HashSet<>();
    private final Map<String, String> ids = new HashMap<>();
    private final Set<String> acknowledged = new HashSet<>();
    private final List<Cluster> open = new ArrayList<>();
    private final WaitGroup consumers = new WaitGroup();

    /** Confirmed, and no acknowledgement has begun: these are in the channel for certain. */
    private final Set<String> inside = new HashSet<>();

    private final Set<String> leaving = new HashSet<>();
    private final Map<String, Integer> lastFirst = new HashMap<>();
    private boolean hasOneReceiver;
    private boolean hasNoRepeats;
    private int nodes;
    private boolean isOver;

    Exchange(long seed, int batch) {
      this.batch = batch;
      random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
      Faults faults = new Faults(seed).timeout(Duration.ofMillis(200));
      if (random.nextInt(4) > 0) {
        faults.drop(0.03).duplicate(0.03).reorder(0.05).delay(Duration.ofMillis(30));
      }
      hub = new LocalHub(faults);
    }

    /** One receiver, which is not killed: then there is an order among first deliveries. */
    Exchange withOneReceiver() {
      hasOneReceiver = true;
      return this;
    }

    /** A claim that is wrong: no value is delivered twice. */
    Exchange withoutRepeats() {
      hasNoRepeats = true;
      return this;
    }

    private Cluster join(String name) throws InterruptedException {
      Cluster cluster =
          Cluster.open(hub.connect("sim", name), ClusterOptions.defaults().node(name));
      open.add(cluster);
      return cluster;
    }

    private RemoteChan<String> chan(Cluster on) throws InterruptedException {
      return on.chan("values", String.class)
          .capacity(CAPACITY)
          .batch(batch)
          .window(2)
          .lease(Duration.ofMillis(600))
          .attempts(1_000)
          .open();
    }

    void run() throws Exception {
      Cluster main = join("main");
      WaitGroup producers = new WaitGroup();
      for (int p = 0; p < PRODUCERS; p++) {
        String name = "p" + p;
        producers.go(() -> produce(name));
      }
      consume();
      if (!hasOneReceiver) {
        consume();
      }
      WaitGroup chaos = new WaitGroup();
      chaos.go(this::chaos);
      producers.await();
      chan(main).close();
      consumers.await();
      isOver = true;
      assertThat(acknowledged).as("received and acknowledged").containsAll(confirmed);
      assertThat(tried).containsAll(ids.keySet());
      chaos.await();
      open.forEach(Cluster::close);
    }

    private void produce(String name) throws InterruptedException {
      RemoteChan<String> chan = chan(join(name));
      for (int i = 0; i < VALUES; i++) {
        String value = name + ":" + i;
        tried.add(value);
        chan.send(value);
        confirmed.add(value);
        checkCapacity(value);
        if (random.nextInt(3) == 0) {
          Go.sleep(Duration.ofMillis(random.nextInt(100)));
        }
      }
    }

    private void checkCapacity(String value) {
      if (!leaving.contains(value)) {
        inside.add(value);
      }
      assertThat(inside.size()).as("values in the channel").isLessThanOrEqualTo(CAPACITY);
      if (inside.size() == CAPACITY) {
        happened("full");
      }
    }

    private void ack(Delivery<String> delivery) {
      inside.remove(delivery.value());
      leaving.add(delivery.value());
      delivery.ack();
      acknowledged.add(delivery.value());
    }

    /** A value is a sender and a number. */
    private void checkOrder(Delivery<String> first) {
      String[] parts = first.value().split(":");
      int number = Integer.parseInt(parts[1]);
      Integer before = lastFirst.put(parts[0], number);
      assertThat(before == null || before < number)
          .as("%s:%d is delivered for the first time after %s", parts[0], number, before)
          .isTrue();
      happened("first");
    }

    private void consume() {
      String name = "c" + nodes++;
      consumers.go(
          () -> {
            try {
              RemoteChan<String> chan = chan(join(name));
              for (Delivery<String> next = chan.receive(); next != null; next = chan.receive()) {
                handle(next);
              }
            } catch (ClusterException e) {
              // Killed. Another one takes its place.
              if (!isOver) {
                consume();
              }
            }
          });
    }

    private void handle(Delivery<String> next) throws InterruptedException {
      String known = ids.putIfAbsent(next.value(), next.id());
      assertThat(known == null || known.equals(next.id()))
          .as("%s is stored as %s and %s", next.value(), known, next.id())
          .isTrue();
      if (next.attempt() > 1) {
        assertThat(hasNoRepeats).as("%s comes again", next.value()).isFalse();
        happened("repeated");
      } else if (hasOneReceiver) {
        checkOrder(next);
      }
      try {
        switch (random.nextInt(8)) {
          case 0 -> next.retry(Duration.ofMillis(random.nextInt(50)));
          case 1 -> next.close();
          case 2 -> {
            Go.sleep(Duration.ofMillis(random.nextInt(1_500)));
            ack(next);
          }
          default -> ack(next);
        }
      } catch (StaleDeliveryException e) {
        happened("stale"); // comes again
      }
    }

    private static void happened(String what) {
      HAPPENED.merge(what, 1, Integer::sum);
    }

    private void chaos() throws InterruptedException {
      for (int i = 0; i < 6 && !isOver; i++) {
        Go.sleep(Duration.ofMillis(random.nextInt(500)));
        String victim =
            random.nextBoolean() ? "c" + random.nextInt(nodes) : "p" + random.nextInt(3);
        Duration time = Duration.ofMillis(random.nextInt(1_500));
        try {
          switch (random.nextInt(4)) {
            case 0 -> outage(time);
            case 1 -> {
              hub.cut(victim);
              happened("cut");
              Go.sleep(time);
              hub.heal(victim);
            }
            case 2 -> {
              hub.pause(victim);
              happened("paused");
              Go.sleep(time);
              hub.resume(victim);
            }
            default -> {
              if (victim.startsWith("c") && !hasOneReceiver) {
                hub.crash(victim);
                happened("crashed");
              }
            }
          }
        } catch (ClusterException e) {
          // It is dead already, or has not joined.
        }
      }
    }

    /** As a server that is killed and started again: all messages under way are lost. */
    private void outage(Duration time) throws InterruptedException {
      List<String> away = new ArrayList<>(List.of("main", "p0", "p1", "p2"));
      for (int i = 0; i < nodes; i++) {
        away.add("c" + i);
      }
      away.removeIf(each -> !isDone(() -> hub.cut(each)));
      happened("outage");
      Go.sleep(time);
      away.forEach(each -> isDone(() -> hub.heal(each)));
    }

    private static boolean isDone(Runnable action) {
      try {
        action.run();
        return true;
      } catch (ClusterException e) {
        return false; // it is dead already, or has not joined
      }
    }
  }
}
