package io.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code heddle watch} of a program in watch mode, and of one that is not. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WatchCommandTest {
  private static final String PROGRAM =
      "void main() throws Exception { IO.println(\"ready\"); System.in.read(); }";

  @TempDir private Path temporary;

  @Test
  void reportIsPrintedAndWritten() throws Exception {
    Fixture fixture = new Fixture(temporary);
    Path source = fixture.file("Waits.java", PROGRAM);
    Process process =
        fixture.start(
            List.of(Fixture.JAVA, "-javaagent:" + fixture.jar() + "=watch", source.toString()));
    try {
      assertThat(process.inputReader().readLine()).isEqualTo("ready");
      String pid = Long.toString(process.pid());
      Run text = Run.of("watch", pid);
      assertThat(text.err()).isEmpty();
      assertThat(text.out())
          .startsWith("heddle watch: the JDK's scheduler, ")
          .contains("  waits for a carrier: p50 ");
      Path page = fixture.folder.resolve("a.html");
      assertThat(Run.of("watch", pid, "--html", page.toString()).out())
          .isEqualTo("wrote " + page + "\n");
      assertThat(Files.readString(page)).startsWith("<!DOCTYPE html>").endsWith("</html>\n");
      assertThat(Run.of("watch", pid, "--html", "/no/such/a.html").exitCode()).isEqualTo(2);
    } finally {
      process.destroyForcibly();
    }
  }

  @Tag("full")
  @Test
  void programThatDoesNotWatchIsTold() throws Exception {
    Fixture fixture = new Fixture(temporary);
    fixture.file("Plain.java", PROGRAM);
    Process process = fixture.startProgram("Plain.java");
    try {
      assertThat(process.inputReader().readLine()).isEqualTo("ready");
      Run run = Run.of("watch", Long.toString(process.pid()));
      assertThat(run.exitCode()).isOne();
      assertThat(run.err()).contains("is a JVM without watch mode. -javaagent:heddle.jar=watch");
    } finally {
      process.destroyForcibly();
    }
  }
}
