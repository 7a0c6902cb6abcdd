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

/** {@code heddle trace}, as a user calls it. */
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
  void theSummaryIsWhatItShowsByItself() {
    Run run = Run.of("trace", file.toString());
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("events in", "sleep", "traced/P0", "Scheduling latency");
  }

  @Test
  void theCheckSaysThatAllIsLegal() {
    Run run = Run.of("trace", file.toString(), "--check");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("all legal");
  }

  @Test
  void thePageNeedsNothingElse() throws Exception {
    Path page = dir.resolve("t.html");
    assertThat(Run.of("trace", file.toString(), "--html", page.toString()).exitCode()).isZero();
    String html = Files.readString(page);
    assertThat(html)
        .contains("<canvas", "prefers-color-scheme: dark", "sleeper", "\"lanes\":[{\"name\":\"P0\"")
        .doesNotContain("http://", "https://", "src=", "</script><b>");
  }

  @Test
  void theJsonHasSlicesOnTheP() throws Exception {
    Path json = dir.resolve("t.json");
    assertThat(Run.of("trace", file.toString(), "--chrome", json.toString()).exitCode()).isZero();
    assertThat(Files.readString(json))
        .startsWith("{\"displayTimeUnit\"")
        .contains("\"ph\":\"X\"", "\"name\":\"P0\"", "sleeper")
        .endsWith("]}\n");
  }

  @Test
  void aFileThatIsCutOffIsShownWithANote() throws Exception {
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length - 9));
    Run run = Run.of("trace", file.toString());
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("note: the file ");
  }

  @Test
  void whatIsNoTraceIsAnError() throws Exception {
    Files.writeString(file, "hello");
    Run run = Run.of("trace", file.toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("is no trace of Heddle");
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    Run run = Run.of("trace", dir.resolve("none").toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("there is no file", "none");
  }
}
