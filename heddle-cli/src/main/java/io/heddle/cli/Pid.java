package io.heddle.cli;

/** Parses a process id. */
final class Pid extends WholeNumber {
  Pid() {
    super(1, Integer.MAX_VALUE);
  }
}
