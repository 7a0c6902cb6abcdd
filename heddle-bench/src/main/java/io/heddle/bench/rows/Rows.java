package io.heddle.bench.rows;

import java.net.ServerSocket;

/**
 * One peer's version of the rows that {@link io.heddle.bench.channels.Twin} does not have, written
 * as a user of that library would write it. A "task" is what the peer offers: a goroutine, a
 * virtual thread or a coroutine. A peer leaves out rows that it has no means for.
 */
public interface Rows {
  int RING = 1_000;
  int PAIR_ROUNDS = 4;

  /** The tasks that {@link #park} has parked. */
  interface Parked {
    /** Releases all tasks, waits for them, and returns their number. */
    long release() throws Exception;
  }

  /** The tasks that {@link #block} has blocked. */
  interface Blocked {
    /** Waits until all tasks have returned from native code and ended. */
    void end() throws Exception;
  }

  /**
   * One task starts {@code n} tasks that only report that they are done, and waits for them.
   * Returns their number.
   */
  long spawn(int n) throws Exception;

  /**
   * A number goes {@code rounds} times round a ring of {@link #RING} tasks, each of which adds 1.
   * Returns the number, modulo 2 to the 7th.
   */
  long ring(int rounds) throws Exception;

  /**
   * Runs {@code n / 2} ping-pongs at once, with {@link #PAIR_ROUNDS} round trips each. Returns the
   * sum of the answers.
   */
  long pairs(int n) throws Exception;

  /** Two tasks together yield {@code n} times. Returns how often. */
  long gosched(int n) throws Exception;

  /**
   * {@code n} tasks sleep for the time that {@link SleepDelays} gives. Returns how many woke up.
   */
  long timers(int n) throws Exception;

  /**
   * Two tasks together create and stop {@code n} timers of one hour. Returns how many were stopped.
   */
  long stopTimers(int n) throws Exception;

  /** {@code n} tasks receive from one channel without a sender. */
  Parked park(int n) throws Exception;

  /** {@code tasks} tasks add up one part of the numbers each. */
  long add(int[] numbers, int tasks) throws Exception;

  /**
   * {@code tasks} tasks take documents from a channel of {@code n} and read them. Returns how many
   * contain the topic.
   */
  long find(int n, int tasks) throws Exception;

  /** Runs endless loops beside a ticker of 1 ms for {@code millis} milliseconds. */
  void hogs(int loops, int millis, TickGaps gaps) throws Exception;

  /** Starts {@code tasks} tasks that block in native code for {@code millis} milliseconds. */
  Blocked block(int tasks, int millis) throws Exception;

  /**
   * Returns how many items per second pass through an unbuffered channel between two tasks,
   * measured for {@code millis} milliseconds.
   */
  double itemsPerSecond(int millis) throws Exception;

  /** Echoes each message of {@code bytes} bytes, with one task per connection; returns at once. */
  void echo(ServerSocket server, int bytes) throws Exception;

  /** How a peer runs requests and batch work. */
  interface Requests {
    /** Starts a task for a request. */
    void start(Runnable request);

    /** Starts a task that computes for long. */
    void startBatch(Runnable batch);

    /** Whether the calling request may begin; otherwise it is refused. */
    boolean admits();
  }

  /** Whether the peer has anything against batch work and overload. */
  default boolean canGuard() {
    return false;
  }

  /**
   * Returns how the peer runs requests and batch work.
   *
   * @param guarded whether it uses what it has against batch work and overload
   */
  default Requests requests(boolean guarded) {
    throw new UnsupportedOperationException("no twin of this row");
  }

  /** {@code tasks} tasks sleep for an hour; returns when they have started. */
  void sleepers(int n) throws Exception;
}
