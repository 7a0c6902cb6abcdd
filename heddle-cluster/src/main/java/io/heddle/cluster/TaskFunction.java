package io.heddle.cluster;

import io.heddle.Context;

/**
 * What a remote goroutine runs; see {@link Cluster#register}.
 *
 * @param <I> the type of the input
 * @param <O> the type of the result
 */
@FunctionalInterface
public interface TaskFunction<I, O> {
  /**
   * Runs in a goroutine of a node that has registered this function.
   *
   * @param context ends when the caller cancels, when its deadline is over, when it has died
   *     (unless it is {@linkplain RemoteFunction#detached detached}), and when this node was cut
   *     off for so long that another may run the task. It is also the current context
   * @param input what the caller gave
   * @return the result, not null
   * @throws Exception a failure, which the caller gets as {@link RemoteFailureException}
   */
  O apply(Context context, I input) throws Exception;
}
