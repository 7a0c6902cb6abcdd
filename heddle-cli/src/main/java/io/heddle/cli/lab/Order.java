package io.heddle.cli.lab;

import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Lets a task start ten others and records in which order they run. */
final class Order implements LabProgram {
  private static final int TASKS = 10;
  private static final String GOS = "9 0 1 2 3 4 5 6 7 8";

  private final int runs;

  Order(int runs) {
    this.runs = runs;
  }

  @Override
  public String name() {
    return "order";
  }

  @Override
  public String title() {
    return "One task starts ten others: in which order do they run?";
  }

  @Override
  public List<String> explanation() {
    return """
    One task starts ten others, %d times. On one P the order is always
    %s, as in Go. Each P has a ring, and one slot before it,
    'runnext'. A new goroutine goes to that slot, because its data is in the
    cache, and the slot's previous goroutine moves to the tail of the ring.
    So the newest runs first, and all others in the order of their creation.
    A pool of one thread has one FIFO queue.
    A worker of ForkJoinPool takes the task that it added last: a stack.
    Threads and the JDK's virtual threads run when the operating system or a
    free carrier picks them: the order differs from run to run.
    Go promises no order: the program only shows how the queue works.
    """
        .formatted(runs, GOS)
        .lines()
        .toList();
  }

  @Override
  public List<ThreadModel> models() {
    return List.of(
        ThreadModel.threads(),
        ThreadModel.pool(1),
        ThreadModel.forkJoin(1),
        ThreadModel.virtualThreads(),
        ThreadModel.heddleWithoutTimeSlices(1));
  }

  /** Returns the set of orders seen. */
  @Override
  public Object run(ThreadModel contender) throws InterruptedException {
    Set<String> orders = new HashSet<>();
    for (int i = 0; i < runs; i++) {
      orders.add(order(contender));
    }
    return orders;
  }

  private static String order(ThreadModel contender) throws InterruptedException {
    Queue<Integer> ran = new ConcurrentLinkedQueue<>();
    CountDownLatch done = new CountDownLatch(TASKS);
    contender
        .executor()
        .execute(
            () ->
                IntStream.range(0, TASKS)
                    .forEach(
                        i ->
                            contender
                                .executor()
                                .execute(
                                    () -> {
                                      ran.add(i);
                                      done.countDown();
                                    })));
    done.await();
    return ran.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }

  @Override
  public boolean isRight(ThreadModel contender, Object result) {
    return !contender.isHeddle() || result.equals(Set.of(GOS));
  }

  @Override
  public String remark(ThreadModel contender, Object result) {
    Set<?> orders = (Set<?>) result;
    return orders.size() == 1
        ? orders.iterator().next().toString()
        : orders.size() + " different orders";
  }
}
