package io.heddle.cluster.local;

import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * What happens to the messages between the nodes and the hub of a simulated cluster. A seed decides
 * it, so in a {@link io.heddle.Bubble} a run can be repeated.
 *
 * {@snippet :
 * LocalHub hub = new LocalHub(new Faults(seed).drop(0.01).delay(Duration.ofMillis(20)));
 * }
 *
 * <p>The methods that set something are for the time before the hub is made.
 */
public final class Faults {
  private static final RandomGeneratorFactory<RandomGenerator> RANDOM =
      RandomGeneratorFactory.of("L64X128MixRandom");

  private final RandomGenerator random;
  private double drop;
  private double duplicate;
  private double reorder;
  private long maxDelayNanos;
  private long timeoutNanos = 1_000_000_000;

  /**
   * Makes faults that never occur, until they are set.
   *
   * @param seed decides what happens to which message
   */
  public Faults(long seed) {
    random = RANDOM.create(seed);
  }

  /**
   * Sets how often a message is lost: a request to the hub, its answer, or a frame that is handed
   * to a node.
   *
   * @param probability from 0 to 1
   * @return these faults
   */
  public Faults drop(double probability) {
    drop = checked("drop", probability);
    return this;
  }

  /**
   * Sets how often a frame is published twice, as after a reconnect.
   *
   * @param probability from 0 to 1
   * @return these faults
   */
  public Faults duplicate(double probability) {
    duplicate = checked("duplicate", probability);
    return this;
  }

  /**
   * Sets how often a request overtakes earlier ones of its node. Without a delay this does nothing.
   *
   * @param probability from 0 to 1
   * @return these faults
   */
  public Faults reorder(double probability) {
    reorder = checked("reorder", probability);
    return this;
  }

  /**
   * Sets how long a message takes at most.
   *
   * @param max the largest delay; zero means none
   * @return these faults
   */
  public Faults delay(Duration max) {
    if (max.isNegative()) {
      throw new IllegalArgumentException("delay " + max + ": allowed is zero or more");
    }
    maxDelayNanos = max.toNanos();
    return this;
  }

  /**
   * Sets how long a node waits for an answer before it counts as lost. Default: one second.
   *
   * @param limit the time
   * @return these faults
   */
  public Faults timeout(Duration limit) {
    if (!Objects.requireNonNull(limit, "limit").isPositive()) {
      throw new IllegalArgumentException("timeout " + limit + ": allowed is more than zero");
    }
    timeoutNanos = limit.toNanos();
    return this;
  }

  private static double checked(String what, double probability) {
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException(what + " " + probability + ": allowed is 0 to 1");
    }
    return probability;
  }

  // The draws. The hub's lock is held.

  boolean drops() {
    return drop > 0 && random.nextDouble() < drop;
  }

  boolean duplicates() {
    return duplicate > 0 && random.nextDouble() < duplicate;
  }

  boolean reorders() {
    return reorder > 0 && random.nextDouble() < reorder;
  }

  long delayNanos() {
    return maxDelayNanos == 0 ? 0 : random.nextLong(maxDelayNanos + 1);
  }

  long timeoutNanos() {
    return timeoutNanos;
  }
}
