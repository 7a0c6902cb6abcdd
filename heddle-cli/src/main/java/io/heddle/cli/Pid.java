package io.heddle.cli;

/** The number of a process. */
final class Pid extends WholeNumber {
  Pid() {
    super(1, Integer.MAX_VALUE);
  }
}
