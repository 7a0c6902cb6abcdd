package io.heddle.bench.channels;

/**
 * One peer's version of each workload, written as a user of that library would write it. A call
 * does the whole workload inside the peer's runtime and returns a result that
 * {@link ChannelWorkload} checks.
 *
 * <p>The channels carry the numbers from 0 to 127, which the JDK caches, so that no twin pays
 * for boxing.
 */
public interface Twin extends AutoCloseable {
  int CAPACITY = 128;
  int WORKERS = 4;
  int LOCKERS = 8;
  int FAN_OUT = 10;

  /**
   * Sends a number back and forth {@code n} times on two unbuffered channels. Returns the sum of
   * the answers.
   */
  long pingPong(int n) throws Exception;

  /**
   * One task sends {@code n} numbers, one receives them, on a channel of {@link #CAPACITY}. Returns
   * the sum.
   */
  long buffered(int n) throws Exception;

  /**
   * {@link #WORKERS} tasks together send {@code n} numbers and as many tasks receive them, on a
   * channel of {@link #CAPACITY}. Returns the sum.
   */
  long mpmc(int n) throws Exception;

  /**
   * One task selects {@code n} times over {@link #WORKERS} unbuffered channels with one sender
   * each. Returns the sum.
   */
  long select(int n) throws Exception;

  /**
   * {@link #LOCKERS} tasks together add 1 to a number {@code n} times under one lock. Returns the
   * number.
   */
  long mutex(int n) throws Exception;

  /**
   * Builds a tree of tasks with the given number of leaves. Each inner task starts {@link #FAN_OUT}
   * tasks and receives their sums on its own unbuffered channel; each leaf sends its number.
   * Returns the sum of all leaves.
   */
  long skynet(int leaves) throws Exception;

  @Override
  void close();
}
