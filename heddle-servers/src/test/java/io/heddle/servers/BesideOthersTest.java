package io.heddle.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An adopted program gives right results beside other agents, in either order, and with other flags
 * of the JVM. The page docs/guide/beside.md lists what is run here.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BesideOthersTest {
  private static final String PROGRAM = "beside.Everything";

  @TempDir private Path dir;

  private static final Pattern OFF = Pattern.compile("^heddle: .* is off: ");
  private static final List<String> NOTHING = List.of();

  /**
   * What is off beside an agent that transforms VirtualThread; docs/guide/beside.md says it, too.
   */
  private static final List<String> OWN_MOUNT =
      List.of(
          "heddle: the own mount is off: another agent has transformed java.lang.VirtualThread;"
              + " goroutines are mounted by the JDK's methods");

  /** The agents that {@code pom.xml} fetches in the tier full. */
  private enum OtherAgent {
    OPENTELEMETRY(
        OWN_MOUNT,
        "opentelemetry-javaagent",
        "io.opentelemetry.javaagent.bootstrap.AgentInitializer",
        "-Dotel.traces.exporter=none",
        "-Dotel.metrics.exporter=none",
        "-Dotel.logs.exporter=none"),
    DATADOG(
        OWN_MOUNT,
        "dd-java-agent",
        "datadog.trace.bootstrap.Agent",
        "-Ddd.telemetry.enabled=false",
        "-Ddd.trace.startup.logs=false",
        "-Ddatadog.slf4j.simpleLogger.defaultLogLevel=off"),
    ELASTIC(
        NOTHING,
        "elastic-apm-agent",
        "co.elastic.apm.agent.premain.AgentMain",
        "-Delastic.apm.disable_send=true",
        "-Delastic.apm.log_level=OFF"),
    JACOCO(NOTHING, "org.jacoco.agent-runtime", "org.jacoco.agent.rt.RT");

    private final List<String> off;
    private final String file;
    private final String type;
    private final List<String> flags;

    OtherAgent(List<String> off, String file, String type, String... flags) {
      this.off = off;
      this.file = file;
      this.type = type;
      this.flags = List.of(flags);
    }

    Path jar() {
      return Path.of("target", "agents", file + ".jar").toAbsolutePath();
    }
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource
  void besideAnotherAgentThatIsFirst(OtherAgent other) throws Exception {
    checkBeside(other, true);
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource
  void besideAnotherAgentThatIsSecond(OtherAgent other) throws Exception {
    checkBeside(other, false);
  }

  private void checkBeside(OtherAgent other, boolean isFirst) throws Exception {
    assumeTrue(Files.exists(other.jar()), other.jar() + " is fetched by Maven in the tier full");
    Path report = dir.resolve("jacoco.exec");
    String options = other == OtherAgent.JACOCO ? "=destfile=" + report : "";
    List<String> flags = new ArrayList<>(other.flags);
    flags.add(isFirst ? 0 : flags.size(), "-javaagent:" + other.jar() + options);
    flags.add(isFirst ? flags.size() : 0, adopt());
    checkRuns(
        other.off,
        ChildJvm.bare().flags(flags.toArray(String[]::new)).flags("-cp", program()),
        other.type);
    assertThat(Files.exists(report)).isEqualTo(other == OtherAgent.JACOCO);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void besideAnAgentThatChangesTheSameMethods(boolean isFirst) throws Exception {
    Path jar = HeddleJar.agent("beside.NoOpAgent").pack(dir.resolve("no-op.jar"));
    String theirs = "-javaagent:" + jar;
    String classPath = program() + File.pathSeparator + byteBuddy();
    ChildJvm.Result result =
        checkRuns(
            OWN_MOUNT,
            ChildJvm.bare()
                .flags(isFirst ? theirs : adopt(), isFirst ? adopt() : theirs)
                .flags("-cp", classPath));
    assertThat(result.out()).contains("transformed 3");
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "-XX:+UseSerialGC",
        "-XX:+UseParallelGC",
        "-XX:+UseG1GC",
        "-XX:+UseZGC",
        "-XX:+UseShenandoahGC",
        "-XX:+UseCompactObjectHeaders",
        "-XX:-UseCompressedOops",
        "-Xint",
        "-Xcomp",
        "-Xcheck:jni",
        "-XX:+UnlockExperimentalVMOptions -XX:-DoJVMTIVirtualThreadTransitions",
      })
  void withFlagsOfTheJvm(String flags) throws Exception {
    if (flags.equals("-XX:+UseShenandoahGC")) {
      int code = ChildJvm.bare().flags(flags).run("-version").exitCode();
      assumeTrue(code == 0, "this JDK has no Shenandoah");
    }
    checkRuns(NOTHING, ChildJvm.bare().flags(flags.split(" ")).flags(adopt(), "-cp", program()));
  }

  @Tag("full")
  @Test
  void withMethodTimingOfTheChangedClasses() throws Exception {
    Path recording = dir.resolve("recording.jfr");
    checkRuns(
        OWN_MOUNT,
        ChildJvm.bare()
            .flags(
                "-XX:StartFlightRecording:jdk.MethodTiming#enabled=true,jdk.MethodTiming#filter="
                    + "java.lang.ThreadBuilders;java.lang.VirtualThread::park;"
                    + "sun.nio.ch.NioSocketImpl,filename="
                    + recording)
            .flags(adopt(), "-cp", program()));
    Set<String> timed =
        RecordingFile.readAllEvents(recording).stream()
            .filter(event -> event.getEventType().getName().equals("jdk.MethodTiming"))
            .filter(event -> event.getLong("invocations") > 0)
            .map(event -> event.<RecordedMethod>getValue("method"))
            .map(method -> method.getType().getName() + "." + method.getName())
            .collect(Collectors.toSet());
    assertThat(timed)
        .contains(
            "java.lang.ThreadBuilders.newVirtualThread",
            "java.lang.VirtualThread.park",
            "sun.nio.ch.NioSocketImpl.park");
  }

  @Tag("full")
  @Test
  void inLinkedRuntimeWithoutOptionalModules() throws Exception {
    Path image = dir.resolve("image");
    StringWriter said = new StringWriter();
    int code =
        ToolProvider.findFirst("jlink")
            .orElseThrow()
            .run(
                new PrintWriter(said),
                new PrintWriter(said),
                "--add-modules",
                "java.base,java.instrument",
                "--output",
                image.toString());
    assumeTrue(code == 0, "jlink: " + said);
    checkRuns(
        NOTHING, ChildJvm.bare().java(image.resolve("bin/java")).flags(adopt(), "-cp", program()));
  }

  /**
   * Runs the program and checks its results.
   *
   * @param off the lines that tell which features are off
   * @param present classes that the JVM must have
   */
  private static ChildJvm.Result checkRuns(List<String> off, ChildJvm jvm, String... present)
      throws Exception {
    List<String> args = new ArrayList<>(List.of(PROGRAM, "once"));
    args.addAll(List.of(present));
    ChildJvm.Result result = jvm.within(Duration.ofMinutes(4)).run(args.toArray(String[]::new));
    assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
    assertThat(result.out()).contains("checked, adopted true");
    for (String type : present) {
      assertThat(result.out()).contains("present " + type);
    }
    assertThat(result.err()).doesNotContain("the program runs without", "heddle: another agent");
    assertThat(result.err().lines().filter(line -> OFF.matcher(line).find())).isEqualTo(off);
    return result;
  }

  private static String adopt() {
    return "-javaagent:" + AgentPaths.jar() + "=adopt";
  }

  private static String program() {
    return Path.of("target", "test-classes").toAbsolutePath().toString();
  }

  private static String byteBuddy() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.contains("byte-buddy"))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
