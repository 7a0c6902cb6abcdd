package io.heddle.cluster;

import io.heddle.Context;
import io.heddle.Go;
import io.heddle.Mutex;
import io.heddle.Semaphore;
import io.heddle.Timer;
import io.heddle.cluster.ClusterStatus.TaskStatus;
import io.heddle.cluster.TaskMessages.Call;
import io.heddle.cluster.TaskMessages.Claim;
import io.heddle.cluster.TaskMessages.End;
import io.heddle.cluster.TaskMessages.ToCaller;
import io.heddle.cluster.spi.Registry.Ended;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The functions that one node has registered. Takes tasks from their channels, no more than the
 * limit, and runs those that their callers grant.
 */
final class TaskWorkers {
  /*
   * A worker: 1. Receives the task, and holds it until step 5. 2. Asks the caller whether to run
   * it, until there is an answer or the caller is not a member any more. 3. Runs the function. 4.
   * Tells the caller the result, again until there is an answer. 5. Acknowledges the task.
   *
   * If it dies anywhere, another worker receives the task and asks again. The caller knows whether
   * it has granted it before, and decides.
   */
  private static final Duration ANSWER_TIME = Duration.ofMillis(500);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(1);
  private static final int MAX_STACK = 8_000;

  private final Node node;
  private final TaskCalls calls;
  private final AtomicLong nonces = new AtomicLong();
  private final Mutex listens = new Mutex();
  private @Nullable Ended listening; // guarded by listens

  // Guarded by the monitor of `running`.
  private final Map<String, Running> running = new LinkedHashMap<>();
  private boolean isTicking;

  TaskWorkers(Node node, TaskCalls calls) {
    this.node = node;
    this.calls = calls;
  }

  /** A task that runs here. */
  private record Running(String function, Call call, Context.Cancelable context, long since) {
    TaskStatus status(String node) {
      return new TaskStatus(
          call.id(), function, call.caller(), node, Duration.ofNanos(Go.nanoTime() - since));
    }
  }

  /** A function with its codecs. */
  record Registered<I, O>(
      String name, Codec<I> in, Codec<O> out, TaskFunction<I, O> function, int limit) {}

  int running() {
    synchronized (running) {
      return running.size();
    }
  }

  /** Returns the tasks that run here, the oldest first, at most {@code limit}. */
  List<TaskStatus> tasks(int limit) {
    synchronized (running) {
      return running.values().stream().limit(limit).map(each -> each.status(node.id())).toList();
    }
  }

  <I, O> void register(Registered<I, O> registered) throws InterruptedException {
    listen();
    RemoteChan<Call> channel = calls.channel(registered.name());
    if (!channel.tryTakeOver(registered.limit())) {
      throw node.failure("function " + registered.name(), "this node has registered it already");
    }
    var _ = node.go("worker of " + registered.name(), () -> work(registered, channel));
  }

  private void listen() throws InterruptedException {
    listens.lockInterruptibly();
    try {
      if (listening == null) {
        listening =
            node.repeat(
                "remote goroutines",
                _ ->
                    node.engine()
                        .wire()
                        .listen(
                            TaskMessages.cancelSubject(node.id()),
                            (message, _) -> cancel(TaskMessages.decodeId(message))));
      }
    } finally {
      listens.unlock();
    }
  }

  private void cancel(String task) {
    Running found;
    synchronized (running) {
      found = running.get(task);
    }
    if (found != null) {
      found.context.cancel();
    }
  }

  private <I, O> void work(Registered<I, O> registered, RemoteChan<Call> channel)
      throws InterruptedException {
    Semaphore free = new Semaphore(registered.limit());
    try {
      while (true) {
        free.acquire(1);
        Delivery<Call> next = channel.receive();
        if (next == null) {
          return;
        }
        var _ =
            node.go(
                "remote " + registered.name(),
                () -> {
                  try {
                    run(registered, next);
                  } finally {
                    free.release(1);
                  }
                });
      }
    } catch (ClusterException e) {
      // This node has ended.
    }
  }

  private <I, O> void run(Registered<I, O> registered, Delivery<Call> delivery)
      throws InterruptedException {
    Call call = delivery.value();
    try {
      Claim claim = new Claim(call.id(), node.id(), node.id() + "." + nonces.incrementAndGet());
      Boolean granted = tell(call, claim, delivery);
      if (delivery.isStale()) {
        delivery.close();
        return; // another worker asks
      }
      if (granted == null ? call.isDetached() : granted) {
        End end = compute(registered, delivery);
        var _ = tell(call, end, null);
      }
      delivery.ack();
    } catch (StaleDeliveryException e) {
      // Another worker asks the caller, which has the result or grants it once more.
    } catch (ClusterException e) {
      // This node has ended.
    }
  }

  private <I, O> End compute(Registered<I, O> registered, Delivery<Call> delivery) {
    Call call = delivery.value();
    Context.Cancelable context = delivery.context().withCancel();
    synchronized (running) {
      running.put(call.id(), new Running(registered.name(), call, context, Go.nanoTime()));
    }
    tickLater();
    ClusterEvents.TaskEnd event =
        ClusterEvents.taskBegins(registered.name(), call.id(), call.caller());
    String thrown = "";
    try {
      Result<O> result = new Result<>();
      context.run(
          () ->
              result.value =
                  registered.function().apply(context, registered.in().decode(call.input())));
      O value = result.value;
      if (value == null) {
        throw new NullPointerException("function " + registered.name() + " returned null");
      }
      byte[] bytes = registered.out().encode(value);
      End end = new End(call.id(), node.id(), false, bytes, "", "");
      int length = TaskMessages.encode(end).length;
      if (length > TaskMessages.MAX_BYTES) {
        throw new CodecException(
            "a result of "
                + bytes.length
                + " bytes: allowed are about "
                + TaskMessages.MAX_BYTES * 3 / 4);
      }
      return end;
    } catch (Throwable t) {
      thrown = t.toString();
      return failed(call, t);
    } finally {
      event.ended(thrown);
      synchronized (running) {
        running.remove(call.id());
      }
      context.cancel();
    }
  }

  private static final class Result<O> {
    @Nullable O value;
  }

  private End failed(Call call, Throwable t) {
    StringWriter stack = new StringWriter();
    t.printStackTrace(new PrintWriter(stack));
    String text = stack.toString();
    return new End(call.id(), node.id(), true, new byte[0], cut(t.toString()), cut(text));
  }

  private static String cut(String text) {
    return text.substring(0, Math.min(MAX_STACK, text.length()));
  }

  /**
   * Tells the caller until it answers.
   *
   * @param held the delivery with which to give up; null if the message has to arrive anyhow
   * @return the answer; null if the caller is not a member any more, or the delivery was lost
   */
  private @Nullable Boolean tell(Call call, ToCaller message, @Nullable Delivery<Call> held)
      throws InterruptedException {
    byte[] bytes = TaskMessages.encode(message);
    Duration pause = FIRST_PAUSE;
    while (held == null || !held.isStale()) {
      node.checkOpen("remote goroutine");
      byte[] answer =
          node.answer(
              node.engine()
                  .wire()
                  .ask(TaskMessages.callerSubject(call.caller()), bytes, ANSWER_TIME));
      if (answer != null && answer.length == 1) {
        return answer[0] == TaskMessages.YES[0];
      }
      if (!Membership.isMember(node, call.caller())) {
        return null;
      }
      node.pause(pause);
      Duration twice = pause.multipliedBy(2);
      pause = twice.compareTo(MAX_PAUSE) < 0 ? twice : MAX_PAUSE;
    }
    return null;
  }

  /** Looks after the callers, for as long as tasks run here. */
  private void tickLater() {
    synchronized (running) {
      if (isTicking || running.isEmpty() || node.isOver()) {
        return;
      }
      isTicking = true;
    }
    Timer _ = Timer.schedule(node.options().lease().dividedBy(3), this::tick);
  }

  private void tick() {
    List<Running> all;
    synchronized (running) {
      all = List.copyOf(running.values());
    }
    try {
      Set<String> callers = new LinkedHashSet<>();
      all.forEach(each -> callers.add(each.call.caller()));
      for (String caller : callers) {
        if (!Membership.isMember(node, caller)) {
          all.stream()
              .filter(each -> each.call.caller().equals(caller) && !each.call.isDetached())
              .forEach(each -> each.context.cancel());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ClusterException e) {
      // The engine is away: nothing is known about the callers.
    } finally {
      synchronized (running) {
        isTicking = false;
      }
      tickLater();
    }
  }
}
