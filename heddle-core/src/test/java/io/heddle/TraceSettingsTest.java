package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.testkit.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces that a program or a setting requests. The reader's tests check their contents. */
@HangGuard
class TraceSettingsTest {
  private static final String MAGIC = "HEDTRACE";

  @TempDir Path dir;

  @Test
  void schedulerIsTracedToOneFileAtATime() {
    Path first = dir.resolve("first.trace");
    Path second = dir.resolve("second.trace");
    try (Scheduler scheduler = Scheduler.builder().name("once").procs(1).build()) {
      Trace trace = scheduler.trace(first);
      assertThatThrownBy(() -> scheduler.trace(second))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("scheduler once is already traced, to " + first + ": close that trace first");
      trace.close();
      trace.close();
      scheduler.trace(second).close();
    }
    assertThat(second).isNotEmptyFile();
  }

  @Test
  void unwritableFileIsNamed() {
    Path file = dir.resolve("no/such/folder.trace");
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      assertThatThrownBy(() -> scheduler.trace(file))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining(file.toString());
      scheduler.trace(dir.resolve("other.trace")).close();
    }
  }

  @Test
  void closingTheSchedulerEndsTheTrace() throws Exception {
    Path file = dir.resolve("left.trace");
    Trace trace;
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      trace = scheduler.trace(file);
      scheduler.run(() -> {});
    }
    long size = Files.size(file);
    trace.close();
    assertThat(Files.size(file)).isEqualTo(size).isPositive();
  }

  @Test
  void flightNeedsTheSetting() {
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      assertThatThrownBy(() -> scheduler.flight(dir.resolve("x.trace")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("heddle.flight");
    }
  }

  @Test
  void propertyTracesAllSchedulersUntilTheProgramEnds() throws Exception {
    Path file = dir.resolve("all.trace");
    ChildJvm.Result result =
        ChildJvm.onClassPath().flags("-Dheddle.trace=" + file).run("child.Traced", "two");
    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertThat(read(file)).startsWith(MAGIC).contains("shared", "other", "here", "there");
  }

  @Test
  void environmentVariableTracesAllSchedulers() throws Exception {
    Path file = dir.resolve("all.trace");
    ChildJvm.onClassPath().env("HEDDLE_TRACE", file.toString()).run("child.Traced", "two");
    assertThat(read(file)).startsWith(MAGIC).contains("there");
  }

  @Test
  void killedProgramLeavesWhatWasWritten() throws Exception {
    Path file = dir.resolve("killed.trace");
    ChildJvm.Result result =
        ChildJvm.onClassPath().flags("-Dheddle.trace=" + file).run("child.Traced", "killed");
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(read(file)).startsWith(MAGIC).contains("child.Traced");
  }

  @Test
  void invalidSettingFailsAtTheStart() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .flags("-Dheddle.trace=" + dir.resolve("no/such/folder"))
            .run("child.Traced", "two");
    assertThat(result.exitCode()).isNotZero();
    assertThat(result.err()).contains("heddle.trace is \"", "cannot be written");
  }

  @Test
  void deadlockWritesTheLastSeconds() throws Exception {
    Path file = dir.resolve("flight.trace");
    ChildJvm.Result result =
        ChildJvm.onClassPath().flags("-Dheddle.flight=" + file).run("child.Traced", "deadlock");
    assertThat(result.exitCode()).isNotZero();
    assertThat(result.err()).contains("what led to it is in " + file);
    assertThat(read(file)).startsWith(MAGIC).contains("chan receive");
  }

  @Test
  void stallWritesTheLastSeconds() throws Exception {
    Path file = dir.resolve("flight.trace");
    ChildJvm.Result result =
        ChildJvm.onClassPath().flags("-Dheddle.flight=" + file).run("child.Traced", "stall");
    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertThat(result.err()).contains("does not run: what led to it is in " + file);
    assertThat(read(file)).startsWith(MAGIC).contains("victim");
  }

  @Test
  void flightWritesTheLastSeconds() throws Exception {
    Path file = dir.resolve("asked.trace");
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .flags("-Dheddle.flight=" + dir.resolve("flight.trace"))
            .run("child.Traced", "ask", file.toString());
    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertThat(read(file)).startsWith(MAGIC).contains("asked");
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }
}
