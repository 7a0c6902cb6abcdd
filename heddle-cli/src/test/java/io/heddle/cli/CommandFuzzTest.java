package io.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random command lines: each one ends with a documented exit code, and with a message if it failed;
 * never with a stack trace. {@code -Dheddle.fuzz.times} runs more cases, {@code -Dheddle.fuzz.seed}
 * repeats a run.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CommandFuzzTest {
  private static final int CASES = 200 * Integer.getInteger("heddle.fuzz.times", 1);
  private static final long SEED = Long.getLong("heddle.fuzz.seed", System.nanoTime());

  private static final String[] ODD = {
    "",
    " ",
    "-",
    "--",
    "---",
    "-x",
    "--nope",
    "--procs",
    "--procs=",
    "--procs=0",
    "--procs=x",
    "--procs=1025",
    "--adopt",
    "--no-adopt",
    "--adopt=maybe",
    "--trace",
    "--trace=",
    "--schedtrace=-1",
    "--dashboard",
    "--dashboard=99999",
    "--preempt=",
    "-J",
    "-J-Xmx1g",
    "-cp",
    "--quick",
    "--only",
    "--only=",
    "--once",
    "--interval=0",
    "--interval",
    "--all",
    "--summary",
    "--check",
    "--chrome",
    "--html",
    "--help",
    "--version",
    "-h",
    "-V",
    "@",
    "@nowhere",
    "@@x",
    "\0",
    "a\0b",
    "\n",
    "ü",
    "🧵",
    "\ud800",
    "99999999",
    "-1",
    "9223372036854775808",
    "NaN",
    "nowhere.java",
    "nowhere.jar",
    "bash",
    "zsh",
    "fish",
    "x".repeat(3_000),
    "%s",
    "%n%d",
    "${user.home}",
    "'",
    "\"",
    "/",
    "/dev/null",
    ".",
    "run",
    "trace"
  };

  @TempDir private Path dir;
  private String[] files;

  @BeforeEach
  void write() throws Exception {
    files =
        new String[] {
          dir.toString(),
          file("empty.trace", ""),
          file("bad.trace", "HEDTRACE\u0001\u0000\u0000garbage"),
          file("bad.jar", "no jar"),
          file("bad.java", "no java"),
          file("args", "--procs 0 'x"),
          dir + "/nowhere/out.html"
        };
    System.out.println("CommandFuzzTest: " + CASES + " cases, -Dheddle.fuzz.seed=" + SEED);
  }

  private String file(String name, String text) throws Exception {
    return Files.writeString(dir.resolve(name), text).toString();
  }

  @Test
  void everyCommandLineEndsWithACodeAndAMessage() {
    int[] codes = new int[3];
    for (int i = 0; i < CASES; i++) {
      codes[check(i, arguments(new Random(SEED + i)))]++;
    }
    assertThat(codes[2]).as("refused").isPositive();
  }

  /** Found by this test. */
  @Test
  void wrongPortIsReportedPlainly() {
    Run run = Run.of("run", "--print-command", "--dashboard=99999", files[4]);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .startsWith(
            "heddle: Invalid value for option '--dashboard' (PORT): '99999' is not a whole number"
                + " from 0 to 65535\n");
  }

  /** Found by this test. */
  @Test
  void impossibleFileNameIsReportedPlainly() {
    Run run = Run.of("trace", "\0");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("no file can have this name").doesNotContain("Exception");
  }

  /**
   * Generates only command lines that start no program: a command that would gets a wrong argument,
   * or only prints its command line.
   */
  private List<String> arguments(Random random) {
    List<String> args = new ArrayList<>();
    switch (random.nextInt(8)) {
      case 0 -> args.addAll(List.of("run", "--print-command"));
      case 1 -> args.addAll(List.of("demo", "--goroutines=-1"));
      case 2 -> args.addAll(List.of("lab", "--only=nothing"));
      case 3 -> args.add("dump");
      case 4 -> args.add("top");
      case 5 -> args.add("completion");
      case 6 -> args.add(random.nextBoolean() ? "help" : "nope");
      default -> args.add("trace");
    }
    for (int n = random.nextInt(5); n > 0; n--) {
      String[] from = random.nextInt(3) == 0 ? files : ODD;
      args.add(from[random.nextInt(from.length)]);
    }
    if (random.nextInt(6) == 0) {
      args.add("@" + files[random.nextInt(files.length)]);
    }
    return args;
  }

  private static int check(int number, List<String> args) {
    String which = "seed %d, case %d: %s".formatted(SEED, number, args);
    Run run;
    try {
      run = Run.of(args.toArray(String[]::new));
    } catch (RuntimeException e) {
      throw new AssertionError(which + ": " + e, e);
    }
    assertThat(run.exitCode()).as(which).isBetween(0, 2);
    assertThat(run.err()).as(which).doesNotContain("\tat ", "Exception");
    assertThat(run.out()).as(which).doesNotContain("\tat ", "Exception");
    if (run.exitCode() == 2) {
      assertThat(run.err())
          .as(which)
          .startsWith("heddle: ")
          .contains("--help' lists what is allowed");
    }
    if (run.exitCode() == 1) {
      assertThat(run.err() + run.out()).as(which).isNotBlank();
    }
    return run.exitCode();
  }
}
