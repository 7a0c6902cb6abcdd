package io.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Go;
import io.heddle.Scheduler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code heddle trace}, as a user runs it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TraceCommandTest {
  @TempDir Path dir;
  private Path file;

  @BeforeEach
  void makeATrace() throws Exception {
    file = dir.resolve("t.trace");
    try (Scheduler scheduler = Scheduler.builder().name("traced").procs(1).build();
        var _ = scheduler.trace(file)) {
      scheduler.run(
          () -> Go.go("</script><b>sleeper", () -> Go.sleep(Duration.ofMillis(2))).join());
    }
  }

  @Test
  void summaryIsTheDefault() {
    Run run = Run.of("trace", file.toString());
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("events in", "sleep", "traced/P0", "Scheduling latency");
  }

  @Test
  void checkReportsThatAllEventsAreLegal() {
    Run run = Run.of("trace", file.toString(), "--check");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("all legal");
  }

  @Test
  void pageIsSelfContained() throws Exception {
    Path page = dir.resolve("t.html");
    assertThat(Run.of("trace", file.toString(), "--html", page.toString()).exitCode()).isZero();
    String html = Files.readString(page);
    assertThat(html)
        .contains("<canvas", "prefers-color-scheme: dark", "sleeper", "\"lanes\":[{\"name\":\"P0\"")
        .doesNotContain("http://", "https://", "src=", "</script><b>");
  }

  @Test
  void missingFolderOfAnOutputIsNamed() throws Exception {
    Path folder = dir.resolve("missing");
    for (String option : new String[] {"--html", "--chrome"}) {
      Run run = Run.of("trace", file.toString(), option, folder.resolve("x").toString());
      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.out()).isEmpty();
      assertThat(run.err()).contains(option + ": the folder '" + folder + "' does not exist");
    }
    Run onFolder = Run.of("trace", file.toString(), "--html", dir.toString());
    assertThat(onFolder.err()).contains("--html: '" + dir + "' is a folder");
  }

  @Test
  void jsonHasSlicesOnTheP() throws Exception {
    Path json = dir.resolve("t.json");
    assertThat(Run.of("trace", file.toString(), "--chrome", json.toString()).exitCode()).isZero();
    assertThat(Files.readString(json))
        .startsWith("{\"displayTimeUnit\"")
        .contains("\"ph\":\"X\"", "\"name\":\"P0\"", "sleeper")
        .endsWith("]}\n");
  }

  @Test
  void fromAndToSelectAPart() throws Exception {
    Path page = dir.resolve("part.html");
    String[] part = {"trace", file.toString(), "--from", "1ms", "--to", "1.5ms"};
    assertThat(Run.of(part).out())
        .contains("in 500.0 us, from 1.0 ms on", "TraceCommandTest.makeATrace");
    Run html = Run.of("trace", file.toString(), "--from", "1ms", "--html", page.toString());
    assertThat(html.exitCode()).isZero();
    assertThat(html.out()).containsPattern("wrote .*part.html \\([0-9]+ kB\\)");
    assertThat(Files.readString(page)).contains("{\"begin\":1000000,\"span\":");
  }

  @Test
  void partOutsideTheTraceIsAnError() {
    Run late = Run.of("trace", file.toString(), "--from", "1000s");
    assertThat(late.exitCode()).isOne();
    assertThat(late.err()).contains("the trace ends after", "it has nothing from 1000.00 s on");
    Run turned = Run.of("trace", file.toString(), "--from", "2ms", "--to", "1ms");
    assertThat(turned.exitCode()).isEqualTo(2);
    assertThat(turned.err()).contains("--from must be before --to");
    Run wrong = Run.of("trace", file.toString(), "--from", "2");
    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.err()).contains("'2' is not a time such as 1.25s");
  }

  @Test
  void truncatedFileIsShownWithANote() throws Exception {
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length - 9));
    Run run = Run.of("trace", file.toString());
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("note: the file ");
  }

  @Test
  void foreignFileIsAnError() throws Exception {
    Files.writeString(file, "hello");
    Run run = Run.of("trace", file.toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("is not a Heddle trace");
  }

  @Test
  void missingFileIsNamed() {
    Run run = Run.of("trace", dir.resolve("none").toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("there is no file", "none");
  }
}
