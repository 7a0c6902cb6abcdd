package io.heddle.bench.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The lines by the names that the command line has for them; the first is what others are compared with. */
final class Lines {
  private static final int PLATFORM_THREADS = 64;
  private static final int VIRTUAL_THREADS = 1_000;
  private static final int BATCH = 256;

  private static final Map<String, Line> ALL = new LinkedHashMap<>();

  static {
    ALL.put("jnats", new JnatsLine(PLATFORM_THREADS, false));
    ALL.put("jnats-virtual", new JnatsLine(VIRTUAL_THREADS, true));
    ALL.put("heddle", new HeddleLine(1));
    ALL.put("heddle-batch", new HeddleLine(BATCH));
    ALL.put("hazelcast", new HazelcastLine());
    ALL.put("vertx", new VertxLine());
  }

  private Lines() {}

  static List<String> names() {
    return new ArrayList<>(ALL.keySet());
  }

  static Line named(String name) {
    Line line = ALL.get(name);
    if (line == null) {
      throw new IllegalArgumentException("unknown line " + name + "; there are " + names());
    }
    return line;
  }
}
