package io.heddle.cli.lab;

import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A task starts ten others: in which order do they run, and is it the same each time? */
final class Order implements Program {
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
    return "In which order do ten tasks run that one starts?";
  }

  @Override
  public List<String> explanation() {
    return List.of(
        "%d times. On one P it is always %s, as in Go: the newest".formatted(runs, GOS),
        "goroutine waits in 'runnext' and goes first, each newer one moves it to the tail",
        "of the queue. A pool of one thread keeps the order of the starts; the others",
        "promise none. Nor does Go; but it shows how the queue works: what was started",
        "last has its data in the cache, so it goes first.");
  }

  @Override
  public List<Contender> contenders() {
    return List.of(
        Contender.threads(),
        Contender.pool(1),
        Contender.forkJoin(1),
        Contender.virtualThreads(),
        Contender.patientHeddle(1));
  }

  /** The orders seen. */
  @Override
  public Object run(Contender contender) throws InterruptedException {
    Set<String> orders = new HashSet<>();
    for (int i = 0; i < runs; i++) {
      orders.add(order(contender));
    }
    return orders;
  }

  private static String order(Contender contender) throws InterruptedException {
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
  public boolean isRight(Contender contender, Object result) {
    return !contender.isHeddle() || result.equals(Set.of(GOS));
  }

  @Override
  public String remark(Contender contender, Object result) {
    Set<?> orders = (Set<?>) result;
    return orders.size() == 1
        ? orders.iterator().next().toString()
        : orders.size() + " different orders";
  }
}
