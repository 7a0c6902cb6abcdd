package io.heddle.internal.base;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The setting {@code heddle}, or {@code HEDDLE} in the environment: {@code off} makes every
 * goroutine a plain virtual thread on the JDK's scheduler, and makes the agent do nothing.
 */
public final class MasterSwitch {
  /*
   * OFF is a static final field, which the JIT compilers treat as a constant. So a program with
   * Heddle on pays nothing for the switch.
   *
   * Besides on and off, their usual synonyms are accepted: true and false, yes and no, 1 and 0. Any
   * other word is an error, because a misspelt word must not leave Heddle on unnoticed.
   */
  private static final String PROPERTY = "heddle";
  private static final String VARIABLE = "HEDDLE";

  private static final @Nullable String VALUE =
      System.getProperty(PROPERTY, System.getenv(VARIABLE));

  /** The setting as the user gave it, as in {@code HEDDLE=off}; empty if it is not set. */
  private static final String SOURCE =
      VALUE == null
          ? ""
          : (System.getProperty(PROPERTY) == null ? VARIABLE : "-D" + PROPERTY) + "=" + VALUE;

  private static final Position POSITION = Position.of(VALUE);
  private static final boolean OFF = POSITION == Position.OFF;

  private enum Position {
    ON,
    OFF,
    INVALID;

    static Position of(@Nullable String text) {
      return switch (text == null ? "" : text.strip().toLowerCase(Locale.ROOT)) {
        case "", "on", "true", "yes", "1" -> ON;
        case "off", "false", "no", "0" -> OFF;
        default -> INVALID;
      };
    }
  }

  private MasterSwitch() {}

  /** Whether Heddle is off in this process. Returns false if the setting is invalid. */
  public static boolean isOff() {
    return OFF;
  }

  /** Returns the setting as the user gave it, as in {@code HEDDLE=off}; empty if it is not set. */
  public static String source() {
    return SOURCE;
  }

  /**
   * Checks the setting.
   *
   * @throws InvalidSettingException if the setting is neither on nor off
   */
  public static void ensureValid() {
    if (POSITION == Position.INVALID) {
      throw new InvalidSettingException(SOURCE + ": allowed is on or off");
    }
  }

  /** Returns a sentence that says that {@code what} is missing because Heddle is off. */
  public static String missing(String what) {
    return what + ": Heddle is off (" + SOURCE + "), and goroutines are plain virtual threads";
  }
}
