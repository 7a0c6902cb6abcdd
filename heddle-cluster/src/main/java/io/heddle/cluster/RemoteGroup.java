package io.heddle.cluster;

import io.heddle.Context;
import io.heddle.Group;
import java.util.Objects;

/**
 * A group of goroutines on other nodes, as {@link Group}: the first failure cancels the others and
 * is thrown by {@link #await}.
 *
 * {@snippet :
 * try (RemoteGroup group = cluster.group().limit(20)) {
 *   for (Picture each : pictures) {
 *     group.go(thumbnails, each, this::show);
 *   }
 *   group.await();
 * }
 * }
 *
 * <p>Any thread may use it.
 */
public final class RemoteGroup implements AutoCloseable {
  private final Group group;

  RemoteGroup(Context parent) {
    group = new Group(parent);
  }

  /**
   * Takes a result.
   *
   * @param <O> the type of the result
   */
  @FunctionalInterface
  public interface Taker<O> {
    /**
     * Takes a result, in a goroutine of this node.
     *
     * @param result what the function returned
     * @throws Exception a failure of the group
     */
    void take(O result) throws Exception;
  }

  /**
   * Limits how many goroutines of this group run, or wait for a node, at the same time.
   *
   * @param n the limit, 1 or more
   * @return this group
   * @throws IllegalArgumentException if {@code n} is less than 1
   * @throws IllegalStateException if goroutines of this group are running
   */
  public RemoteGroup limit(int n) {
    var _ = group.limit(n);
    return this;
  }

  /**
   * Starts a goroutine on some node. Waits while the {@linkplain #limit limit} is reached.
   *
   * @param <I> the type of the input
   * @param <O> the type of the result
   * @param function what to run
   * @param input its input
   * @param taker gets its result
   * @throws io.heddle.CancelledException if the caller is interrupted while it waits
   * @throws IllegalStateException if the group is closed
   */
  public <I, O> void go(RemoteFunction<I, O> function, I input, Taker<? super O> taker) {
    Objects.requireNonNull(input, "input");
    Objects.requireNonNull(taker, "taker");
    group.go(() -> taker.take(function.go(input).await()));
  }

  /**
   * Waits until all goroutines of this group have ended. Throws the first failure, if there was
   * one; the others are suppressed in it.
   *
   * @throws Exception the first failure
   * @throws InterruptedException if the caller is interrupted while it waits; the goroutines run on
   */
  public void await() throws Exception {
    group.await();
  }

  /** Cancels what has not ended, and waits for the goroutines of this node that await it. */
  @Override
  public void close() {
    group.close();
  }
}
