package io.heddle.internal.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Names, places and reasons, by number. From platform threads. */
final class StringTable {
  /** A program that names each of its goroutines differently is not to fill the memory: the rest have no name. */
  private static final int MOST = 100_000;

  private static final int LONGEST = 1_000;

  private final Map<String, Integer> ids = new ConcurrentHashMap<>();
  private final List<String> all = new ArrayList<>();

  /** Reasons with smaller numbers than this fit into a word together with something else. */
  static final int COMMON = 1 << EventKind.X_BITS;

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

  int idOf(String text) {
    Integer known = ids.get(text);
    return known == null ? make(text) : known;
  }

  private synchronized int make(String text) {
    Integer known = ids.get(text);
    if (known != null) {
      return known;
    }
    if (all.size() >= MOST) {
      return 0;
    }
    all.add(text.length() <= LONGEST ? text : text.substring(0, LONGEST));
    ids.put(text, all.size() - 1);
    return all.size() - 1;
  }

  /** Those from that number on. */
  synchronized List<String> from(int id) {
    return List.copyOf(all.subList(id, all.size()));
  }
}
