package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The events that a flight recording of a program contains. Each program runs in a JVM of its own,
 * because a recording changes the whole JVM.
 */
@HangGuard
class FlightRecorderTest {
  private static final List<String> OFF =
      List.of("io.heddle.GoroutineStart", "io.heddle.GoroutineEnd", "io.heddle.GoroutineRun");

  @TempDir private Path dir;

  @Test
  void rareEventsAreOnByDefault() throws Exception {
    List<RecordedEvent> events = record("");

    assertThat(named(events, "io.heddle.HandOff"))
        .anySatisfy(
            event -> {
              assertThat(event.getString("scheduler")).isEqualTo("one");
              // A thread that is off its core at two looks of sysmon looks like one in native code.
              assertThat(event.getString("reason")).isIn("computing", "native");
              assertThat(event.getString("site")).contains("Recorded.hogUntil");
              assertThat(event.getLong("goroutine")).isPositive();
            });
    assertThat(named(events, "io.heddle.Deadlock"))
        .singleElement()
        .satisfies(
            event -> assertThat(event.getString("waits")).contains("\"main\" [chan receive]"));
    assertSeesTheLongWait(events);
    OFF.forEach(name -> assertThat(named(events, name)).isEmpty());
  }

  @Test
  void frequentEventsCanBeEnabled() throws Exception {
    List<RecordedEvent> events =
        record(OFF.stream().map(name -> ",+" + name + "#enabled=true").reduce("", String::concat));

    assertThat(named(events, "io.heddle.GoroutineStart"))
        .anyMatch(has("site", "Recorded.handsOffAndWaits"));
    assertThat(named(events, "io.heddle.GoroutineEnd")).hasSizeGreaterThanOrEqualTo(3);
    assertThat(named(events, "io.heddle.GoroutineRun"))
        .isNotEmpty()
        .allMatch(event -> event.getThread().getJavaName().startsWith("heddle-"));
  }

  @Test
  void recordingThatStartsLateHasTheEvents() throws Exception {
    Path file = dir.resolve("late.jfr");
    ChildJvm.Result result = ChildJvm.onClassPath().run("child.Recorded", file.toString());

    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertSeesTheLongWait(RecordingFile.readAllEvents(file));
  }

  private static void assertSeesTheLongWait(List<RecordedEvent> events) {
    assertThat(named(events, "io.heddle.LongWait"))
        .anySatisfy(
            event -> {
              assertThat(event.getString("reason")).isEqualTo("chan receive");
              assertThat(event.getDuration().toMillis()).isGreaterThanOrEqualTo(20);
              assertThat(event.getStackTrace().getFrames())
                  .anyMatch(frame -> frame.getMethod().getName().equals("handsOffAndWaits"));
            });
  }

  private List<RecordedEvent> record(String options) throws Exception {
    Path file = dir.resolve("recording.jfr");
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .flags("-XX:StartFlightRecording:filename=" + file + options)
            .run("child.Recorded");
    assertThat(result.exitCode()).as(result.toString()).isZero();
    return RecordingFile.readAllEvents(file);
  }

  private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
    return events.stream().filter(event -> event.getEventType().getName().equals(name)).toList();
  }

  private static Predicate<RecordedEvent> has(String field, String part) {
    return event -> Stream.ofNullable(event.getString(field)).anyMatch(text -> text.contains(part));
  }
}
