package io.heddle.cli.lab;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Reads of files that block: each holds its thread in the system until something comes. */
final class Reads implements LabProgram {
  private static final int READS = 8;

  /** What it writes nothing into, for a tenth of a second; then the file ends. */
  private static final List<String> SILENT =
      System.getProperty("os.name").startsWith("Windows")
          ? List.of("cmd", "/c", "ping -n 2 127.0.0.1 > nul")
          : List.of("sleep", "0.1");

  private final int cpus = Runtime.getRuntime().availableProcessors();

  @Override
  public String name() {
    return "reads";
  }

  @Override
  public String title() {
    return "Read %d files that block for a tenth of a second".formatted(READS);
  }

  @Override
  public List<String> explanation() {
    return """
    %d reads of pipes into which nothing comes for a tenth of a second. A file
    has no poller, as sockets have: such a read holds a thread of the system.
    A pool of %d threads reads %d at a time. Virtual threads may have more
    carriers while they read, which the JDK adds one by one. A goroutine that
    goes into such a call leaves its P behind, and another thread goes on
    with that P: all reads wait at once, and one P is enough for it. When a
    read is over, its goroutine takes an idle P, or queues with all others.
    Calls of which the JDK says nothing are noticed by the monitor, after a
    time slice; 'Go.blocking' says so at once. For sockets no thread waits:
    one asks the system for all of them. The times include the processes'.
    """
        .formatted(READS, cpus, cpus)
        .lines()
        .toList();
  }

  @Override
  public List<ThreadModel> models() {
    return List.of(
        ThreadModel.oneByOne(),
        ThreadModel.threads(),
        ThreadModel.pool(cpus),
        ThreadModel.forkJoin(cpus),
        ThreadModel.virtualThreads(),
        ThreadModel.heddle(1));
  }

  /** How many came to the end of their file. */
  @Override
  public Object run(ThreadModel contender) throws InterruptedException {
    AtomicInteger ends = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(READS);
    for (int i = 0; i < READS; i++) {
      contender
          .executor()
          .execute(
              () -> {
                try (InputStream in = new ProcessBuilder(SILENT).start().getInputStream()) {
                  ends.addAndGet(in.read() < 0 ? 1 : 0);
                } catch (IOException e) {
                  // one that is missing then
                } finally {
                  done.countDown();
                }
              });
    }
    done.await();
    return ends.get();
  }

  @Override
  public boolean isRight(ThreadModel contender, Object result) {
    return result.equals(READS);
  }
}
