package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.internal.base.InvalidSettingException;
import io.heddle.testkit.ChildJvm;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** System properties and environment variables: rule P2 and the other settings. */
@HangGuard
class SettingsTest {
  @Test
  void p2_defaultIsTheNumberOfCpus() {
    assertThat(Settings.PROCS.read()).isEqualTo(Runtime.getRuntime().availableProcessors());
  }

  @Test
  void p2_defaultIsTheNumberOfCpusOfTheJvm() throws Exception {
    assertProcs(3, ChildJvm.onClassPath().flags("-XX:ActiveProcessorCount=3"));
  }

  @Test
  void p2_systemPropertyOverridesTheDefault() throws Exception {
    assertProcs(5, ChildJvm.onClassPath().flags("-Dheddle.procs=5"));
  }

  @Test
  void p2_environmentVariableOverridesTheDefault() throws Exception {
    assertProcs(6, ChildJvm.onClassPath().env("HEDDLE_PROCS", "6"));
  }

  @Test
  void p2_systemPropertyPrecedesEnvironmentVariable() throws Exception {
    assertProcs(7, ChildJvm.onClassPath().flags("-Dheddle.procs=7").env("HEDDLE_PROCS", "6"));
  }

  @Test
  void p2_invalidEnvironmentVariableStatesTheLimit() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath().env("HEDDLE_PROCS", "many").run("child.PrintProcs");
    assertThat(result.exitCode()).isNotZero();
    assertThat(result.err())
        .contains("HEDDLE_PROCS is \"many\": allowed is a whole number from 1 to 1024");
  }

  @Test
  void p2_invalidPropertyStatesTheLimit() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath().flags("-Dheddle.procs=1025").run("child.PrintProcs");
    assertThat(result.exitCode()).isNotZero();
    assertThat(result.err()).contains("heddle.procs is 1025: allowed is 1 to 1024");
  }

  @Test
  void containerIsOnOrOff() throws Exception {
    assertProcs(
        3, ChildJvm.onClassPath().flags("-XX:ActiveProcessorCount=3", "-Dheddle.container=off"));
    ChildJvm.Result result =
        ChildJvm.onClassPath().env("HEDDLE_CONTAINER", "maybe").run("child.PrintProcs");
    assertThat(result.exitCode()).isNotZero();
    assertThat(result.err()).contains("HEDDLE_CONTAINER is \"maybe\": allowed is on or off");
  }

  @ParameterizedTest
  @CsvSource({"20ms, 20", "off, 0", "OFF, 0", "2s, 2000", "5, 5"})
  void overloadIsATimeOrOff(String value, long millis) {
    withProperty(
        "heddle.overload",
        value,
        () -> assertThat(Settings.overload()).isEqualTo(Duration.ofMillis(millis)));
  }

  @ParameterizedTest
  @CsvSource({"60s, 60", "OFF, 0", "1000, 1"})
  void leakCheckIsATimeOrOff(String value, long seconds) {
    withProperty(
        "heddle.leakcheck",
        value,
        () -> assertThat(Settings.leakCheck()).isEqualTo(Duration.ofSeconds(seconds)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "999ms", "86401s", "on", ""})
  void invalidLeakCheckIsRejected(String value) {
    withProperty(
        "heddle.leakcheck",
        value,
        () ->
            assertThatThrownBy(Settings::leakCheck)
                .isInstanceOf(InvalidSettingException.class)
                .hasMessage(
                    "heddle.leakcheck is \"%s\": allowed is off, or 1s to 86400s, as in 60s",
                    value));
  }

  @Test
  void invalidChoiceIsRejected() {
    withProperty("heddle.cputime", "often", () -> assertInvalid(Settings::exactCpuTime));
    withProperty("heddle.container", "maybe", () -> assertInvalid(Settings::followsContainer));
  }

  private static void assertInvalid(ThrowingCallable read) {
    assertThatThrownBy(read)
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("allowed is");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "999us", "61s", "on", ""})
  void invalidOverloadIsRejected(String value) {
    withProperty(
        "heddle.overload",
        value,
        () ->
            assertThatThrownBy(Settings::overload)
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("heddle.overload is ")
                .hasMessageContaining("allowed is"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1025", "two", "", "1.5", "99999999999"})
  void p2_invalidProcsValueIsRejected(String value) {
    withProperty(
        "heddle.procs",
        value,
        () ->
            assertThatThrownBy(Settings.PROCS::read)
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("heddle.procs is ")
                .hasMessageContaining(value)
                .hasMessageContaining("1 to 1024"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-7", "1000001", "all"})
  void invalidMaxThreadsValueIsRejected(String value) {
    withProperty(
        "heddle.maxthreads",
        value,
        () ->
            assertThatThrownBy(() -> Scheduler.builder().procs(1).build())
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("heddle.maxthreads is ")
                .hasMessageContaining(value)
                .hasMessageContaining("1 to 1000000"));
  }

  @ParameterizedTest
  @CsvSource({"10ms, 10000000", "500us, 500000", "2s, 2000000000", "3, 3000000", " 1 MS , 1000000"})
  void timeSliceIsParsed(String value, long nanos) {
    withProperty(
        "heddle.timeslice",
        value,
        () -> assertThat(Settings.timeSlice()).isEqualTo(Duration.ofNanos(nanos)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1ms", "soon", "3601s", "us", "", "1h"})
  void invalidTimeSliceIsRejected(String value) {
    withProperty(
        "heddle.timeslice",
        value,
        () ->
            assertThatThrownBy(Settings::timeSlice)
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("heddle.timeslice is ")
                .hasMessageContaining("allowed is 1"));
  }

  @Test
  void builderRejectsInvalidValues() {
    assertThatThrownBy(() -> Scheduler.builder().maxThreads(0))
        .hasMessage("maxThreads is 0: allowed is 1 to 1000000");
    assertThatThrownBy(() -> Scheduler.builder().timeSlice(Duration.ZERO))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("timeSlice is PT0S");
    assertThatThrownBy(() -> Scheduler.builder().timeSlice(null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> Scheduler.builder().name(null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> Scheduler.builder().uncaught(null))
        .isInstanceOf(NullPointerException.class);
  }

  private static void assertProcs(int expected, ChildJvm child) throws Exception {
    ChildJvm.Result result = child.run("child.PrintProcs");
    assertThat(result.out()).as(result.toString()).isEqualToIgnoringNewLines("procs " + expected);
  }

  private static void withProperty(String name, String value, Runnable test) {
    System.setProperty(name, value);
    try {
      test.run();
    } finally {
      System.clearProperty(name);
    }
  }
}
