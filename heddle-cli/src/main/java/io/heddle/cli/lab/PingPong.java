package io.heddle.cli.lab;

import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;

/** Two tasks send one message back and forth: only switching. */
final class PingPong implements LabProgram {
  private final int rounds;

  PingPong(int rounds) {
    this.rounds = rounds;
  }

  @Override
  public String name() {
    return "pingpong";
  }

  @Override
  public String title() {
    return "Send a message back and forth %,d times".formatted(rounds);
  }

  @Override
  public List<String> explanation() {
    return """
    Two tasks send a number back and forth through two queues of capacity 1.
    Nothing is computed and nothing overlaps: the cost is that of switching.
    With threads, the operating system suspends one and wakes the other, often
    on another CPU, which takes thousands of nanoseconds. On one P, the woken
    goroutine goes to 'runnext', the waiting one leaves the thread, and the
    same thread continues with the woken one: the system sees one thread that
    always runs. What remains is to unmount one stack and to mount the other,
    which takes a tenth of a microsecond. The JDK's virtual threads do the
    same, but another carrier may take the partner: then two cores exchange
    it. In Heddle an idle P does not steal what waits less than 3 microseconds.
    """
        .lines()
        .toList();
  }

  @Override
  public List<ThreadModel> models() {
    return List.of(
        ThreadModel.threads(),
        ThreadModel.pool(2),
        ThreadModel.forkJoin(2),
        ThreadModel.virtualThreads(),
        ThreadModel.heddle(1));
  }

  @Override
  public Object run(ThreadModel contender) throws Exception {
    BlockingQueue<Integer> there = new ArrayBlockingQueue<>(1);
    BlockingQueue<Integer> back = new ArrayBlockingQueue<>(1);
    CompletableFuture<Integer> last = new CompletableFuture<>();
    contender.executor().execute(() -> serve(there, back));
    contender.executor().execute(() -> last.complete(send(there, back)));
    return last.get();
  }

  private void serve(BlockingQueue<Integer> there, BlockingQueue<Integer> back) {
    try {
      for (int i = 0; i < rounds; i++) {
        back.put(there.take() + 1);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private int send(BlockingQueue<Integer> there, BlockingQueue<Integer> back) {
    try {
      int message = 0;
      for (int i = 0; i < rounds; i++) {
        there.put(message);
        message = back.take();
      }
      return message;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean isRight(ThreadModel contender, Object result) {
    return result.equals(rounds);
  }
}
