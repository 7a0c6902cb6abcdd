package io.heddle;

import java.time.Duration;

/** A goroutine, as {@link Go#go(Task)} returns it: what it does, and a way to wait for its end. */
public interface Goroutine {
  /** Its number in its scheduler, from 1 on in the order of their starts as far as there is one. */
  long id();

  /** The name it was given, {@code ""} when it has none. */
  String name();

  /** What it is doing now; it may do something else at once. */
  State state();

  /**
   * What it waits for: {@code "chan receive"}, {@code "select"}, {@code "sleep"}, {@code "IO wait"}, {@code
   * "sync.Mutex.Lock"}, {@code "monitor enter"}, {@code "park (ReentrantLock)"}, …; {@code ""} when it does not wait.
   */
  String waitReason();

  /** The virtual thread under it. */
  Thread thread();

  /** Waits until it has ended. */
  void join() throws InterruptedException;

  /**
   * Waits until it has ended, for {@code d} at most.
   *
   * @return whether it has ended
   */
  boolean join(Duration d) throws InterruptedException;

  /** Interrupts its thread. */
  void interrupt();

  /** What a goroutine can be doing. */
  enum State {
    /** Made, not started. */
    NEW,
    /** Could run, waits for a P. */
    RUNNABLE,
    /** Runs, on a P. */
    RUNNING,
    /** Blocked: see {@link Goroutine#waitReason}. */
    WAITING,
    /** In a call that blocks its OS thread, without a P. */
    SYSCALL,
    /** Has ended. */
    DEAD
  }
}
