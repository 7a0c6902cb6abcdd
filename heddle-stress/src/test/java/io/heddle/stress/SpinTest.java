package io.heddle.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The models of the scheduler and of the mount, src/test/model/scheduler.pml and mount.pml, in all
 * their interleavings: no interleaving breaks a promise, and each broken twin does. Without Spin,
 * or without a C compiler for its output, nothing is checked.
 *
 * <p>{@code -Pstress} adds configurations that take longer.
 */
class SpinTest {
  private static final Path MODELS = Path.of("src", "test", "model");
  private static final String SCHEDULER = "scheduler.pml";
  private static final String MOUNT = "mount.pml";

  /** The errors searched for: a failed assertion, or an M that waits forever. */
  private static final String VIOLATED = "assertion violated";

  private static final String STUCK = "invalid end state";

  private static final Pattern STATES = Pattern.compile("(\\d+) states, stored");

  /** Many times the duration of the longest search. */
  private static final int MINUTES = 30;

  @TempDir private Path dir;

  @BeforeAll
  static void hasSpin() {
    for (String tool : List.of("spin", "gcc")) {
      assumeTrue(isThere(tool), () -> tool + " is not on the PATH: the models are not checked");
    }
  }

  private static boolean isThere(String tool) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(entry -> Files.isExecutable(Path.of(entry, tool)));
  }

  @Test
  void keepsItsPromisesWithTwoGoroutines() throws Exception {
    assertKept(SCHEDULER, "GS=2", "-O0");
  }

  @Test
  void modelWithoutAWakeupIsCaught() throws Exception {
    brokenTwinIsCaught("PUT_WAKES_NO_M", "GS=2", VIOLATED);
  }

  @Test
  void mountLosesNoWakeUp() throws Exception {
    assertKept(MOUNT, "WAKES=1", "-O0");
  }

  @Test
  void mountWithoutItsFenceIsCaught() throws Exception {
    brokenMountIsCaught("NO_FENCE", "WAKES=1");
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(strings = {"WAKES=2", "INTERRUPTS=1", "LOOKS=1", "MS=1 INTERRUPTS=1 LOOKS=1"})
  void mountKeepsItsPromisesInAllInterleavings(String configuration) throws Exception {
    assertKept(MOUNT, configuration, "-O0");
  }

  @Tag("stress")
  @ParameterizedTest
  @ValueSource(strings = {"WAKES=2 YIELDS=0 INTERRUPTS=1", "YIELDS=0 INTERRUPTS=1 LOOKS=1"})
  void mountKeepsItsPromisesInMoreInterleavings(String configuration) throws Exception {
    assertKept(MOUNT, configuration, "-O2");
  }

  @Tag("full")
  @ParameterizedTest
  @CsvSource({
    "NO_FENCE,           WAKES=1",
    "PERMIT_IGNORED,     WAKES=1",
    "NO_LOOK_AFTER_RUN,  WAKES=1",
    "LOCK_IGNORED,       INTERRUPTS=1",
    "CLAIM_WITHOUT_CAS,  LOOKS=1",
    "LOOKER_FORGETS,     LOOKS=1",
  })
  void brokenMountIsCaught(String twin, String configuration) throws Exception {
    assertThat(search(MOUNT, configuration + " BROKEN_" + twin, "-O0"))
        .contains(VIOLATED, "errors: 1");
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GS=2",
        "GS=3 HOGS=1",
        "GS=3 HOGS=1 OUTSIDE=2",
        "PS=1 HOGS=1 RETAKES=1",
        "PS=1 MS=1 RETAKES=1",
        "RETAKES=1 OUTSIDE=0",
        "MS=1 STOPS=1 FIRST=1 RETAKES=1 OUTSIDE=0",
        "MS=1 STOPS=1 FIRST=1",
        "STOPS=1 FIRST=1 OUTSIDE=0"
      })
  void keepsItsPromisesInAllInterleavings(String configuration) throws Exception {
    assertKept(SCHEDULER, configuration, "-O0");
  }

  @Tag("stress")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "RETAKES=1",
        "STOPS=1",
        "STOPS=1 FIRST=1",
        "GS=3 STOPS=1 FIRST=1 OUTSIDE=0",
        "STOPS=2 FIRST=1 OUTSIDE=0",
        "PS=3 MS=3 GS=3 HOGS=2"
      })
  void keepsItsPromisesInMoreInterleavings(String configuration) throws Exception {
    assertKept(SCHEDULER, configuration, "-O2");
  }

  private void assertKept(String model, String configuration, String optimization)
      throws Exception {
    String found = search(model, configuration, optimization);
    assertThat(found).contains("errors: 0").doesNotContain("not completed", "depth too small");
    System.out.printf("[Spin] %s, %s: %s states, no error%n", model, configuration, states(found));
  }

  @Tag("full")
  @ParameterizedTest
  @CsvSource({
    "PUT_WAKES_NO_M,           GS=2,                     assertion violated",
    "NO_LOOKS,                 GS=3 HOGS=1,              assertion violated",
    "NO_LOOK_FROM_THE_LIST,    GS=3 HOGS=1,              assertion violated",
    "WAKE_NOT_AGAIN,           GS=3 HOGS=1,              assertion violated",
    "NO_M_PASSES_ON,           PS=3 MS=3 GS=3 HOGS=2,    assertion violated",
    "HAND_OFF_NOT_AGAIN,       PS=1 HOGS=1 RETAKES=1,    assertion violated",
    "NO_M_NOT_AGAIN,           PS=1 MS=1 RETAKES=1,      assertion violated",
    "START_LOOKS_NOT,          STOPS=1,                  assertion violated",
    "OFFER_NOT_CHECKED,        MS=1 STOPS=1 FIRST=1,     assertion violated",
    "TAKE_WITHOUT_CAS,         GS=2,                     assertion violated",
    "NO_EPOCH,                 RETAKES=1 OUTSIDE=0,      assertion violated",
    "ASIDE_WITH_P,             STOPS=1,                  assertion violated",
    "DEAD_KEEPS_EPOCH,         STOPS=1 FIRST=1,          invalid end state",
  })
  void brokenTwinIsCaught(String twin, String configuration, String how) throws Exception {
    assertThat(how).isIn(VIOLATED, STUCK);
    assertThat(search(SCHEDULER, configuration + " BROKEN_" + twin, "-O0"))
        .contains(how, "errors: 1");
  }

  /** Each omitted line of a twin has a test above. */
  @ParameterizedTest
  @CsvSource({"scheduler.pml, brokenTwinIsCaught", "mount.pml, brokenMountIsCaught"})
  void everyTwinIsTried(String model, String test) throws Exception {
    List<String> twins =
        Pattern.compile("BROKEN_([A-Z_]+)")
            .matcher(Files.readString(MODELS.resolve(model)).replace("BROKEN_ flag", ""))
            .results()
            .map(found -> found.group(1))
            .distinct()
            .toList();
    CsvSource tried =
        Arrays.stream(SpinTest.class.getDeclaredMethods())
            .filter(method -> method.getName().equals(test))
            .findAny()
            .orElseThrow()
            .getAnnotation(CsvSource.class);
    assertThat(tried.value())
        .extracting(line -> line.substring(0, line.indexOf(',')))
        .containsExactlyInAnyOrderElementsOf(twins);
  }

  /**
   * Runs the search and returns Spin's verdict: the first error, or that there is none.
   *
   * @param optimization {@code -O0} unless there are millions of states, because optimizing
   *     takes half a minute of CPU
   */
  private String search(String model, String definitions, String optimization) throws Exception {
    List<String> spin = new ArrayList<>(List.of("spin", "-a"));
    for (String definition : definitions.split(" ")) {
      spin.add("-D" + definition);
    }
    spin.add(MODELS.resolve(model).toAbsolutePath().toString());
    assertThat(run(spin)).doesNotContain("rror");
    String gcc = "gcc -w " + optimization + " -DSAFETY -DCOLLAPSE -DMEMLIM=4000 -o pan pan.c";
    run(List.of(gcc.split(" ")));
    return run(List.of("./pan", "-m1000000"));
  }

  private String run(List<String> command) throws IOException, InterruptedException {
    Path output = dir.resolve("output.txt");
    Process process =
        new ProcessBuilder(command)
            .directory(dir.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).as("%s ends", command).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String said = Files.readString(output);
    assertThat(process.exitValue()).as("%s: %s", command, said).isZero();
    return said;
  }

  private static String states(String found) {
    Matcher matcher = STATES.matcher(found);
    assertThat(matcher.find()).as(found).isTrue();
    return matcher.group(1);
  }
}
