package io.heddle.cli.lab;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** Looks for a word in documents, each of which takes a millisecond to read: nearly nothing but waiting. */
final class Find implements Program {
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
    return List.of(
        "%d tasks share them. A pool of one thread waits with each read. Goroutines on"
            .formatted(WORKERS),
        "one P do not: the P runs the next while one waits, so %d are about %d times faster"
            .formatted(WORKERS, WORKERS),
        "than one, without a second CPU. A thread for each task can do it, too: what it",
        "costs is seen with a hundred thousand of them, not with %d.".formatted(WORKERS));
  }

  @Override
  public List<Contender> contenders() {
    return List.of(
        Contender.oneByOne(),
        Contender.threads(),
        Contender.pool(1),
        Contender.forkJoin(1),
        Contender.virtualThreads(),
        Contender.heddle(1));
  }

  @Override
  public Object run(Contender contender) throws InterruptedException {
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
  public boolean isRight(Contender contender, Object result) {
    return result.equals((long) Math.ceilDiv(documents.size(), EVERY));
  }
}
