package io.heddle.stress;

import static java.util.stream.Collectors.partitioningBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jcstress.Main;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.GradingResult;
import org.openjdk.jcstress.infra.grading.ReportUtils;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * Runs the jcstress scenes in child JVMs: the real structures show no forbidden outcome, and every
 * broken twin shows one.
 *
 * <p>The system property {@code heddle.jcstress.samples}, which {@code -Pstress} sets, is the
 * minimum number of samples per structure; 0 runs each scene briefly. {@code samples.txt} beside
 * the results has the number of samples.
 */
class JcstressTest {
  /** These are regular expressions for jcstress. */
  private static final String TWIN = "Broken$";

  private static final String SOUND = "^(?!.*Broken$)";

  /** The scenes of {@code mvn verify}, one or two of each kind, and their twins. */
  private static final String FEW =
      "(?=.*[.](SendAgainstReceiveOf0|SendAgainstReceive|SelectAgainstSelect|StealAgainstSteal"
          + "|UnparkAgainstRun|ArmAgainstSleep)(Broken)?$)";

  /** Milliseconds for a scene. */
  private static final int SHORT = 400;

  private static final int MEDIUM = 3_000;

  /** The milliseconds after which a twin's fault counts as invisible. */
  private static final int LONG = 32 * SHORT;

  private static final long SAMPLES = Long.getLong("heddle.jcstress.samples");

  /** About ten times what it takes. */
  private static final int HANGS_AFTER_MINUTES = 10;

  /** One JVM per scene. Actors stay close to each other, so that most samples are concurrent. */
  private static final String CLOSE = "-f 1 -iters 2 -sc false -af NONE";

  /**
   * Actors that yield while they wait for each other between two strides leave the CPU to others,
   * and long strides make such waits rare. On a busy machine of two cores this gives up to fifty
   * times as many samples, of which fewer are concurrent.
   */
  private static final String MANY = CLOSE + " -spinStyle THREAD_YIELD -strideSize 2000";

  private static final String ASSERT = "-ea";

  /** The compiler flags of the scenes, one set per round. */
  private static final List<String> COMPILERS =
      List.of(
          ASSERT,
          ASSERT + " -XX:TieredStopAtLevel=1",
          ASSERT
              + " -XX:+UnlockDiagnosticVMOptions"
              + " -XX:+StressLCM -XX:+StressGCM -XX:+StressIGVN -XX:+StressCCP");

  /** Scenes with goroutines need it, like every scheduler. */
  private static final String OPEN = "--add-opens=java.base/java.lang=ALL-UNNAMED";

  private static final Path RESULTS = Path.of(System.getProperty("heddle.jcstress.results"));

  /** In one run, because jcstress examines the machine and the JVM for seconds before each. */
  @Test
  void aFewSoundScenesShowNothingForbiddenAndTheirTwinsDo() throws Exception {
    Map<Boolean, List<TestResult>> isTwin =
        run("few", FEW, budget(CLOSE, SHORT, ASSERT)).stream()
            .collect(partitioningBy(result -> result.getName().endsWith("Broken")));
    assertThat(isTwin.get(true)).isNotEmpty();
    assertThat(isTwin.get(false)).isNotEmpty();
    assertNothingForbidden(isTwin.get(false));
    assertSomethingForbidden("few-twins", unseen(isTwin.get(true)), 2 * SHORT);
  }

  @Test
  @Tag("full")
  void soundStructuresShowNothingForbidden() throws Exception {
    assertNothingForbidden(run("sound", SOUND, budget(CLOSE, SHORT, ASSERT)));
  }

  @Tag("stress")
  @ParameterizedTest
  @MethodSource("structures")
  void soundStructuresShowNothingForbiddenInManySamples(String structure) throws Exception {
    String scenes = SOUND + Pattern.quote(structure) + "[.]";
    long samples = 0;
    for (int round = 0; round < COMPILERS.size() || samples < SAMPLES; round++) {
      String compiler = COMPILERS.get(round % COMPILERS.size());
      Collection<TestResult> results =
          run(structure + "-" + round, scenes, budget(MANY, MEDIUM, compiler));
      assertNothingForbidden(results);
      samples += results.stream().mapToLong(JcstressTest::samples).sum();
      tell(structure, round, compiler, results);
    }
  }

  /** The classes that contain scenes. */
  static Stream<String> structures() {
    return named(SOUND).stream().map(name -> name.substring(0, name.lastIndexOf('.'))).distinct();
  }

  private static void assertNothingForbidden(Collection<TestResult> results) {
    assertThat(results)
        .allSatisfy(
            result -> assertThat(ReportUtils.statusToPassed(result)).as(report(result)).isTrue());
  }

  @Test
  @Tag("full")
  void everyBrokenTwinShowsSomethingForbidden() throws Exception {
    assertSomethingForbidden("twins", TWIN, SHORT);
  }

  /** On a busy machine two threads seldom meet: a twin that has shown nothing gets more time. */
  private static void assertSomethingForbidden(String name, String twins, int firstMillis)
      throws Exception {
    String options = SAMPLES == 0 ? CLOSE : MANY;
    String unseen = twins;
    for (int millis = firstMillis; !unseen.isEmpty(); millis *= 2) {
      assertThat(millis).as("time for %s", unseen).isLessThanOrEqualTo(LONG);
      unseen = unseen(run(name + "-" + millis, unseen, budget(options, millis, ASSERT)));
    }
  }

  /** The scenes without a forbidden result, as a regular expression; empty if there are none. */
  private static String unseen(Collection<TestResult> results) {
    return results.stream()
        .filter(result -> forbidden(result) == 0)
        .map(result -> "^" + Pattern.quote(result.getName()) + "$")
        .collect(Collectors.joining("|"));
  }

  private static List<String> budget(String options, int millis, String flags) {
    List<String> budget = new ArrayList<>(List.of(options.split(" ")));
    budget.addAll(List.of("-time", String.valueOf(millis / 2), "-jvmArgs", flags));
    return budget;
  }

  /** Runs the scenes that {@code tests} matches and returns one result for each. */
  private static Collection<TestResult> run(String name, String tests, List<String> budget)
      throws Exception {
    Path dir = Files.createDirectories(RESULTS.resolve(name));
    deleteResults(dir);
    List<String> command = new ArrayList<>(child());
    command.addAll(List.of("-t", tests, "-r", dir.resolve("report").toString()));
    command.addAll(budget);
    ProcessBuilder jcstress =
        new ProcessBuilder(command)
            .directory(dir.toFile())
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("log.txt").toFile());
    jcstress.environment().put("JDK_JAVA_OPTIONS", OPEN); // also for its own child JVMs
    awaitEnd(jcstress.start());
    Collection<TestResult> results = read(dir);
    assertThat(results)
        .extracting(TestResult::getName)
        .containsExactlyInAnyOrderElementsOf(named(tests));
    return results;
  }

  /**
   * The exit code is ignored, because the results tell more. jcstress waits forever for an actor
   * that hangs.
   */
  private static void awaitEnd(Process jcstress) throws InterruptedException {
    if (!jcstress.waitFor(HANGS_AFTER_MINUTES, TimeUnit.MINUTES)) {
      jcstress.descendants().forEach(ProcessHandle::destroyForcibly);
      jcstress.destroyForcibly();
      throw new AssertionError("an actor hangs: a wakeup was lost");
    }
  }

  private static List<String> named(String tests) {
    List<String> names =
        TestList.tests().stream().filter(Pattern.compile(tests).asPredicate()).toList();
    assertThat(names).isNotEmpty();
    return names;
  }

  private static List<String> child() {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return List.of(java, "-cp", classPath(), Main.class.getName());
  }

  /** The class path without missing entries, which make jcstress fail. */
  private static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> new File(entry).exists())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Collection<TestResult> read(Path dir) throws Exception {
    InProcessCollector results = new InProcessCollector();
    for (Path file : resultFiles(dir)) {
      DiskReadCollector reader = new DiskReadCollector(file.toString(), results);
      reader.dump();
      reader.close();
    }
    return ReportUtils.mergedByName(results.getTestResults());
  }

  private static void deleteResults(Path dir) throws IOException {
    for (Path file : resultFiles(dir)) {
      Files.delete(file);
    }
  }

  private static List<Path> resultFiles(Path dir) throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      return files.filter(file -> file.toString().endsWith(".bin.gz")).toList();
    }
  }

  private static long forbidden(TestResult result) {
    return result.grading().gradingResults.values().stream()
        .filter(outcome -> outcome.expect == Expect.FORBIDDEN)
        .mapToLong(outcome -> outcome.count)
        .sum();
  }

  private static long samples(TestResult result) {
    return result.grading().gradingResults.values().stream()
        .mapToLong(outcome -> outcome.count)
        .sum();
  }

  /** Appends the number of samples of each scene: structure, round, flags, scene, number. */
  private static void tell(
      String structure, int round, String flags, Collection<TestResult> results)
      throws IOException {
    List<String> lines =
        results.stream()
            .map(
                result ->
                    String.join(
                        "\t",
                        structure,
                        String.valueOf(round),
                        flags,
                        result.getName(),
                        String.valueOf(samples(result))))
            .sorted()
            .toList();
    Files.write(
        RESULTS.resolve("samples.txt"),
        lines,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private static String report(TestResult result) {
    StringBuilder report = new StringBuilder(result.getName());
    for (GradingResult outcome : result.grading().gradingResults.values()) {
      report.append(String.format("%n  %s: %d %s", outcome.id, outcome.count, outcome.expect));
    }
    result.getMessages().forEach(message -> report.append(System.lineSeparator()).append(message));
    return report.toString();
  }
}
