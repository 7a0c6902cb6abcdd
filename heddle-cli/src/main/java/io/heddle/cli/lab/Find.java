package io.heddle.cli.lab;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** Looks for a word in documents, each of which takes a millisecond to read: nearly nothing but waiting. */
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
    %d tasks share the documents. Each read waits for a millisecond, in which
    its task needs no CPU: this is what most servers do nearly all the time.
    One by one, and in a pool of one thread, each wait is waited for, and a
    thousand of them are a second. Goroutines on one P do not hold it while
    they wait: the P runs the next one, and the reads of all overlap, so %d
    are about %d times faster than one, on one thread, without a second CPU.
    A sleep is a timer in a heap of the P; a P that has nothing to run waits
    until the first is due. A thread for each task can do that, too, and so
    can the JDK's virtual threads. What a thread costs is seen with a hundred
    thousand of them, not with %d: './heddle demo' starts a million.
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
