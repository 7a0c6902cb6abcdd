package io.heddle.cli.doctor;

import org.jspecify.annotations.Nullable;

/**
 * The result of a check.
 *
 * @param remedy what to do; null if there is nothing to do
 */
public record Finding(Level level, String text, @Nullable String remedy) {
  /** How much a finding matters. */
  public enum Level {
    OK,
    NOTE,
    PROBLEM
  }

  static Finding ok(String text) {
    return new Finding(Level.OK, text, null);
  }

  static Finding note(String text, String remedy) {
    return new Finding(Level.NOTE, text, remedy);
  }

  static Finding problem(String text, String remedy) {
    return new Finding(Level.PROBLEM, text, remedy);
  }
}
