package io.heddle.cluster.contract;

import static io.heddle.Go.go;
import static io.heddle.Select.after;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.Case;
import io.heddle.Chan;
import io.heddle.Context;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.WaitGroup;
import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterException;
import io.heddle.cluster.CodecException;
import io.heddle.cluster.Lease;
import io.heddle.cluster.NodeDiedException;
import io.heddle.cluster.Remote;
import io.heddle.cluster.RemoteFailureException;
import io.heddle.cluster.RemoteFunction;
import io.heddle.cluster.RemoteGroup;
import io.heddle.cluster.RemoteMutex;
import io.heddle.cluster.RemoteOnce;
import io.heddle.cluster.RemoteSemaphore;
import io.heddle.cluster.UnsentException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What remote goroutines and locks promise, tried with two nodes on a real engine. The file is long
 * because each promise has a test.
 */
@Timeout(120)
public abstract class RemoteContract extends TwoNodes {
  /** The input of a function. */
  public record Job(int number) {}

  private static RemoteFunction<Job, String> function(Cluster on) {
    return on.function("work", Job.class, String.class);
  }

  @Test
  void functionRunsOnANodeThatHasRegisteredIt() throws Exception {
    b.register("work", Job.class, String.class, (_, job) -> "done " + job.number());
    Remote<String> remote = function(a).go(new Job(7));
    assertThat(remote.await()).isEqualTo("done 7");
    assertThat(remote.node()).isEqualTo(b.id());
    assertThat(remote.await()).as("again").isEqualTo("done 7");
    assertThat(a.go("work", new Job(8), String.class).await()).isEqualTo("done 8");
    Case<?> done = recv(remote.done());
    assertThat(select(done, after(PATIENCE))).isSameAs(done);
  }

  @Test
  void taskWaitsUntilANodeRegistersTheFunction() throws Exception {
    Remote<String> remote = function(a).go(new Job(1));
    Goroutine waiter = go(() -> remote.await());
    awaitReason(waiter, "chan receive (remote go work)");
    try (Context.Cancelable context = Context.background().withTimeout(PATIENCE)) {
      Goroutine other = go(() -> context.run(() -> remote.await()));
      awaitReason(other, "select (remote go work)");
      a.register("work", Job.class, String.class, (_, _) -> "late");
      other.join();
    }
    assertThat(remote.await()).isEqualTo("late");
    waiter.join();
  }

  @Test
  void failureTravelsWithItsStack() throws Exception {
    b.register(
        "work",
        Job.class,
        String.class,
        (_, job) -> {
          throw new IllegalArgumentException("no such job: " + job.number());
        });
    Remote<String> remote = function(a).go(new Job(3));
    assertThatThrownBy(remote::await)
        .isInstanceOf(RemoteFailureException.class)
        .hasMessageContaining("work")
        .hasMessageContaining(b.id())
        .hasMessageContaining("no such job: 3")
        .matches(e -> ((RemoteFailureException) e).remoteStack().contains("RemoteContract"));
    b.register("mute", Job.class, String.class, (_, _) -> null);
    assertThatThrownBy(() -> a.go("mute", new Job(1), String.class).await())
        .isInstanceOf(RemoteFailureException.class)
        .hasMessageContaining("null");
    b.register("large", Job.class, String.class, (_, _) -> "x".repeat(1_000_000));
    assertThatThrownBy(() -> a.go("large", new Job(1), String.class).await())
        .isInstanceOf(RemoteFailureException.class)
        .hasMessageContaining("1000000 bytes");
  }

  @Test
  void cancelEndsTheContextThere() throws Exception {
    Chan<String> started = Chan.make(10);
    b.register(
        "work",
        Job.class,
        String.class,
        (context, _) -> {
          started.send("started");
          context.done().receive();
          return "cancelled there";
        });
    Remote<String> remote = function(a).go(new Job(1));
    started.receive();
    remote.cancel();
    assertThat(remote.await()).isEqualTo("cancelled there");

    Remote<String> below;
    try (Context.Cancelable context = Context.background().withCancel()) {
      List<Remote<String>> made = new ArrayList<>();
      context.run(() -> made.add(function(a).go(new Job(2))));
      below = made.getFirst();
      started.receive();
    }
    assertThat(below.await()).as("its context has ended").isEqualTo("cancelled there");
  }

  @Test
  void cancelledTaskThatHasNotBegunNeverBegins() throws Exception {
    Remote<String> remote = function(a).go(new Job(1));
    remote.cancel();
    assertThatThrownBy(remote::await).isInstanceOf(CancellationException.class);
    List<Integer> ran = new CopyOnWriteArrayList<>();
    b.register(
        "work",
        Job.class,
        String.class,
        (_, job) -> {
          ran.add(job.number());
          return "ran";
        });
    assertThat(function(a).go(new Job(2)).await()).isEqualTo("ran");
    assertThat(ran).containsExactly(2);
  }

  @Test
  void deadlineTravels() throws Exception {
    b.register(
        "work",
        Job.class,
        String.class,
        (context, _) -> {
          context.done().receive();
          // The cancellation by the caller, whose deadline is the same, may arrive first.
          return Duration.between(Go.now(), context.deadline()).toMillis() > 200
              ? "early"
              : "in time";
        });
    String result = null;
    for (Duration limit = Duration.ofMillis(300); result == null; limit = limit.multipliedBy(2)) {
      assertThat(limit).as("time to begin").isLessThan(PATIENCE);
      result = resultWithin(limit);
    }
    assertThat(result).isEqualTo("in time");
  }

  /** Returns the result of a task with a deadline; null if the machine was too slow to begin it. */
  private String resultWithin(Duration limit) throws Exception {
    List<Remote<String>> made = new ArrayList<>();
    try (Context.Cancelable context = Context.background().withTimeout(limit)) {
      context.run(() -> made.add(function(a).go(new Job(1))));
      return made.getFirst().await();
    } catch (CancellationException | UnsentException e) {
      return null;
    }
  }

  @Test
  void nodeTakesNoMoreThanItsLimitAndOthersHelp() throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Set<String> nodes = ConcurrentHashMap.newKeySet();
    Chan<Integer> gate = Chan.make();
    for (Cluster each : List.of(a, b)) {
      each.register(
          "work",
          Job.class,
          String.class,
          2,
          (_, _) -> {
            nodes.add(each.id());
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            gate.receive();
            running.decrementAndGet();
            return each.id();
          });
    }
    List<Remote<String>> remotes = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      remotes.add(function(a).go(new Job(i)));
    }
    await(() -> running.get() == 4, () -> "four tasks, and it is " + running.get());
    for (int i = 0; i < 10; i++) {
      gate.send(i);
    }
    for (Remote<String> each : remotes) {
      each.await();
    }
    assertThat(most).hasValue(4);
    assertThat(nodes).containsExactlyInAnyOrder(a.id(), b.id());
  }

  @Test
  void deathOfTheNodeIsToldApartFromAFailure() throws Exception {
    Cluster worker = node("worker");
    Chan<Boolean> started = Chan.make(2);
    AtomicInteger begun = new AtomicInteger();
    worker.register("work", Job.class, String.class, (c, _) -> holdOn(c, begun, started));
    Remote<String> once = function(a).go(new Job(1));
    Remote<String> again = function(a).again(2).go(new Job(2));
    started.receive();
    started.receive();
    worker.close();
    b.register(
        "work",
        Job.class,
        String.class,
        (_, _) -> {
          begun.incrementAndGet();
          return "again";
        });
    assertThat(again.await()).isEqualTo("again");
    assertThatThrownBy(once::await)
        .isInstanceOf(NodeDiedException.class)
        .hasMessageContaining(worker.id());
    assertThat(begun).as("one of them ran twice").hasValue(3);
  }

  private static String holdOn(Context context, AtomicInteger begun, Chan<Boolean> started)
      throws InterruptedException {
    begun.incrementAndGet();
    started.send(true);
    context.done().receive();
    return "ended by its context";
  }

  @Test
  void deathOfTheCallerEndsTheContextUnlessDetached() throws Exception {
    Cluster caller = node("caller");
    Chan<Integer> started = Chan.make(2);
    Chan<Integer> ended = Chan.make(2);
    Chan<Boolean> gate = Chan.make();
    b.register(
        "work",
        Job.class,
        String.class,
        (context, job) -> {
          started.send(job.number());
          select(recv(context.done(), _ -> ended.send(job.number())), recv(gate));
          if (job.number() == 2) {
            ended.send(-2);
          }
          return "";
        });
    function(caller).go(new Job(1));
    function(caller).detached().go(new Job(2));
    started.receive();
    started.receive();
    caller.close();
    assertThat(ended.receive()).isEqualTo(1);
    gate.send(true);
    assertThat(ended.receive()).isEqualTo(-2);
  }

  @Test
  void groupCancelsTheOthersAfterAFailure() throws Exception {
    b.register(
        "work",
        Job.class,
        String.class,
        20,
        (context, job) -> {
          if (job.number() == 5) {
            throw new IllegalStateException("five");
          }
          if (job.number() > 5) {
            context.done().receive();
          }
          return "" + job.number();
        });
    List<String> results = new CopyOnWriteArrayList<>();
    try (RemoteGroup group = a.group().limit(3)) {
      for (int i = 0; i < 5; i++) {
        group.go(function(a), new Job(i), results::add);
      }
      group.await();
    }
    assertThat(results).containsExactlyInAnyOrder("0", "1", "2", "3", "4");
    try (RemoteGroup group = a.group()) {
      for (int i = 5; i < 10; i++) {
        group.go(function(a), new Job(i), _ -> {});
      }
      assertThatThrownBy(group::await)
          .isInstanceOf(RemoteFailureException.class)
          .hasMessageContaining("five");
    }
  }

  @Test
  void misuseOfFunctionsIsTold() throws Exception {
    b.register("work", Job.class, String.class, (_, _) -> "");
    assertThatThrownBy(() -> b.register("work", Job.class, String.class, (_, _) -> ""))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("work")
        .hasMessageContaining("already");
    assertThatThrownBy(() -> a.function("work", Thread.class, String.class))
        .isInstanceOf(CodecException.class);
    assertThatThrownBy(() -> a.register("work", Job.class, String.class, 0, (_, _) -> ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("limit 0");
    Cluster gone = node("gone");
    Remote<String> lost = gone.function("never", Job.class, String.class).go(new Job(1));
    gone.close();
    assertThatThrownBy(lost::await)
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> function(gone).go(new Job(1))).isInstanceOf(ClusterException.class);
  }

  @Test
  void mutexHasOneHolderAndGrowingTokens() throws Exception {
    AtomicInteger inside = new AtomicInteger();
    List<Long> tokens = new CopyOnWriteArrayList<>();
    WaitGroup all = new WaitGroup();
    for (Cluster each : List.of(a, b)) {
      for (int i = 0; i < 3; i++) {
        all.go(
            () -> {
              for (int k = 0; k < 5; k++) {
                try (Lease lease = each.mutex("ledger").lock()) {
                  assertThat(inside.incrementAndGet()).isEqualTo(1);
                  tokens.add(lease.token());
                  Go.gosched();
                  assertThat(lease.isLost()).isFalse();
                  inside.decrementAndGet();
                }
              }
            });
      }
    }
    all.await();
    assertThat(tokens).hasSize(30).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void mutexIsFreeWhenItsNodeEndsAndTheHolderIsTold() throws Exception {
    Cluster holder = node("holder");
    Lease lost = holder.mutex("ledger").lock();
    RemoteMutex mutex = a.mutex("ledger");
    assertThat(mutex.tryLock()).isEmpty();
    Goroutine waiter =
        go(
            () -> {
              try (Lease next = mutex.lock()) {
                assertThat(next.token()).isGreaterThan(lost.token());
              }
            });
    awaitReason(waiter, "select (remote lock ledger)");
    holder.close();
    Case<?> told = recv(lost.lost());
    assertThat(select(told, after(PATIENCE))).isSameAs(told);
    assertThat(lost.isLost()).isTrue();
    lost.close();
    waiter.join();
    await(() -> mutex.tryLock().isPresent(), () -> "a free lock");
  }

  @Tag("full")
  @Test
  void heldMutexIsRenewedForLongerThanItsLease() throws Exception {
    Duration lease = Duration.ofSeconds(4);
    Cluster holder = node(options().node("holder").lease(lease));
    try (Lease held = holder.mutex("long").lock()) {
      long end = System.nanoTime() + lease.multipliedBy(9).dividedBy(4).toNanos();
      while (System.nanoTime() - end < 0) {
        assertThat(held.isLost()).isFalse();
        assertThat(b.mutex("long").tryLock()).isEmpty();
        Go.sleep(Duration.ofMillis(100));
      }
    }
    assertThat(b.mutex("long").tryLock()).isPresent();
  }

  @Test
  void lockEndsWithItsContext() throws Exception {
    Lease held = a.mutex("ledger").lock();
    try (Context.Cancelable context = Context.background().withTimeout(Duration.ofMillis(100))) {
      assertThatThrownBy(() -> context.run(() -> b.mutex("ledger").lock()))
          .isInstanceOf(CancellationException.class)
          .hasMessageContaining("ledger");
    }
    held.close();
    held.close();
  }

  @Test
  void semaphoreBoundsTheWeights() throws Exception {
    RemoteSemaphore one = a.semaphore("slots", 3);
    RemoteSemaphore two = b.semaphore("slots", 3);
    Lease heavy = one.acquire(2);
    Lease light = two.acquire(1);
    assertThat(one.tryAcquire(1)).isEmpty();
    Goroutine waiter = go(() -> one.acquire(2).close());
    awaitReason(waiter, "select (remote semaphore slots)");
    light.close();
    assertThat(waiter.join(Duration.ofMillis(100))).isFalse();
    heavy.close();
    waiter.join();
    Optional<Lease> all = two.tryAcquire(3);
    assertThat(all).isPresent();
    assertThat(all.get().token()).isGreaterThan(heavy.token());
    all.get().close();
    assertThatThrownBy(() -> a.semaphore("slots", 4).acquire(1))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("slots")
        .hasMessageContaining("3 permits, not 4");
    assertThatThrownBy(() -> one.acquire(4)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void permitsOfANodeThatEndedAreFree() throws Exception {
    Cluster holder = node("holder");
    Lease lost = holder.semaphore("slots", 2).acquire(2);
    RemoteSemaphore slots = a.semaphore("slots", 2);
    Goroutine waiter = go(() -> slots.acquire(1).close());
    awaitReason(waiter, "select (remote semaphore slots)");
    holder.close();
    waiter.join();
    assertThat(lost.isLost()).isTrue();
  }

  @Test
  void onceRunsOnceInTheWholeCluster() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    RemoteOnce once = a.once("migrate");
    assertThatThrownBy(
            () ->
                once.run(
                    () -> {
                      throw new IllegalStateException("not yet");
                    }))
        .hasMessage("not yet");
    assertThat(once.isDone()).isFalse();
    WaitGroup all = new WaitGroup();
    AtomicInteger done = new AtomicInteger();
    for (Cluster each : List.of(a, b, a, b)) {
      all.go(
          () -> {
            if (each.once("migrate").run(runs::incrementAndGet)) {
              done.incrementAndGet();
            }
            assertThat(each.once("migrate").isDone()).isTrue();
          });
    }
    all.await();
    assertThat(runs).hasValue(1);
    assertThat(done).hasValue(1);
  }
}
