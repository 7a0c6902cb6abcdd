package io.heddle;

import org.jspecify.annotations.Nullable;

/**
 * A call of one actor that another actor interrupts once, possibly too late. Leaves no interrupt
 * pending.
 */
final class Interruptible {
  /** The result of an interrupted call. */
  static final int INTERRUPTED = -1;

  /** Longer than the caller needs to get here while it is on a core. */
  private static final int SPINS = 1000;

  private volatile @Nullable Thread caller;
  private volatile boolean over;

  @FunctionalInterface
  interface Call {
    int call() throws InterruptedException;
  }

  @FunctionalInterface
  interface Step {
    void run() throws InterruptedException;
  }

  int run(Call call) {
    caller = Thread.currentThread();
    try {
      return call.call();
    } catch (InterruptedException e) {
      return INTERRUPTED;
    } finally {
      while (!over) {
        Thread.yield();
      }
      boolean _ = Thread.interrupted();
    }
  }

  /** A call without an interrupt. */
  static int calm(Call call) {
    try {
      return call.call();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A call without a result. */
  static void calmly(Step step) {
    int _ =
        calm(
            () -> {
              step.run();
              return 0;
            });
  }

  /** Called by the interrupting actor, before its other steps. */
  void interrupt() {
    for (int spin = 0; caller == null; spin++) {
      if (spin < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
    caller.interrupt();
    over = true;
  }
}
