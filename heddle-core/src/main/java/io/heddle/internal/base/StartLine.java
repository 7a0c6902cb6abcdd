package io.heddle.internal.base;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The line on standard error that says which version of Heddle runs in this process, and in which
 * mode ({@link ProcessStatus#MODE}).
 *
 * <p>A logger must not be used here. The agent starts before the program has configured its
 * logging, and the first use of a logger would configure it.
 */
public final class StartLine {
  private static final String PROPERTY = "heddle.banner";
  private static final String VARIABLE = "HEDDLE_BANNER";
  private static final AtomicBoolean DONE = new AtomicBoolean();

  private StartLine() {}

  /**
   * Publishes the mode like {@link #publish}. Prints the line if it is wanted and was not printed
   * before.
   *
   * @param mode the mode, a word that {@code heddle doctor} reads: see {@link ProcessStatus#MODE}
   * @param detail a text for users that is printed after the mode; may be empty
   * @param byDefault whether to print the line if the setting {@code heddle.banner} is not set
   * @throws InvalidSettingException if the setting {@code heddle.banner} has another value than
   *     true or false
   */
  public static void printOnce(String mode, String detail, boolean byDefault) {
    publish(mode, detail);
    if (isWanted(byDefault) && DONE.compareAndSet(false, true)) {
      System.err.println(text());
    }
  }

  /**
   * Publishes the mode in {@link ProcessStatus}, unless a mode was published before. The agent
   * calls this before adoption, which makes a scheduler and would otherwise publish the mode of the
   * library.
   */
  public static void publish(String mode, String detail) {
    String said = detail.isEmpty() ? mode : mode + ", " + detail;
    ProcessStatus.putIfAbsent(ProcessStatus.MODE, said);
  }

  /**
   * Prints that Heddle is off, and which settings have no effect for this reason. Prints nothing if
   * the setting {@code heddle.banner} is false or invalid. Never throws.
   */
  public static void printOff() {
    List<String> idle = UnknownSettings.given();
    String detail =
        MasterSwitch.source()
            + ": virtual threads and goroutines run on the JDK's scheduler"
            + (idle.isEmpty() ? "" : "; without effect: " + String.join(", ", idle));
    try {
      printOnce("off", detail, true);
    } catch (IllegalArgumentException e) {
      // A wrong setting must not stop a program that has Heddle switched off.
    }
  }

  private static String text() {
    StringBuilder text = new StringBuilder("heddle: version ").append(ProcessStatus.version());
    text.append(", JDK ").append(Runtime.version());
    text.append(" (").append(System.getProperty("java.vendor")).append("), ");
    text.append(ProcessStatus.get(ProcessStatus.MODE));
    append(text, ProcessStatus.PROCS);
    append(text, ProcessStatus.MOUNT);
    List<String> off = ProcessStatus.featuresOff();
    if (!off.isEmpty()) {
      text.append("; off: ").append(String.join(", ", off));
    }
    return text.toString();
  }

  private static void append(StringBuilder text, String key) {
    String value = ProcessStatus.get(key);
    if (value != null) {
      text.append("; ").append(key).append('=').append(value);
    }
  }

  private static boolean isWanted(boolean byDefault) {
    @Nullable String set = System.getProperty(PROPERTY, System.getenv(VARIABLE));
    if (set == null) {
      return byDefault;
    }
    return switch (set.strip().toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new InvalidSettingException(
              PROPERTY + " is \"" + set + "\": allowed is true or false");
    };
  }
}
