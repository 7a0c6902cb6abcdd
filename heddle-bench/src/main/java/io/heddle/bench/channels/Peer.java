package io.heddle.bench.channels;

import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** The libraries that are compared. */
@SuppressWarnings("ImmutableEnumChecker") // a method reference
public enum Peer {
  HEDDLE("Heddle", HeddleTwin::new),
  JOX("Jox", _ -> new JoxTwin()),
  KOTLIN("Kotlin", _ -> new KotlinTwin()),
  JUC("j.u.c.", _ -> new JucTwin());

  final String title;
  private final IntFunction<Twin> maker;

  Peer(String title, IntFunction<Twin> maker) {
    this.title = title;
    this.maker = maker;
  }

  /**
   * Creates the peer's twin for {@code procs} threads: Heddle's scheduler gets as many Ps; for the
   * others see {@link #flags}.
   */
  public Twin twin(int procs) {
    return maker.apply(procs);
  }

  /**
   * The JVM flags that give each peer's scheduler this number of threads, whichever peer runs. The
   * JVM is told that it has as many CPUs, because Jox, for example, spins in vain if it sees two
   * CPUs but has one thread.
   */
  static List<String> flags(int procs) {
    Stream<String> sizes =
        sizes(procs).entrySet().stream().map(each -> "-D" + each.getKey() + "=" + each.getValue());
    return Stream.concat(sizes, Stream.of("-XX:ActiveProcessorCount=" + procs)).toList();
  }

  /** Throws unless the JVM was started with the {@link #flags} for this number of threads. */
  static void checkFlags(int procs) {
    sizes(procs)
        .forEach(
            (name, value) -> {
              if (!value.equals(System.getProperty(name))) {
                throw new IllegalStateException(
                    "procs " + procs + " needs -D" + name + "=" + value + " in the JVM's flags");
              }
            });
  }

  private static Map<String, String> sizes(int procs) {
    String size = Integer.toString(procs);
    return Map.of(
        "jdk.virtualThreadScheduler.parallelism", size,
        "jdk.virtualThreadScheduler.maxPoolSize", size,
        "kotlinx.coroutines.scheduler.core.pool.size", size,
        "kotlinx.coroutines.scheduler.max.pool.size", size);
  }
}
