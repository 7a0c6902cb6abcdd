package io.heddle;

import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.Sched;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The labels of the calling thread, which goroutines that it starts inherit. A goroutine keeps its
 * labels in its {@link G}, or in its {@link PlainGoroutine} if Heddle is off, so that dumps and
 * profiles can read them. The labels of any other thread are in a scoped value.
 */
final class Labels {
  private static final ScopedValue<Map<String, String>> OF_OTHERS = ScopedValue.newInstance();

  /**
   * The largest number of characters of a key and of a value. It is small because dumps show labels
   * in one line.
   */
  private static final int MAX_LENGTH = 200;

  /**
   * Whether any thread has ever had a label. While this is false, the start of a goroutine need not
   * look for labels. A plain field suffices: see {@code CurrentContext.used}.
   */
  private static boolean used;

  private Labels() {}

  /** Returns the labels of the calling thread, in the order of their keys. */
  static Map<String, String> ofCaller() {
    if (!used) {
      return Map.of();
    }
    G g = VirtualThreads.isOpen() ? Sched.current() : null;
    if (g != null) {
      return g.labels();
    }
    PlainGoroutine plain = PlainGoroutine.current();
    return plain == null ? OF_OTHERS.orElse(Map.of()) : plain.labels();
  }

  /**
   * Runs {@code task} in the calling thread, which meanwhile has one more label. Throws {@link
   * IllegalArgumentException} if the key or the value is not allowed: see {@link Go#label}.
   */
  static void run(String key, String value, Task task) throws Exception {
    check("the key", key);
    check("the value of label " + key, value);
    if (key.isBlank() || key.indexOf('=') >= 0) {
      throw new IllegalArgumentException(
          "the key of a label is \"" + key + "\": it must not be blank or contain =");
    }
    Map<String, String> before = ofCaller();
    Map<String, String> all = new TreeMap<>(before);
    all.put(key, value);
    run(before, Collections.unmodifiableMap(all), task);
  }

  private static void check(String what, String text) {
    if (text.length() > MAX_LENGTH || text.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          what
              + " has "
              + text.length()
              + " characters: allowed are at most "
              + MAX_LENGTH
              + ", and no control characters");
    }
  }

  private static void run(Map<String, String> before, Map<String, String> all, Task task)
      throws Exception {
    used = true;
    G g = VirtualThreads.isOpen() ? Sched.current() : null;
    PlainGoroutine plain = g == null ? PlainGoroutine.current() : null;
    if (g == null && plain == null) {
      runOutside(all, task);
      return;
    }
    label(g, plain, all);
    try {
      task.run();
    } finally {
      label(g, plain, before);
    }
  }

  private static void label(
      @Nullable G g, @Nullable PlainGoroutine plain, Map<String, String> labels) {
    if (g != null) {
      g.label(labels);
    } else if (plain != null) {
      plain.label(labels);
    }
  }

  private static void runOutside(Map<String, String> labels, Task task) throws Exception {
    boolean _ =
        ScopedValue.where(OF_OTHERS, labels)
            .call(
                () -> {
                  task.run();
                  return true;
                });
  }
}
