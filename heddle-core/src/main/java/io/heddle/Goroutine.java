package io.heddle;

import java.time.Duration;

/**
 * A goroutine, as {@link Go#go(Task)} returns it: shows what it does and waits for its end.
 *
 * {@snippet :
 * Goroutine g = go("indexer", () -> index(files));
 * // ...
 * if (!g.join(Duration.ofSeconds(5))) {
 *   System.err.println(g.name() + " is " + g.state() + ": " + g.waitReason());
 *   g.interrupt();
 * }
 * }
 *
 * <p>A goroutine is a virtual thread that a {@link Scheduler} runs. All methods can be called from
 * any thread. What they return about a goroutine that runs may be outdated when the caller sees it.
 *
 * <p>Memory consistency: actions before the start of a goroutine <i>happen-before</i> its actions,
 * and these <i>happen-before</i> actions after a {@link #join()}, or a {@link #join(Duration)} that
 * returned true.
 */
public interface Goroutine {
  /**
   * Returns the number of this goroutine. Numbers are unique in a scheduler, start at 1 and grow
   * about in the order of the starts.
   *
   * @return the number, from 1 on
   */
  long id();

  /**
   * Returns the name of this goroutine.
   *
   * @return the name, or {@code ""} if it has none
   */
  String name();

  /**
   * Returns what this goroutine is doing now.
   *
   * @return its state
   */
  State state();

  /**
   * Returns what this goroutine waits for: {@code "chan receive"}, {@code "select"},
   * {@code "sleep"}, {@code "IO wait"}, {@code "sync.Mutex.Lock"}, {@code "monitor enter"},
   * {@code "park (ReentrantLock)"} and so on.
   *
   * @return the reason, or {@code ""} if it does not wait
   */
  String waitReason();

  /**
   * Returns the virtual thread of this goroutine. It is an ordinary {@link Thread}: interrupts,
   * thread locals and stack traces work as usual.
   *
   * @return the virtual thread
   */
  Thread thread();

  /**
   * Waits until this goroutine has ended. How it ended makes no difference: this does not throw
   * what its task threw; {@link Group} does.
   *
   * @throws InterruptedException if the caller is interrupted before or while it waits
   */
  void join() throws InterruptedException;

  /**
   * Waits until this goroutine has ended, at most for {@code d}.
   *
   * @param d the longest time to wait
   * @return whether it has ended
   * @throws InterruptedException if the caller is interrupted before or while it waits
   */
  boolean join(Duration d) throws InterruptedException;

  /**
   * Interrupts the virtual thread of this goroutine. Like {@link Thread#interrupt}, this ends waits
   * that respond to interrupts and otherwise only sets a flag.
   */
  void interrupt();

  /** What a goroutine can be doing. */
  enum State {
    /** It was created and not started. */
    NEW,
    /** It could run and waits for a P. */
    RUNNABLE,
    /** It runs on a P. */
    RUNNING,
    /** It waits: see {@link Goroutine#waitReason}. */
    WAITING,
    /** It is in a call that blocks its OS thread, and has given up its P. */
    SYSCALL,
    /** It has ended. */
    DEAD
  }
}
