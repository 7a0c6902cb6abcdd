package io.heddle.internal.base;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two threads that race against each other in many rounds and start each round together.
 *
 * <p>A failure on either side, for instance an assertion, ends the duel and is thrown to the
 * caller.
 */
public final class Duel {
  /** One round: prepare, then both sides at once, then judge. */
  public interface Round {
    /** Called by the left thread, while the right one waits. */
    default void prepare(int round) {}

    void left(int round);

    void right(int round);

    /** Called by the left thread, while the right one waits. */
    default void judge(int round) {}
  }

  /** Spins before yielding the core, because both threads may share one. */
  private static final int SPINS = 1_000;

  private final int rounds;
  private final Round round;
  private final AtomicInteger leftAt = new AtomicInteger();
  private final AtomicInteger rightAt = new AtomicInteger();
  private volatile Throwable failure;

  private Duel(int rounds, Round round) {
    this.rounds = rounds;
    this.round = round;
  }

  /** Runs the duel on the calling thread (left) and one more thread (right). */
  public static void fight(int rounds, Round round) {
    Duel duel = new Duel(rounds, round);
    Thread right = Thread.ofPlatform().name("right").start(() -> duel.guard(duel::fightRight));
    duel.guard(duel::fightLeft);
    joinUninterruptibly(right);
    if (duel.failure != null) {
      throw new AssertionError("round " + duel.leftAt.get() / 2, duel.failure);
    }
  }

  private void fightLeft() {
    for (int i = 0; i < rounds && failure == null; i++) {
      round.prepare(i);
      meet(leftAt, rightAt);
      round.left(i);
      meet(leftAt, rightAt);
      round.judge(i);
    }
  }

  private void fightRight() {
    for (int i = 0; i < rounds && failure == null; i++) {
      meet(rightAt, leftAt);
      round.right(i);
      meet(rightAt, leftAt);
    }
  }

  private void guard(Runnable side) {
    try {
      side.run();
    } catch (Throwable e) {
      if (failure == null) {
        failure = e;
      }
    }
  }

  private void meet(AtomicInteger mine, AtomicInteger other) {
    int at = mine.incrementAndGet();
    for (int spin = 0; other.get() < at && failure == null; spin++) {
      if (spin < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
  }

  private static void joinUninterruptibly(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
