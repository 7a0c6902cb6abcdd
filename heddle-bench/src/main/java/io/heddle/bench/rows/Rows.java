package io.heddle.bench.rows;

import java.net.ServerSocket;

/**
 * One peer's version of the rows that {@link io.heddle.bench.channels.Twin} does not have, as its own users would write
 * it. "Task" is what that peer has: a goroutine, a virtual thread, a coroutine. A peer leaves out what it has none of.
 */
public interface Rows {
  int RING = 1_000;
  int PAIR_ROUNDS = 4;

  /** What a {@link #park} left behind. */
  interface Parked {
    /** Lets all go on, waits for them, and says how many they were. */
    long release() throws Exception;
  }

  /** What a {@link #block} left behind. */
  interface Blocked {
    /** Waits until all have come out of native code and ended. */
    void end() throws Exception;
  }

  /** One task starts {@code n} that only say that they are done, and waits for them. How many. */
  long spawn(int n) throws Exception;

  /** A number goes {@code rounds} times round {@link #RING} tasks, each of which adds 1. The number, of 7 bits. */
  long ring(int rounds) throws Exception;

  /** {@code n / 2} ping-pongs at once, {@link #PAIR_ROUNDS} round trips each. The sum of what came back. */
  long pairs(int n) throws Exception;

  /** Two tasks yield, {@code n} times together. How often. */
  long gosched(int n) throws Exception;

  /** {@code n} tasks sleep for as long as {@link SleepDelays} says. How many woke up. */
  long timers(int n) throws Exception;

  /** Two tasks make and stop {@code n} timers of an hour together. How many were stopped. */
  long stopTimers(int n) throws Exception;

  /** {@code n} tasks receive from one channel that nobody sends to. */
  Parked park(int n) throws Exception;

  /** So many tasks add up a part each. */
  long add(int[] numbers, int tasks) throws Exception;

  /** So many tasks take from a channel of {@code n} documents and read each. How many had the topic. */
  long find(int n, int tasks) throws Exception;

  /** For so many milliseconds: endless loops beside a ticker of 1 ms. */
  void hogs(int loops, int millis, TickGaps gaps) throws Exception;

  /** So many tasks are in native code that blocks, for so many milliseconds. */
  Blocked block(int tasks, int millis) throws Exception;

  /** How many items per second go through an unbuffered channel between two tasks, for so many milliseconds. */
  double itemsPerSecond(int millis) throws Exception;

  /** Answers each message of so many bytes with itself, a task for each connection; returns at once. */
  void echo(ServerSocket server, int bytes) throws Exception;

  /** So many tasks sleep for an hour; returns when they have started. */
  void sleepers(int n) throws Exception;
}
