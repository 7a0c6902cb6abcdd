package io.heddle.cli.lab;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Adds numbers, in as many parts as there are CPUs: only computing. */
final class Sum implements LabProgram {
  /** One pass takes a millisecond or two, which is too short to measure. */
  private static final int TIMES = 20;

  private final int parts = Runtime.getRuntime().availableProcessors();
  private final int[] numbers;
  private final long expected;

  Sum(int count) {
    numbers = IntStream.range(0, count).map(i -> i * 31 % 1000).toArray();
    expected = LongStream.range(0, count).map(i -> (int) (i * 31) % 1000).sum();
  }

  @Override
  public String name() {
    return "sum";
  }

  @Override
  public String title() {
    return "Add %,d numbers, %d times".formatted(numbers.length, TIMES);
  }

  @Override
  public List<String> explanation() {
    return """
    The numbers are added in %d parts, one for each CPU, again and again.
    Tasks that only compute gain from CPUs, not from threads: every model
    should be about as fast; the best case is the number of CPUs times faster
    than one by one. A goroutine is no better here than a thread.
    The compiler vectorizes the loop, so that a part takes only a
    millisecond. The models then differ in
    how soon sleeping threads wake up between two rounds, or how
    long it takes to create new ones. Each round waits for its slowest part.
    On a machine with other load, the spread is larger than what
    the models differ by: run it twice before you trust it.
    """
        .formatted(parts)
        .lines()
        .toList();
  }

  @Override
  public List<ThreadModel> models() {
    return List.of(
        ThreadModel.oneByOne(),
        ThreadModel.threads(),
        ThreadModel.pool(parts),
        ThreadModel.forkJoin(parts),
        ThreadModel.virtualThreads(),
        ThreadModel.heddle(parts));
  }

  @Override
  public Object run(ThreadModel contender) throws InterruptedException {
    long sum = 0;
    for (int i = 0; i < TIMES; i++) {
      sum += sumInParts(contender);
    }
    return sum;
  }

  private long sumInParts(ThreadModel contender) throws InterruptedException {
    LongAdder sum = new LongAdder();
    CountDownLatch done = new CountDownLatch(parts);
    for (int i = 0; i < parts; i++) {
      int from = part(i);
      int to = part(i + 1);
      contender
          .executor()
          .execute(
              () -> {
                sum.add(sum(from, to));
                done.countDown();
              });
    }
    done.await();
    return sum.sum();
  }

  private int part(int i) {
    return (int) ((long) numbers.length * i / parts);
  }

  private long sum(int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += numbers[i];
    }
    return sum;
  }

  @Override
  public boolean isRight(ThreadModel contender, Object result) {
    return result.equals(TIMES * expected);
  }
}
