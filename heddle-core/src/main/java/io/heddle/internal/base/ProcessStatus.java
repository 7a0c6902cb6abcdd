package io.heddle.internal.base;

import java.net.URL;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What this copy of Heddle is and does in this process, for {@code heddle doctor} and for the line
 * at the start ({@link StartLine}).
 *
 * <p>The facts are published in the system property {@code io.heddle.status}, one
 * {@code key=value} per line. A tool that attaches to the JVM can read system properties even if
 * the program has no JMX, no scheduler, or has Heddle switched off. A second copy of Heddle, from
 * another class loader, uses {@code io.heddle.status.2}, and so on.
 */
public final class ProcessStatus {
  /**
   * The key of the mode. Its value begins with one of these words. Details may follow.
   * <ul>
   *   <li>{@code agent}: Heddle was started as a Java agent. It may run the program's virtual
   *       threads as goroutines, and insert checks into its classes at which they yield.
   *   <li>{@code launcher}: Heddle does what {@code agent} says, but was started by
   *       {@code java -jar heddle.jar}.
   *   <li>{@code library}: the program uses Heddle, without the agent.
   *   <li>{@code watch}: the agent only observes the JDK's scheduler, and changes nothing.
   *   <li>{@code off}: Heddle is switched off ({@link MasterSwitch}), so goroutines are plain
   *       virtual threads.
   * </ul>
   */
  public static final String MODE = "mode";

  /** The key of the number of Ps of the first scheduler, when it was made. */
  public static final String PROCS = "procs";

  /**
   * The key of the code that mounts goroutines on their threads: {@code own} (Heddle's) or {@code
   * jdk} (the JDK's methods). If Heddle's code does not work in this JVM, the value also says why.
   */
  public static final String MOUNT = "mount";

  /**
   * The prefix of the keys of features that depend on internals of the JDK. The value is
   * {@code on}, or {@code off: REASON}.
   */
  public static final String FEATURE = "feature.";

  /**
   * The key of what the filter of adoption has met. The value is {@code matched} if the filter has
   * matched a thread; else it has examples of names of threads. The key is missing before the first
   * virtual thread.
   */
  public static final String FILTER = "filter";

  /** The system property. Its name does not begin with "heddle.", because it is no setting. */
  private static final String PROPERTY = "io.heddle.status";

  private static final String OFF = "off: ";

  /** The facts that were published. All accesses are synchronized on the map. */
  private static final Map<String, String> FACTS = new LinkedHashMap<>();

  private static final String MINE = reserve();

  static {
    put("version", version());
    put("from", location());
    put("loader", String.valueOf(ProcessStatus.class.getClassLoader()));
  }

  private ProcessStatus() {}

  /** Publishes a fact; replaces an earlier value. Line breaks in {@code value} become spaces. */
  public static void put(String key, String value) {
    synchronized (FACTS) {
      FACTS.put(key, value.replace('\n', ' '));
      StringBuilder text = new StringBuilder();
      FACTS.forEach((k, v) -> text.append(k).append('=').append(v).append('\n'));
      System.setProperty(MINE, text.toString());
    }
  }

  /** Publishes a fact unless it has a value already. */
  public static void putIfAbsent(String key, String value) {
    synchronized (FACTS) {
      if (!FACTS.containsKey(key)) {
        put(key, value);
      }
    }
  }

  /** Publishes that a feature is on. */
  public static void featureOn(String name) {
    put(FEATURE + name, "on");
  }

  /** Publishes that a feature is off, and why. */
  public static void featureOff(String name, Object reason) {
    put(FEATURE + name, OFF + reason);
  }

  /** Returns a fact; null if it is not known. */
  static @Nullable String get(String key) {
    synchronized (FACTS) {
      return FACTS.get(key);
    }
  }

  /** Returns the features that are off, each with its reason. */
  static List<String> featuresOff() {
    List<String> off = new ArrayList<>();
    synchronized (FACTS) {
      FACTS.forEach(
          (key, value) -> {
            if (key.startsWith(FEATURE) && value.startsWith(OFF)) {
              off.add(key.substring(FEATURE.length()) + " (" + value.substring(OFF.length()) + ")");
            }
          });
    }
    return off;
  }

  /** Returns the version of this copy of Heddle. */
  static String version() {
    String version = ProcessStatus.class.getPackage().getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }

  private static String location() {
    CodeSource source = ProcessStatus.class.getProtectionDomain().getCodeSource();
    URL url = source == null ? null : source.getLocation();
    return url == null ? "unknown" : url.toString();
  }

  /**
   * Reserves the first of the properties {@code io.heddle.status}, {@code io.heddle.status.2} and
   * so on that is not set, and returns its name. Other copies of Heddle in this process have
   * reserved those before it.
   */
  private static String reserve() {
    for (int copy = 1; ; copy++) {
      String name = copy == 1 ? PROPERTY : PROPERTY + "." + copy;
      if (System.getProperties().putIfAbsent(name, "") == null) {
        return name;
      }
    }
  }
}
