package io.heddle.cli;

/** Parses a number of Ps within the scheduler's limits. */
final class Procs extends WholeNumber {
  Procs() {
    super(1, 1024);
  }
}
