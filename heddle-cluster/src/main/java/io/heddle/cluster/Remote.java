package io.heddle.cluster;

import io.heddle.Case;
import io.heddle.Chan;
import io.heddle.Context;
import io.heddle.Receiver;
import io.heddle.Select;
import io.heddle.cluster.TaskMessages.Claim;
import io.heddle.cluster.TaskMessages.End;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * A goroutine on some node, seen from its caller. See {@link RemoteFunction#go}.
 *
 * {@snippet :
 * Remote<Thumbnail> remote = thumbnails.go(picture);
 * select(recv(remote.done(), _ -> show(remote.await())), after(ofSeconds(5), remote::cancel));
 * }
 *
 * <p>Any thread may use it.
 *
 * @param <R> the type of the result
 */
public final class Remote<R> {
  /*
   * The caller decides which worker runs a task: a worker claims it first. `attempts` is how many
   * claims may still be granted after the first one.
   *
   * States: waiting (claimedBy is null), claimed, ended (end is set). The monitor guards all
   * fields.
   */
  private final TaskCalls calls;
  private final String function;
  private final String id;
  private final Codec<R> codec;
  private final Chan<Void> done;
  private int attempts;
  private @Nullable String claimedBy;
  private String nonce = "";
  private boolean isCancelled;
  private boolean isEnded;
  private @Nullable R result;
  private @Nullable RuntimeException failure;
  private Runnable forget = () -> {};

  Remote(TaskCalls calls, String function, String id, Codec<R> codec, int attempts) {
    this.calls = calls;
    this.function = function;
    this.id = id;
    this.codec = codec;
    this.attempts = attempts;
    this.done = Chan.external("remote go " + function, 0);
  }

  String id() {
    return id;
  }

  /**
   * Waits for the result.
   *
   * @return what the function returned
   * @throws RemoteFailureException if the function threw
   * @throws NodeDiedException if the node that ran it died, as often as {@link
   *     RemoteFunction#again} allows
   * @throws CancellationException if it was cancelled before a node ran it, or the caller's {@link
   *     Context#current} ended
   * @throws ClusterException if this cluster was closed meanwhile, or was cut off or paused for
   *     longer than its lease
   * @throws InterruptedException if the caller is interrupted while it waits; the goroutine runs on
   */
  public R await() throws InterruptedException {
    Context context = Context.current();
    if (context == Context.background()) {
      var _ = done.receive();
    } else {
      Case<?> ended = Select.recv(context.done());
      if (Select.select(Select.recv(done), ended) == ended && !isDone()) {
        cancel();
        throw new CancellationException(
            "remote goroutine " + function + ": the context of its caller has ended");
      }
    }
    synchronized (this) {
      if (failure != null) {
        failure.addSuppressed(new Awaited());
        throw failure;
      }
      return Objects.requireNonNull(result);
    }
  }

  /** Shows where the caller waited, beside where the failure was noticed. */
  private static final class Awaited extends Exception {
    private static final long serialVersionUID = 1;

    Awaited() {
      super("awaited here");
    }
  }

  /**
   * Returns a channel that is closed when the goroutine has ended, in whatever way.
   *
   * @return the same channel each time
   */
  public Receiver<Void> done() {
    return done;
  }

  private synchronized boolean isDone() {
    return isEnded;
  }

  /**
   * Returns which node runs it, or has run it last.
   *
   * @return the id of the node; null if none has begun
   */
  public synchronized @Nullable String node() {
    return claimedBy;
  }

  /**
   * Cancels the goroutine: if no node has begun, none will; otherwise its context ends there, and
   * what the function then does is the result. Does not wait.
   */
  public void cancel() {
    synchronized (this) {
      if (isEnded || isCancelled) {
        return;
      }
      isCancelled = true;
    }
    if (node() == null) {
      end(null, cancelled());
    } else {
      tellCancel();
    }
  }

  private CancellationException cancelled() {
    return new CancellationException("remote goroutine " + function + " was cancelled");
  }

  /** Runs {@code action} when this has ended. */
  void onEnd(Runnable action) {
    boolean isOver;
    synchronized (this) {
      isOver = isEnded;
      forget = action;
    }
    if (isOver) {
      action.run();
    }
  }

  // For TaskCalls.

  /** A worker asks whether to run this. */
  boolean claim(Claim claim) {
    String dead;
    synchronized (this) {
      if (isEnded) {
        return false;
      }
      dead = claimedBy;
      if (dead != null && claim.nonce().equals(nonce)) {
        return true; // the answer was lost
      }
      if (!isCancelled && (dead == null || attempts-- > 0)) {
        claimedBy = claim.node();
        nonce = claim.nonce();
        return true;
      }
      if (isCancelled) {
        dead = null;
      }
    }
    end(null, dead == null ? cancelled() : new NodeDiedException(function, dead));
    return false;
  }

  /** A worker tells the result. */
  void end(End end) {
    if (end.isFailure()) {
      end(null, new RemoteFailureException(function, end.node(), end.thrown(), end.stack()));
      return;
    }
    try {
      end(codec.decode(end.result()), null);
    } catch (RuntimeException e) {
      end(null, e); // of any codec: this runs on a thread of the engine
    }
  }

  /** The node that runs this is not a member any more. */
  void died(String node) {
    synchronized (this) {
      if (!node.equals(claimedBy) || attempts > 0) {
        return; // another worker will claim it
      }
    }
    end(null, new NodeDiedException(function, node));
  }

  void fail(RuntimeException why) {
    end(null, why);
  }

  /** Tells the worker, if this was cancelled. May be lost, and is repeated. */
  void tellCancel() {
    String node;
    synchronized (this) {
      node = isCancelled && !isEnded ? claimedBy : null;
    }
    if (node != null) {
      calls.tellCancel(node, id);
    }
  }

  private void end(@Nullable R value, @Nullable RuntimeException why) {
    Runnable action;
    synchronized (this) {
      if (isEnded) {
        return;
      }
      isEnded = true;
      result = value;
      failure = why;
      action = forget;
    }
    calls.forget(id);
    done.close();
    action.run();
  }

  @Override
  public String toString() {
    return "Remote[" + function + ", " + id + (isDone() ? ", ended]" : ", node " + node() + "]");
  }
}
