package io.heddle.stress.soak;

import io.heddle.Scheduler;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** Repeats the steps of a {@link Load} until the round is over. */
final class Worker implements Runnable {
  final World world;
  final SplittableRandom random;
  private final Load load;
  private final String name;
  private final Tally.Kind kind;

  /** Written by the worker, read by the {@link Monitor}. */
  private volatile long steps;

  private volatile boolean ended;

  Worker(World world, Load load, String place, SplittableRandom random) {
    this.world = world;
    this.load = load;
    this.name = load.name() + " " + place;
    this.random = random;
    this.kind = world.tally.kind(load.name());
  }

  @Override
  public void run() {
    try {
      while (!world.isOver()) {
        step();
      }
    } finally {
      ended = true;
    }
  }

  @SuppressWarnings("NonAtomicOperationOnVolatileField") // one writer
  private void step() {
    try {
      load.step(this);
      kind.steps.increment();
    } catch (Throwable t) {
      world.tally.failed(name, t);
    }
    steps++;
    if (world.plan.has(Plan.Flaw.STALL) && world.takeFlaw(Plan.Flaw.STALL)) {
      standStill();
    }
  }

  private void standStill() {
    for (; ; ) {
      LockSupport.park(this);
    }
  }

  long steps() {
    return steps;
  }

  boolean hasEnded() {
    return ended;
  }

  /** Counts operations. */
  void did(long operations) {
    kind.operations.add(operations);
  }

  /** A random number from {@code least} to {@code most}. */
  int between(int least, int most) {
    return random.nextInt(least, most + 1);
  }

  boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  /** One of the schedulers that live for the whole run. */
  Scheduler anyScheduler() {
    return world.schedulers.get(random.nextInt(world.schedulers.size()));
  }

  @Override
  public String toString() {
    return name;
  }
}
