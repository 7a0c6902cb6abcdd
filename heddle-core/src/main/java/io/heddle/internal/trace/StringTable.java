package io.heddle.internal.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Assigns numbers to the strings of a trace: names, creation sites and wait reasons. Only platform
 * threads may call this class, because its lock could park a goroutine in the middle of an event.
 */
final class StringTable {
  /**
   * The largest number of strings in the table, which limits the memory if each goroutine has its
   * own name. Strings beyond the limit get the number of the empty string.
   */
  private static final int MAX_STRINGS = 100_000;

  private static final int MAX_LENGTH = 1_000;

  private final Map<String, Integer> ids = new ConcurrentHashMap<>();
  private final List<String> all = new ArrayList<>();

  /**
   * A wait reason fits into the field {@code x} of an event word if its number is below this
   * constant.
   */
  static final int COMMON = 1 << EventKind.X_BITS;

  /** The strings that get the lowest numbers: the most frequent wait reasons. */
  private static final List<String> FIRST =
      List.of(
          "",
          "chan receive",
          "chan send",
          "select",
          "sleep",
          "sync.Mutex.Lock",
          "sync.RWMutex.Lock",
          "sync.RWMutex.RLock",
          "sync.WaitGroup.Wait",
          "IO wait",
          "park",
          "timed park",
          "monitor enter",
          "Object.wait");

  StringTable() {
    FIRST.forEach(this::idOf);
  }

  /**
   * Returns the number of {@code text}, which is added to the table if it is new. Returns 0, the
   * number of the empty string, if the table is full.
   */
  int idOf(String text) {
    Integer known = ids.get(text);
    return known == null ? make(text) : known;
  }

  private synchronized int make(String text) {
    Integer known = ids.get(text);
    if (known != null) {
      return known;
    }
    if (all.size() >= MAX_STRINGS) {
      return 0;
    }
    all.add(text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH));
    ids.put(text, all.size() - 1);
    return all.size() - 1;
  }

  /** Returns the strings from number {@code id} on. */
  synchronized List<String> from(int id) {
    return List.copyOf(all.subList(id, all.size()));
  }
}
