package io.heddle.cli;

/** What the scheduler allows. */
final class Procs extends WholeNumber {
  Procs() {
    super(1, 1024);
  }
}
