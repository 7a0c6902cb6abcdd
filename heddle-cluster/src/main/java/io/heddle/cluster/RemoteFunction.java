package io.heddle.cluster;

import io.heddle.Mutex;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A function that some nodes have {@linkplain Cluster#register registered}, to be run there.
 *
 * {@snippet :
 * RemoteFunction<Picture, Thumbnail> thumbnails =
 *     cluster.function("thumbnail", Picture.class, Thumbnail.class);
 * Remote<Thumbnail> remote = thumbnails.go(picture);
 * show(remote.await());
 * }
 *
 * <p>Immutable: {@link #again} and {@link #detached} return another one.
 *
 * @param <I> the type of the input
 * @param <O> the type of the result
 */
public final class RemoteFunction<I, O> {
  private final TaskCalls calls;
  private final String name;
  private final Codec<I> in;
  private final Codec<O> out;
  private final int attempts;
  private final boolean isDetached;
  private final Mutex opening = new Mutex();
  private @Nullable RemoteChan<TaskMessages.Call> channel;

  RemoteFunction(
      TaskCalls calls, String name, Codec<I> in, Codec<O> out, int attempts, boolean isDetached) {
    this.calls = calls;
    this.name = name;
    this.in = in;
    this.out = out;
    this.attempts = attempts;
    this.isDetached = isDetached;
  }

  /**
   * Returns this function, run again on another node if one dies while it runs it. Without this, a
   * node's death is a {@link NodeDiedException}, because the function may have done its work.
   *
   * @param attempts how many nodes may begin, 1 or more
   * @return the changed function
   */
  public RemoteFunction<I, O> again(int attempts) {
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts " + attempts + ": allowed is 1 or more");
    }
    return new RemoteFunction<>(calls, name, in, out, attempts, isDetached);
  }

  /**
   * Returns this function, run to its end even if the node that called it dies.
   *
   * @return the changed function
   */
  public RemoteFunction<I, O> detached() {
    return new RemoteFunction<>(calls, name, in, out, attempts, true);
  }

  /**
   * Starts a goroutine on some node: the first that has registered the function and has less to do
   * than its limit. Returns when the engine has stored the task; waits while too many wait. The
   * deadline of the caller's {@link io.heddle.Context#current} and its {@link Cluster#TRACE} travel
   * with it, and when that context ends, the goroutine is cancelled.
   *
   * @param input the input, not null
   * @return the goroutine
   * @throws InterruptedException if the caller is interrupted while it waits; the function is not
   *     run
   * @throws ClusterException as of {@link RemoteChan#send}
   */
  public Remote<O> go(I input) throws InterruptedException {
    return calls.go(this, Objects.requireNonNull(input, "input"));
  }

  String name() {
    return name;
  }

  Codec<I> in() {
    return in;
  }

  Codec<O> out() {
    return out;
  }

  int attempts() {
    return attempts;
  }

  boolean isDetached() {
    return isDetached;
  }

  RemoteChan<TaskMessages.Call> channel() throws InterruptedException {
    opening.lockInterruptibly();
    try {
      RemoteChan<TaskMessages.Call> open = channel;
      if (open == null) {
        open = calls.channel(name);
        channel = open;
      }
      return open;
    } finally {
      opening.unlock();
    }
  }
}
