package io.heddle.cluster.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Goroutine;
import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A cluster of its own for each test, with two nodes to begin with. */
public abstract class TwoNodes {
  protected static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final List<Cluster> open = new ArrayList<>();
  private String name;
  protected Cluster a;
  protected Cluster b;

  /** Opens a node on the engine under test. */
  protected abstract Cluster join(ClusterOptions options) throws Exception;

  @BeforeEach
  void openTwo() throws Exception {
    name = "cc" + NAMES.incrementAndGet() + "-" + Long.toHexString(System.nanoTime());
    a = node("a");
    b = node("b");
  }

  @AfterEach
  void closeAll() {
    open.reversed().forEach(Cluster::close);
  }

  /** Returns options with the name of the test's cluster. */
  protected ClusterOptions options() {
    return ClusterOptions.defaults().cluster(name);
  }

  /** Opens another node of the test's cluster. */
  protected Cluster node(String node) throws Exception {
    return node(options().node(node));
  }

  /** Opens another node with {@code options}. */
  protected Cluster node(ClusterOptions options) throws Exception {
    Cluster cluster = join(options);
    open.add(cluster);
    return cluster;
  }

  /** Waits until a goroutine waits for {@code reason}. */
  protected static void awaitReason(Goroutine g, String reason) throws InterruptedException {
    await(() -> g.waitReason().equals(reason), () -> reason + ", and it is " + g.waitReason());
  }

  /** A condition that may wait. */
  @FunctionalInterface
  protected interface Condition {
    boolean holds() throws InterruptedException;
  }

  /** Waits until something holds. */
  protected static void await(Condition condition, Supplier<String> what)
      throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime() - end).as("waiting for %s", what.get()).isNegative();
      TimeUnit.MILLISECONDS.sleep(2);
    }
  }
}
