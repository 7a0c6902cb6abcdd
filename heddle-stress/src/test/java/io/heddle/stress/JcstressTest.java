package io.heddle.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.openjdk.jcstress.Main;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.GradingResult;
import org.openjdk.jcstress.infra.grading.ReportUtils;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * Runs the jcstress scenes in child JVMs: the sound structures show nothing forbidden, and every broken twin does.
 *
 * <p>The system property {@code heddle.jcstress} says how long for the sound ones: {@code short}, or one of jcstress's
 * modes, which {@code -Pstress} sets.
 */
class JcstressTest {
  /** These are regular expressions for jcstress. */
  private static final String TWIN = "Broken$";

  private static final String SOUND = "^(?!.*Broken$)";

  /** Milliseconds for a scene. */
  private static final int SHORT = 400;

  /** Milliseconds after which a twin's fault counts as invisible. */
  private static final int LONG = 32 * SHORT;

  private static final String MODE = System.getProperty("heddle.jcstress");
  private static final boolean IS_SHORT = MODE.equals("short");

  /** Some ten times of what it takes. */
  private static final int HANGS_AFTER_MINUTES = IS_SHORT ? 10 : 8 * 60;

  /** Scenes with goroutines need it, as every scheduler does. */
  private static final String OPEN = "--add-opens=java.base/java.lang=ALL-UNNAMED";

  private static final Path RESULTS = Path.of(System.getProperty("heddle.jcstress.results"));

  @Test
  void soundStructuresShowNothingForbidden() throws Exception {
    List<String> budget = IS_SHORT ? millis(SHORT) : List.of("-m", MODE);

    assertThat(run("sound", SOUND, budget))
        .allSatisfy(
            result -> assertThat(ReportUtils.statusToPassed(result)).as(report(result)).isTrue());
  }

  /** On a busy machine two threads seldom meet: who has shown nothing gets more time. */
  @Test
  void everyBrokenTwinShowsSomethingForbidden() throws Exception {
    String unseen = TWIN;
    for (int millis = SHORT; !unseen.isEmpty(); millis *= 2) {
      assertThat(millis).as("time for %s", unseen).isLessThanOrEqualTo(LONG);
      unseen =
          run("twins-" + millis, unseen, millis(millis)).stream()
              .filter(result -> forbidden(result) == 0)
              .map(result -> "^" + Pattern.quote(result.getName()) + "$")
              .collect(Collectors.joining("|"));
    }
  }

  /** One JVM for each scene, with one set of flags, for so long. */
  private static List<String> millis(int millis) {
    String options = "-f 1 -iters 2 -time " + millis / 2 + " -sc false -af NONE -jvmArgs -ea";
    return List.of(options.split(" "));
  }

  /** Runs what {@code tests} matches and returns one result for each. */
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
    jcstress.environment().put("JDK_JAVA_OPTIONS", OPEN); // for its own children, too
    awaitEnd(jcstress.start());
    Collection<TestResult> results = read(dir);
    assertThat(results)
        .extracting(TestResult::getName)
        .containsExactlyInAnyOrderElementsOf(named(tests));
    return results;
  }

  /** The exit code does not matter, the results tell more. jcstress waits for ever for an actor that hangs. */
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

  /** Without entries that do not exist, on which jcstress stumbles. */
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

  private static String report(TestResult result) {
    StringBuilder report = new StringBuilder(result.getName());
    for (GradingResult outcome : result.grading().gradingResults.values()) {
      report.append(String.format("%n  %s: %d %s", outcome.id, outcome.count, outcome.expect));
    }
    result.getMessages().forEach(message -> report.append(System.lineSeparator()).append(message));
    return report.toString();
  }
}
