package io.heddle.bench.suite;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Builds the command line of each contender. */
final class Commands {
  /**
   * Address space in KiB for contenders without a memory limit of their own, so that a runaway row
   * ends there.
   */
  private static final int MOST_KIB = 14_000_000;

  private static final String PRE_TOUCH = "-XX:+AlwaysPreTouch";
  private static final String JAVA = "Java " + Runtime.version();
  private static final String KOTLIN_VERSION = "/META-INF/kotlinx_coroutines_core.version";
  private static final String HEDDLE_VERSION = "/META-INF/maven/io.heddle/heddle/pom.properties";
  private static final String JOX_VERSION =
      "/META-INF/maven/com.softwaremill.jox/channels/pom.properties";

  /** The jar of the benchmarks; a folder of classes in tests. */
  private final Path jar;

  private final Toolchains toolchains;
  private final Map<Contender, Path> twins = new TreeMap<>();

  Commands(Path jar, Toolchains toolchains) {
    this.jar = jar;
    this.toolchains = toolchains;
  }

  /**
   * Builds what the contender needs. Throws {@link IOException} with the reason if it cannot be
   * measured here.
   */
  void prepare(Contender contender) throws IOException {
    switch (contender) {
      case GO -> twins.put(contender, toolchains.goTwin());
      case TOKIO -> twins.put(contender, toolchains.tokioTwin());
      default -> {}
    }
  }

  String version(Contender contender) {
    return switch (contender) {
      case GO -> toolchains.go().map(Toolchains.Tool::version).orElse("");
      case TOKIO ->
          "Tokio "
              + toolchains.tokioVersion()
              + toolchains.cargo().map(tool -> ", " + tool.version()).orElse("");
      case HEDDLE -> version("Heddle", HEDDLE_VERSION) + ", " + JAVA;
      case KOTLIN -> "kotlinx.coroutines " + resource(KOTLIN_VERSION) + ", " + JAVA;
      case JOX -> version("Jox", JOX_VERSION) + ", " + JAVA;
      default -> JAVA;
    };
  }

  /** The version of a library, from the properties that Maven puts into its jar. */
  private static String version(String title, String resource) {
    return title + " " + resource(resource).replaceAll("(?s).*version=(\\S*).*", "$1");
  }

  private static String resource(String name) {
    try (InputStream in = Commands.class.getResourceAsStream(name)) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "";
    }
  }

  List<String> twin(Contender contender, Row row, int procs, Pace pace, List<String> jobs) {
    List<String> command = new ArrayList<>();
    if (contender.isJvm()) {
      command.addAll(java());
      command.addAll(jvmFlags(contender, row, procs));
      command.addAll(List.of("-cp", classPath(), "io.heddle.bench.rows.TwinMain"));
      command.add(contender.jvmPeer);
    } else {
      command.addAll(List.of("sh", "-c", "ulimit -v " + MOST_KIB + "; exec \"$@\"", "sh"));
      command.add(Objects.requireNonNull(twins.get(contender), contender.title).toString());
    }
    command.addAll(
        List.of(
            "" + procs, "" + pace.warmMillis(row, contender, procs), "" + pace.measureMillis(row)));
    command.addAll(jobs);
    return command;
  }

  /** The command of the load generator: another process, the same for all contenders. */
  List<String> load(Contender contender, Row row, int port, Pace pace) {
    List<String> command = new ArrayList<>(java());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-cp", classPath()));
    command.addAll(
        List.of("io.heddle.bench.suite.LoadGenerator", row.id, "" + port, "" + row.size(false)));
    command.addAll(List.of("" + pace.loadWarmMillis(contender), "" + pace.loadMillis()));
    return command;
  }

  /**
   * The JVM flags, equal for all peers in a JVM; Heddle gets the agent in addition, which provides
   * its sockets.
   */
  List<String> jvmFlags(Contender contender, Row row, int procs) {
    List<String> flags = new ArrayList<>();
    flags.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    flags.add("--enable-native-access=ALL-UNNAMED");
    flags.add("-XX:+UseParallelGC");
    flags.addAll(memory(row));
    flags.add("-XX:ActiveProcessorCount=" + Math.min(procs, cpus()));
    flags.add("-Djdk.virtualThreadScheduler.parallelism=" + procs);
    flags.add("-Dkotlinx.coroutines.scheduler.core.pool.size=" + procs);
    flags.add("-Dkotlinx.coroutines.scheduler.max.pool.size=" + procs);
    if (contender == Contender.HEDDLE && row.hasSockets()) {
      flags.add("-Dheddle.procs=" + procs);
      flags.add("-javaagent:" + agent() + "=adopt");
    }
    return flags;
  }

  private String classPath() {
    return Files.isDirectory(jar) ? System.getProperty("java.class.path") : jar.toString();
  }

  private Path agent() {
    if (Files.isDirectory(jar)) {
      throw new IllegalArgumentException(
          "the agent needs benchmarks.jar, but this runs from a folder of classes");
    }
    return jar;
  }

  private static List<String> memory(Row row) {
    if (row == Row.PARKED || row == Row.IDLE) {
      return List.of("-Xms64m", "-Xmx4g");
    }
    return switch (row) {
      case GROWTH_SPAWN, GROWTH_PAIRS, GROWTH_SKYNET ->
          List.of("-Xms2g", "-XX:MaxRAMPercentage=75", PRE_TOUCH);
      case SPAWN, SKYNET, TIMERS -> List.of("-Xms2g", "-Xmx2g", PRE_TOUCH);
      default -> List.of("-Xms512m", "-Xmx512m", PRE_TOUCH);
    };
  }

  private static List<String> java() {
    return List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString());
  }

  private static int cpus() {
    return Runtime.getRuntime().availableProcessors();
  }
}
