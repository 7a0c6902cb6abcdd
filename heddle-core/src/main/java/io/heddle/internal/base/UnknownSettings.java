package io.heddle.internal.base;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Finds misspelt settings: system properties and environment variables whose names look like
 * settings of Heddle, but are not.
 */
public final class UnknownSettings {
  /** The settings of docs/guide/settings.md, as system properties. */
  public static final List<String> SETTINGS =
      List.of(
          "heddle",
          "heddle.banner",
          "heddle.procs",
          "heddle.container",
          "heddle.maxthreads",
          "heddle.timeslice",
          "heddle.schedtrace",
          "heddle.trace",
          "heddle.flight",
          "heddle.dashboard",
          "heddle.dashboard.token",
          "heddle.dashboard.linger",
          "heddle.deadlock",
          "heddle.adopt",
          "heddle.limit",
          "heddle.leakcheck",
          "heddle.cputime",
          "heddle.overload",
          "heddle.mount",
          "heddle.preempt",
          "heddle.watch",
          "heddle.watch.page");

  /**
   * Names with one word after {@code heddle.} that are neither settings of the library nor
   * mistakes. Some are settings of {@code heddle-junit}, of the Spring Boot starter and of Heddle's
   * tests. Scripts and container platforms define the others for an installation or a service that
   * is called Heddle.
   */
  private static final Set<String> OF_OTHERS =
      Set.of(
          "heddle.seed",
          "heddle.enabled",
          "heddle.jar",
          "heddle.jdk",
          "heddle.jdks",
          "heddle.faults",
          "heddle.sleepers",
          "heddle.home",
          "heddle.opts",
          "heddle.port",
          "heddle.version");

  private static final String PREFIX = "heddle.";

  /**
   * Words after {@code heddle.} by which users may mean the setting {@code heddle}. For example,
   * {@code heddle.off=true} may mean {@code heddle=off}.
   */
  private static final Set<String> SWITCHES = Set.of("on", "off", "enable", "disable", "disabled");

  private static final String VARIABLE_PREFIX = "HEDDLE_";

  /**
   * A name with several words after {@code heddle.} is taken for a misspelt setting if it differs
   * from a setting in at most this number of letters.
   */
  private static final int FEW_WRONG = 2;

  private static final AtomicBoolean DONE = new AtomicBoolean();

  private UnknownSettings() {}

  /**
   * Prints one line on standard error for each unknown setting of this JVM, the first time that it
   * is called.
   */
  public static void warnOnce() {
    if (DONE.compareAndSet(false, true)) {
      warnings(System.getProperties().stringPropertyNames(), System.getenv().keySet())
          .forEach(System.err::println);
    }
  }

  /**
   * Returns the names of the settings that the user has given, as properties or environment
   * variables. The settings {@code heddle} and {@code heddle.banner} are left out, because they
   * have an effect even if Heddle is off.
   */
  static List<String> given() {
    List<String> given = new ArrayList<>();
    for (String setting : SETTINGS) {
      String variable = setting.replace('.', '_').toUpperCase(Locale.ROOT);
      if (setting.equals("heddle") || setting.equals("heddle.banner")) {
        continue;
      }
      if (System.getProperty(setting) != null) {
        given.add(setting);
      } else if (System.getenv(variable) != null) {
        given.add(variable);
      }
    }
    return given;
  }

  /**
   * Returns one warning for each name that looks like a misspelt setting, in alphabetical order.
   *
   * @param properties the names of system properties
   * @param variables the names of environment variables
   */
  public static List<String> warnings(Collection<String> properties, Collection<String> variables) {
    List<String> warnings = new ArrayList<>();
    for (String property : properties) {
      if (property.startsWith(PREFIX)) {
        String closest = closestIfUnknown(property);
        if (!closest.isEmpty()) {
          warnings.add(warning(property, closest));
        }
      }
    }
    for (String variable : variables) {
      if (variable.startsWith(VARIABLE_PREFIX)) {
        String closest = closestIfUnknown(variable.toLowerCase(Locale.ROOT).replace('_', '.'));
        if (!closest.isEmpty()) {
          warnings.add(warning(variable, closest.toUpperCase(Locale.ROOT).replace('.', '_')));
        }
      }
    }
    warnings.sort(null);
    return warnings;
  }

  private static String warning(String name, String closest) {
    return "heddle: there is no setting " + name + "; the closest is " + closest;
  }

  /**
   * Returns the setting that is most like {@code name}; for {@link #SWITCHES} the setting {@code
   * heddle}. Returns empty if {@code name} is a setting or belongs to another tool. Also returns
   * empty for a name with several words after {@code heddle.} that differs from every setting in
   * more than {@link #FEW_WRONG} letters. Other tools have such names.
   */
  private static String closestIfUnknown(String name) {
    if (SETTINGS.contains(name) || OF_OTHERS.contains(name)) {
      return "";
    }
    if (SWITCHES.contains(name.substring(PREFIX.length()))) {
      return "heddle";
    }
    String closest = "";
    int least = Integer.MAX_VALUE;
    for (String setting : SETTINGS) {
      int distance = distance(name, setting);
      if (distance < least) {
        least = distance;
        closest = setting;
      }
    }
    boolean isOneWord = name.indexOf('.', PREFIX.length()) < 0;
    return isOneWord || least <= FEW_WRONG ? closest : "";
  }

  /**
   * Returns how many letters must be inserted, removed or replaced in {@code a} to get {@code b}.
   */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
