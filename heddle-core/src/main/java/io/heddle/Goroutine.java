package io.heddle;

import java.time.Duration;
import java.util.Map;

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
 * <p>Only {@link #join()} and {@link #join(Duration)} wait; they throw {@link InterruptedException}
 * if the caller is interrupted. A goroutine that joins itself waits forever.
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
   * Returns how long this goroutine has run on a CPU. With the setting {@code heddle.cputime=exact}
   * the value is exact, and includes the present run. Otherwise it is an estimate: every 5 to 10 ms
   * the scheduler's monitoring thread samples its OS threads. It charges the goroutine that a
   * thread runs with all CPU time that this thread has used since it was last charged. The estimate
   * is good for a goroutine that has run for a second. It may be zero for a goroutine that has run
   * for less than about 10 ms.
   *
   * @return its CPU time; zero if Heddle is off, in a {@link Bubble}, or if the JVM knows no CPU
   *     times
   */
  default Duration cpuTime() {
    return Duration.ZERO;
  }

  /**
   * Returns the labels of this goroutine: see {@link Go#label}.
   *
   * @return the values by key, in the order of the keys; not modifiable
   */
  default Map<String, String> labels() {
    return Map.of();
  }

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
    /** It was created, for example by {@link Scheduler#threadFactory}, and not yet started. */
    NEW,
    /** It could run, and waits for a P (processor, the right to run). */
    RUNNABLE,
    /**
     * It runs: on a P, or without one if it lost its P because it computed, or was in native code,
     * for too long.
     */
    RUNNING,
    /** It waits: see {@link Goroutine#waitReason}. */
    WAITING,
    /**
     * It is in {@link Go#blocking}, or in a call that the JDK marks as blocking, and has given up
     * its P.
     */
    SYSCALL,
    /** It has ended. */
    DEAD
  }
}
