package io.heddle.cli.lab;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** Searches for a word in documents that take a millisecond each to read: almost only waiting. */
final class Find implements LabProgram {
  private static final int WORKERS = 8;
  private static final int EVERY = 10;
  private static final String WORD = "goroutine";

  private final List<String> documents;

  Find(int count) {
    documents = IntStream.range(0, count).mapToObj(Find::document).toList();
  }

  private static String document(int i) {
    return "<item><title>"
        + i
        + "</title><text>about "
        + (i % EVERY == 0 ? WORD : "thread")
        + "s</text></item>";
  }

  @Override
  public String name() {
    return "find";
  }

  @Override
  public String title() {
    return "Find a word in %,d documents that take 1 ms to read".formatted(documents.size());
  }

  @Override
  public List<String> explanation() {
    return """
    %d tasks share the documents. Each read waits for one millisecond and needs
    no CPU meanwhile: most servers spend nearly all of their time like this.
    One by one, and in a pool of one thread, all waits add up: a thousand
    documents take one second. A goroutine does not hold its P while it
    waits: the P runs the next goroutine, and the reads overlap, so %d
    goroutines are about %d times faster than one, on one thread and one CPU.
    A sleep is a timer in a heap of the P; an idle scheduler waits
    until the first timer is due. One thread per task overlaps the waits,
    too, and so do the JDK's virtual threads. The cost of a thread shows with
    100,000 of them, not with %d: './heddle demo' starts a million.
    """
        .formatted(WORKERS, WORKERS, WORKERS, WORKERS)
        .lines()
        .toList();
  }

  @Override
  public List<ThreadModel> models() {
    return List.of(
        ThreadModel.oneByOne(),
        ThreadModel.threads(),
        ThreadModel.pool(1),
        ThreadModel.forkJoin(1),
        ThreadModel.virtualThreads(),
        ThreadModel.heddle(1));
  }

  @Override
  public Object run(ThreadModel contender) throws InterruptedException {
    Queue<String> left = new ConcurrentLinkedQueue<>(documents);
    LongAdder found = new LongAdder();
    CountDownLatch done = new CountDownLatch(WORKERS);
    for (int i = 0; i < WORKERS; i++) {
      contender
          .executor()
          .execute(
              () -> {
                work(left, found);
                done.countDown();
              });
    }
    done.await();
    return found.sum();
  }

  private static void work(Queue<String> left, LongAdder found) {
    for (String document = left.poll(); document != null; document = left.poll()) {
      if (read(document).contains(WORD)) {
        found.increment();
      }
    }
  }

  private static String read(String document) {
    try {
      Thread.sleep(1);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return document;
  }

  @Override
  public boolean isRight(ThreadModel contender, Object result) {
    return result.equals((long) Math.ceilDiv(documents.size(), EVERY));
  }
}
