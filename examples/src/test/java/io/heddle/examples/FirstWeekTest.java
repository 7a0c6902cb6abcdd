package io.heddle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script first-week.sh shows what the page docs/guide/first-week.md says. */
@DisabledOnOs(OS.WINDOWS) // a shell script
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FirstWeekTest {
  private static final Path SCRIPT = Path.of("first-week.sh").toAbsolutePath();
  private static final Path PAGE = Path.of("..", "docs", "guide", "first-week.md");

  @TempDir private Path dir;

  @Tag("full")
  @Test
  void weekGoesAsThePageSays() throws Exception {
    Path said = dir.resolve("said");
    ProcessBuilder builder =
        ChildJvm.bare()
            .builder()
            .command("sh", SCRIPT.toString(), heddle().toString(), agent().toString())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    Path commands = Path.of(ChildJvm.java()).getParent(); // java and javac of this JDK
    builder.environment().merge("PATH", commands.toString(), (path, bin) -> bin + ":" + path);
    Process script = builder.start();
    boolean ended = script.waitFor(280, TimeUnit.SECONDS);
    if (!ended) {
      script.destroy(); // its trap ends the service
      script.waitFor();
    }
    String out = Files.readString(said);
    assertThat(ended).as(out).isTrue();
    assertThat(script.exitValue()).as(out).isZero();
    String[] days = out.split("== [A-Z][a-z]+day: ");
    assertThat(days).as(out).hasSize(4);
    assertThat(words(days[1]))
        .contains("hello from VirtualThread[", "ForkJoinPool-1-worker")
        .contains("computing at Shop.report(Shop.java:" + line("for (; ENOUGH"))
        .contains("pinned at Shop$Codec.load(Shop.java:" + line("ENOUGH.await"))
        .contains("is on: watch, observes the JDK's scheduler and changes nothing");
    assertThat(words(days[2]))
        .contains("@heddle-shared-M")
        .contains("answered while the report computed and the codec was pinned: yes")
        .contains("is on: agent, adopts all threads, procs=2")
        .contains("the faults end");
    assertThat(words(days[3]))
        .contains("ForkJoinPool-1-worker")
        .contains("is off, HEDDLE=off: virtual threads and goroutines run on the JDK's scheduler")
        .contains("the week went as the page says");
  }

  /** Each line that the page asks the reader to type is a line of the script. */
  @Test
  void pageAndScriptHaveTheSameCommands() throws Exception {
    String script = Files.readString(SCRIPT).replace("$work/", "").replace("\"", "");
    List<String> commands =
        Files.readString(PAGE)
            .lines()
            .dropWhile(line -> !line.equals("## The steps"))
            .filter(line -> line.startsWith("$ "))
            .map(line -> line.substring(2).replace("\"", ""))
            .toList();
    assertThat(commands).hasSizeGreaterThan(5);
    assertThat(commands).allSatisfy(command -> assertThat(script).contains(command));
  }

  /** The command, from the classes that Maven has compiled. */
  private Path heddle() throws IOException {
    String words =
        "#!/bin/sh\nexec '%s' -cp '%s' io.heddle.cli.Heddle \"$@\"\n"
            .formatted(ChildJvm.java(), System.getProperty("java.class.path"));
    Path command = Files.writeString(dir.resolve("heddle"), words);
    return Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwx------"));
  }

  private Path agent() throws IOException {
    return HeddleJar.agentIn(dir);
  }

  /** The number of the only line of the service that contains {@code text}. */
  private static int line(String text) throws IOException {
    List<String> lines = Files.readAllLines(Example.SOURCES.resolve("Shop.java"));
    return 1 + lines.indexOf(lines.stream().filter(each -> each.contains(text)).findFirst().get());
  }

  /** Without the line breaks of the report. */
  private static String words(String text) {
    return text.replaceAll("\\s+", " ");
  }
}
