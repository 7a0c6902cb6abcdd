package io.heddle.cluster.local;

import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Receiver;
import io.heddle.cluster.ClusterException;
import io.heddle.cluster.local.DueList.Due;
import io.heddle.cluster.spi.AwayException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a node to its hub. Without faults a message arrives at once, in the caller.
 * The hub's lock is held in all methods but {@link #ask}, and in all actions at the hub.
 */
final class LocalLink {
  private enum Condition {
    UP,
    CUT,
    PAUSED,
    CRASHED,
    CLOSED
  }

  private final LocalHub hub;
  private final @Nullable Faults faults;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final Chan<Void> over = Chan.external("engine local", 0);
  private final List<Runnable> keptToHub = new ArrayList<>();
  private final List<Runnable> keptToNode = new ArrayList<>();
  private final List<Runnable> onHeal = new ArrayList<>();
  private final List<Runnable> onEnd = new ArrayList<>();
  private volatile Condition condition = Condition.UP; // written with the lock
  private long lastAtHub = Go.nanoTime();
  private long lastAtNode = lastAtHub;

  LocalLink(LocalHub hub, @Nullable Faults faults) {
    this.hub = hub;
    this.faults = faults;
  }

  /**
   * Sends a request, which {@code atHub} answers. The result completes exceptionally if there is no
   * answer in time, or with the {@link ClusterException} that {@code atHub} throws.
   */
  <T> CompletableFuture<T> ask(boolean isRepeatable, Supplier<T> atHub) {
    CompletableFuture<T> result = new CompletableFuture<>();
    hub.run(
        () -> {
          Due timeout =
              faults == null ? null : hub.dues().add(faults.timeoutNanos(), () -> noAnswer(result));
          Runnable request = () -> answer(atHub, result, timeout);
          toHub(request);
          if (isRepeatable && faults != null && faults.duplicates()) {
            toHub(request);
          }
        });
    return result;
  }

  private void noAnswer(CompletableFuture<?> result) {
    hub.post(
        () ->
            result.completeExceptionally(
                new AwayException("engine local: the hub has not answered")));
  }

  private <T> void answer(Supplier<T> atHub, CompletableFuture<T> result, @Nullable Due timeout) {
    try {
      T value = atHub.get();
      toNode(
          () -> {
            hub.dues().cancel(timeout);
            hub.post(() -> result.complete(value));
          });
    } catch (ClusterException e) {
      toNode(
          () -> {
            hub.dues().cancel(timeout);
            hub.post(() -> result.completeExceptionally(e));
          });
    }
  }

  /** Sends a message to the hub, which may be lost. */
  void toHub(Runnable action) {
    if (condition == Condition.CLOSED) {
      throw failure("closed");
    }
    if (faults == null) {
      action.run();
    } else if (!faults.drops()) {
      long at = arrival(lastAtHub, faults.reorders());
      lastAtHub = Math.max(lastAtHub, at);
      later(at, () -> arrive(action, keptToHub));
    }
  }

  /** Sends a message to the node, which may be lost; {@code action} may post callbacks. */
  void toNode(Runnable action) {
    if (faults == null || !faults.drops()) {
      toNodeSurely(action);
    }
  }

  /** Sends a message to the node, which is lost only if the node is cut. */
  void toNodeSurely(Runnable action) {
    if (faults == null) {
      arrive(action, keptToNode);
    } else {
      lastAtNode = arrival(lastAtNode, false);
      later(lastAtNode, () -> arrive(action, keptToNode));
    }
  }

  private long arrival(long last, boolean overtakes) {
    long now = Go.nanoTime();
    long at = now + (faults == null ? 0 : faults.delayNanos());
    return overtakes ? at : Math.max(at, last);
  }

  private void later(long at, Runnable action) {
    long nanos = at - Go.nanoTime();
    if (nanos <= 0) {
      action.run();
    } else {
      hub.dues().add(nanos, action);
    }
  }

  private void arrive(Runnable action, List<Runnable> kept) {
    if (condition == Condition.PAUSED) {
      kept.add(action);
    } else if (condition == Condition.UP) {
      action.run();
    }
  }

  boolean isUp() {
    return condition == Condition.UP;
  }

  boolean isClosed() {
    return condition == Condition.CLOSED || condition == Condition.CRASHED;
  }

  CompletableFuture<Void> ended() {
    return ended;
  }

  /** Returns a channel that is closed when this link is closed or crashes. */
  Receiver<Void> over() {
    return over;
  }

  /** Runs {@code action} whenever a cut ends. */
  void onHeal(Runnable action) {
    onHeal.add(action);
  }

  void forgetOnHeal(Runnable action) {
    onHeal.remove(action);
  }

  /** Runs {@code action} when this link is closed or crashes. */
  void onEnd(Runnable action) {
    onEnd.add(action);
  }

  void cut() {
    move(Condition.CUT);
    keptToHub.clear();
    keptToNode.clear();
  }

  void heal() {
    move(Condition.UP);
    List.copyOf(onHeal).forEach(Runnable::run);
  }

  void pause() {
    move(Condition.PAUSED);
  }

  void resume() {
    move(Condition.UP);
    // What the hub does at its requests must not overtake what it has sent to the node before.
    List<Runnable> kept = new ArrayList<>(keptToNode);
    kept.addAll(keptToHub);
    keptToHub.clear();
    keptToNode.clear();
    kept.forEach(Runnable::run);
  }

  void crash() {
    move(Condition.CRASHED);
    List.copyOf(onEnd).forEach(Runnable::run);
    over.close();
    hub.post(() -> ended.completeExceptionally(failure("the node has crashed")));
  }

  void close() {
    if (!isClosed()) {
      List.copyOf(onEnd).forEach(Runnable::run);
      move(Condition.CLOSED);
      hub.disconnect(this);
      over.close();
      hub.post(() -> ended.complete(null));
    }
  }

  private void move(Condition to) {
    if (isClosed()) {
      throw failure("closed");
    }
    condition = to;
  }

  static ClusterException failure(String why) {
    return new ClusterException("engine local: " + why);
  }
}
