package io.heddle.cluster;

import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.Receiver;
import io.heddle.Scheduler;
import io.heddle.Select;
import io.heddle.Task;
import io.heddle.cluster.spi.AwayException;
import io.heddle.cluster.spi.Engine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What all parts of one node share: the engine, the keys, the scheduler, and how it ends. */
final class Node {
  private static final long FIRST_PAUSE_NANOS = 20_000_000;
  private static final long MAX_PAUSE_NANOS = 500_000_000;

  private final Engine engine;
  private final ClusterOptions options;
  private final Scheduler scheduler;
  private final Supplier<LeaseTime> clock;
  private final Keys keys;
  private final Chan<Void> ended = Chan.external("end of a node", 0);
  private final List<Consumer<ClusterException>> onOver = new ArrayList<>();
  private final Set<Runnable> farewells = new LinkedHashSet<>(); // guarded by itself
  private volatile String id = "";
  private volatile @Nullable ClusterException over;

  Node(Engine engine, ClusterOptions options, Scheduler scheduler, Supplier<LeaseTime> clock) {
    this.engine = engine;
    this.options = options;
    this.scheduler = scheduler;
    this.clock = clock;
    this.keys = new Keys(this);
  }

  Engine engine() {
    return engine;
  }

  ClusterOptions options() {
    return options;
  }

  Keys keys() {
    return keys;
  }

  /** Returns the id of this node, which no other node ever has. */
  String id() {
    return id;
  }

  void joined(String as) {
    id = as;
  }

  /** Returns what measures leases. */
  Supplier<LeaseTime> clock() {
    return clock;
  }

  Goroutine go(String name, Task task) {
    return scheduler.go(name, task);
  }

  int goroutines() {
    return scheduler.goroutines();
  }

  int procs() {
    return scheduler.procs();
  }

  /** Returns an exception that names what, the engine and its address. */
  ClusterException failure(String what, String why) {
    return failure(what, why, null);
  }

  ClusterException failure(String what, String why, @Nullable Throwable cause) {
    return new ClusterException(what + " " + place() + ": " + why, cause);
  }

  String place() {
    return "(engine " + engine.name() + ", " + engine.address() + ")";
  }

  /** Throws if this node has ended. */
  void checkOpen(String what) {
    ClusterException why = over;
    if (why != null) {
      throw failure(what, String.valueOf(why.getMessage()), why);
    }
  }

  /** Ends this node when the engine has ended. */
  void endWith(Engine ofThis) {
    var _ =
        ofThis
            .ended()
            .whenComplete(
                (_, reason) ->
                    end(
                        new ClusterException(
                            reason == null ? "closed" : String.valueOf(reason.getMessage()))));
  }

  /** Waits for an answer; null if there is none, or if this node ends meanwhile. */
  byte @Nullable [] answer(CompletionStage<byte @Nullable []> stage) throws InterruptedException {
    Chan<byte[]> answered = Chan.external("an answer", 1);
    var _ =
        stage.whenComplete(
            (answer, _) -> {
              if (answer != null) {
                boolean _ = answered.trySend(answer);
              } else {
                answered.close();
              }
            });
    var got = Select.recv(answered);
    var over = Select.recv(over());
    return Select.select(got, over) == got ? got.value() : null;
  }

  /** Waits until {@code stage} is done, in whatever way, or this node ends. */
  void await(CompletableFuture<Void> stage) throws InterruptedException {
    Chan<Void> done = Chan.external("an answer", 0);
    var _ = stage.whenComplete((_, _) -> done.close());
    var _ = Select.select(Select.recv(done), Select.recv(over()));
  }

  /** Returns a channel that is closed when this node ends. */
  Receiver<Void> over() {
    return ended;
  }

  boolean isOver() {
    return over != null;
  }

  /** An operation of the engine. */
  @FunctionalInterface
  interface Operation<R> {
    R run(boolean isAgain) throws InterruptedException;
  }

  /** Repeats an operation while the engine is away, for as long as the options say. */
  <R> R repeat(String what, Operation<R> operation) throws InterruptedException {
    long start = Go.nanoTime();
    long pause = FIRST_PAUSE_NANOS;
    boolean isAgain = false;
    while (true) {
      checkOpen(what);
      try {
        return operation.run(isAgain);
      } catch (AwayException e) {
        if (Go.nanoTime() - start > options.connectTimeout().toNanos()) {
          throw failure(what, String.valueOf(e.getMessage()), e);
        }
      } catch (ClusterException e) {
        checkOpen(what);
        throw e;
      }
      pause(Duration.ofNanos(pause));
      pause = Math.min(2 * pause, MAX_PAUSE_NANOS);
      isAgain = true;
    }
  }

  /** Waits for {@code time}, or until this node ends. */
  void pause(Duration time) throws InterruptedException {
    var _ = Select.select(Select.recv(ended), Select.after(time));
  }

  /** Runs {@code action} when this node ends; now if it has. The action must not wait. */
  void onOver(Consumer<ClusterException> action) {
    ClusterException why;
    synchronized (onOver) {
      why = over;
      if (why == null) {
        onOver.add(action);
      }
    }
    if (why != null) {
      action.accept(why);
    }
  }

  /** Runs {@code action} when this node leaves in good order. The action may wait. */
  void addFarewell(Runnable action) {
    synchronized (farewells) {
      farewells.add(action);
    }
  }

  void removeFarewell(Runnable action) {
    synchronized (farewells) {
      farewells.remove(action);
    }
  }

  /** Gives back what others wait for. */
  void sayFarewell() {
    List<Runnable> actions;
    synchronized (farewells) {
      actions = List.copyOf(farewells);
      farewells.clear();
    }
    actions.forEach(Runnable::run);
  }

  /** Ends this node: everything that waits for the engine throws. Only the first call counts. */
  void end(ClusterException why) {
    List<Consumer<ClusterException>> actions;
    synchronized (onOver) {
      if (over != null) {
        return;
      }
      over = why;
      actions = List.copyOf(onOver);
      onOver.clear();
    }
    ended.close();
    actions.forEach(action -> action.accept(why));
  }
}
