package io.heddle.cli.lab;

import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;

/** Two tasks send each other one message to and fro: nothing but switching. */
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
    return "Send a message to and fro %,d times".formatted(rounds);
  }

  @Override
  public List<String> explanation() {
    return """
    Two tasks send a number to and fro through two queues with room for one.
    Nothing is computed and nothing overlaps: all it costs is to switch.
    Threads have the system put one to sleep and wake the other, perhaps on
    another CPU, which takes thousands of nanoseconds. On one P the one that
    is woken goes to 'runnext', the one that waits steps off its thread, and
    the same thread goes on with the other: the system sees a thread that is
    always at work. What is left is to put one stack away and to take out the
    other, a tenth of a microsecond. The JDK's virtual threads do the same,
    but may have the partner taken by another carrier: cores then pass it on.
    A wait of less than 3 microseconds is left alone by a P that could steal.
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
