package io.heddle.cli.lab;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Reads files that block: each read holds its thread in the operating system until it returns. */
final class Reads implements LabProgram {
  private static final int READS = 8;

  /** A command that writes nothing for a tenth of a second and then ends, which ends the file. */
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
    %d reads of pipes that stay empty for a tenth of a second. Unlike sockets,
    files cannot be polled: such a read holds an operating-system thread.
    A pool of %d threads reads %d at a time. For virtual threads the JDK adds
    carriers, one by one, while they read. A goroutine that makes
    such a call releases its P, and another thread continues with
    that P: all reads wait at the same time, and one P is enough. After the
    read, the goroutine takes an idle P or joins the queue.
    The monitor notices other blocking calls after a
    time slice; 'Go.blocking' marks them at once. For sockets no thread
    waits: one thread polls for all. The times include starting processes.
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

  /** Returns how many reads reached the end of their file. */
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
                  // the count is then too low
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
