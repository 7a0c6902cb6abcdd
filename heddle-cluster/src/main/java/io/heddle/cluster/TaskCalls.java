package io.heddle.cluster;

import io.heddle.Context;
import io.heddle.Timer;
import io.heddle.cluster.TaskMessages.Call;
import io.heddle.cluster.TaskMessages.Claim;
import io.heddle.cluster.TaskMessages.End;
import io.heddle.cluster.spi.Registry.Ended;
import io.heddle.cluster.spi.Wire;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The callers of remote goroutines on one node: grants claims, takes results, notices deaths. */
final class TaskCalls {
  private static final int CAPACITY = 1_000;

  private final Node node;
  private final RemoteChans chans;
  private final AtomicLong ids = new AtomicLong();

  // Guarded by the monitor of `calls`.
  private final Map<String, Remote<?>> calls = new LinkedHashMap<>();
  private boolean isTicking;

  private final io.heddle.Mutex listens = new io.heddle.Mutex();
  private @Nullable Ended listening; // guarded by listens

  TaskCalls(Node node, RemoteChans chans) {
    this.node = node;
    this.chans = chans;
    node.onOver(this::end);
  }

  private void end(ClusterException why) {
    for (Remote<?> each : snapshot()) {
      each.fail(node.failure("remote goroutine", String.valueOf(why.getMessage()), why));
    }
  }

  /**
   * The others may have counted this node as dead. Workers have then dropped its tasks and results,
   * and no message about them comes any more.
   */
  void lose() {
    for (Remote<?> each : snapshot()) {
      each.fail(node.failure("remote goroutine", "the others may have counted this node as dead"));
    }
  }

  /** The channel of the tasks of a function. */
  RemoteChan<Call> channel(String function) throws InterruptedException {
    return new RemoteChan.Builder<>(
            chans, TaskMessages.channel(function), Call.class, Codec.json(Call.class))
        .capacity(CAPACITY)
        .maxItemBytes(ChannelSettings.MAX_ITEM_BYTES)
        .attempts(Integer.MAX_VALUE)
        .open();
  }

  <I, O> Remote<O> go(RemoteFunction<I, O> function, I input) throws InterruptedException {
    listen();
    String id = node.id() + "." + ids.incrementAndGet();
    Remote<O> remote =
        new Remote<>(this, function.name(), id, function.out(), function.attempts() - 1);
    Call call = new Call(id, node.id(), function.isDetached(), function.in().encode(input));
    synchronized (calls) {
      calls.put(id, remote);
    }
    boolean isSent = false;
    try {
      function.channel().send(call);
      isSent = true;
    } finally {
      if (!isSent) {
        remote.cancel(); // it may have been stored
      }
    }
    node.checkOpen("remote goroutine " + function.name());
    tickLater();
    Context context = Context.current();
    if (context != Context.background()) {
      remote.onEnd(context.onDone(remote::cancel));
    }
    return remote;
  }

  private void listen() throws InterruptedException {
    listens.lockInterruptibly();
    try {
      if (listening == null) {
        listening =
            node.repeat(
                "remote goroutines",
                _ ->
                    node.engine().wire().listen(TaskMessages.callerSubject(node.id()), this::hear));
      }
    } finally {
      listens.unlock();
    }
  }

  /** From the engine. */
  private void hear(byte[] message, Wire.Reply reply) {
    boolean isYes;
    try {
      isYes =
          switch (TaskMessages.decode(message)) {
            case Claim claim -> {
              Remote<?> remote = find(claim.task());
              yield remote != null && remote.claim(claim);
            }
            case End end -> {
              Remote<?> remote = find(end.task());
              if (remote != null) {
                remote.end(end);
              }
              yield true;
            }
          };
    } catch (CodecException e) {
      return; // not a message of a worker
    }
    reply.send(isYes ? TaskMessages.YES : TaskMessages.NO);
  }

  private @Nullable Remote<?> find(String id) {
    synchronized (calls) {
      return calls.get(id);
    }
  }

  private List<Remote<?>> snapshot() {
    synchronized (calls) {
      return List.copyOf(calls.values());
    }
  }

  /** Returns how many remote goroutines this node has started and not seen end. */
  int open() {
    synchronized (calls) {
      return calls.size();
    }
  }

  void forget(String id) {
    synchronized (calls) {
      calls.remove(id);
    }
  }

  void tellCancel(String worker, String id) {
    if (!node.isOver()) {
      node.engine().wire().tell(TaskMessages.cancelSubject(worker), TaskMessages.encodeId(id));
    }
  }

  /** Looks after the workers, for as long as there are calls. */
  private void tickLater() {
    synchronized (calls) {
      if (isTicking || calls.isEmpty() || node.isOver()) {
        return;
      }
      isTicking = true;
    }
    Timer _ = Timer.schedule(node.options().lease().dividedBy(3), this::tick);
  }

  private void tick() {
    try {
      Set<String> workers = new LinkedHashSet<>();
      for (Remote<?> each : snapshot()) {
        String worker = each.node();
        if (worker != null) {
          workers.add(worker);
        }
        each.tellCancel();
      }
      for (String worker : workers) {
        if (!Membership.isMember(node, worker)) {
          snapshot().forEach(each -> each.died(worker));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ClusterException e) {
      // The engine is away: nothing is known about the workers.
    } finally {
      synchronized (calls) {
        isTicking = false;
      }
      tickLater();
    }
  }
}
