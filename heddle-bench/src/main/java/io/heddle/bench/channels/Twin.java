package io.heddle.bench.channels;

/**
 * One peer's version of each work, as its own users would write it. A call does the whole work inside the peer's runtime
 * and returns what came out of it, for {@link ChannelWorkload} to check.
 *
 * <p>What goes through the channels are the numbers from 0 to 127, which the JDK keeps boxed: no twin pays for boxes.
 */
public interface Twin extends AutoCloseable {
  int CAPACITY = 128;
  int WORKERS = 4;
  int LOCKERS = 8;
  int FAN_OUT = 10;

  /** A number goes there and back {@code n} times, on two unbuffered channels. The sum of what came back. */
  long pingPong(int n) throws Exception;

  /** One sends {@code n}, one receives them; room for {@link #CAPACITY}. The sum. */
  long buffered(int n) throws Exception;

  /** {@link #WORKERS} send {@code n} together, as many receive them; room for {@link #CAPACITY}. The sum. */
  long mpmc(int n) throws Exception;

  /** One selects {@code n} times over {@link #WORKERS} unbuffered channels, each with a sender of its own. The sum. */
  long select(int n) throws Exception;

  /** {@link #LOCKERS} add 1 to a number under one lock, {@code n} times together. The number. */
  long mutex(int n) throws Exception;

  /**
   * A tree of tasks, each of which starts {@link #FAN_OUT} and waits for their sums on an unbuffered channel of its own,
   * down to so many leaves, each of which sends its number. The sum of all.
   */
  long skynet(int leaves) throws Exception;

  @Override
  void close();
}
