package io.heddle.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.HangGuard;
import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Watch mode names the code that held the carriers, and changes nothing. */
@HangGuard
@Tag("jdks")
class WatchTest {
  private static final long MILLI = 1_000_000;
  private static final String[] ONE_CARRIER = {
    "-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1"
  };

  @TempDir private Path dir;

  @Test
  void plantedHogAndPinAreNamedWithTheirLines() throws Exception {
    Path page = dir.resolve("watch.html");
    ChildJvm.Result result =
        withAgent("=watch=5ms,watch.page=" + page).flags(ONE_CARRIER).run("child.Starved");
    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertThat(result.out()).contains("true", "carriers [ForkJoinPool]");
    assertThat(result.err())
        .startsWith("heddle watch: the JDK's scheduler, 1 carriers, for ")
        .containsPattern("computing at child.Starved.hog\\(Starved.java:\\d+\\)\n.*\"hog\"")
        .containsPattern(
            "pinned at child.Starved\\$SlowInit.waitUntilSeen\\(Starved.java:\\d+\\)\n")
        .containsPattern("at child.Starved\\$SlowInit.<clinit>\\(Starved.java:\\d+\\)\n")
        .containsPattern("no carrier was free for more than 5.0 ms: ([1-9]|once)")
        .containsPattern("\\d+ × victim-\\*, one for at least ");
    assertThat(Files.readString(page))
        .contains(
            "child.Starved.hog(Starved.java:", "child.Starved$SlowInit.&lt;clinit&gt;", "victim-*");
  }

  @Test
  void flightRecorderAndJmxHaveTheStarvations() throws Exception {
    Path file = dir.resolve("watch.jfr");
    ChildJvm.Result result =
        withAgent("=watch=5ms")
            .flags(ONE_CARRIER)
            .flags("-XX:StartFlightRecording:filename=" + file)
            .run("child.Starved");
    assertThat(result.exitCode()).as(result.toString()).isZero();
    List<RecordedEvent> starvations =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals("io.heddle.Starvation"))
            .toList();
    assertThat(starvations).allMatch(event -> event.getDuration("time").toNanos() >= 5 * MILLI);
    assertThat(starvations)
        .as("on a busy machine other code may have held the carrier longest")
        .anyMatch(
            event ->
                Set.of("computing", "pinned", "native").contains(event.getString("kind"))
                    && event.getString("site").startsWith("child.Starved")
                    && event.getLong("queued") > 0);
    assertThat(result.out())
        .containsPattern("starved [0-9.]*[1-9]")
        .containsPattern("held \\[[0-9.E-]*[1-9][0-9.E-]*, [0-9.E-]+, [0-9.E-]*[1-9][0-9.E-]*]")
        .containsPattern("waits \\[[1-9]");
  }

  @ParameterizedTest
  @CsvSource({
    "=watch=0ms, 'heddle: watch is \"0ms\": allowed is 1ms to 1000ms'",
    "=watch=often, 'heddle: watch is \"often\": allowed is 1ms to 1000ms'",
    "'=watch,adopt', 'heddle: the agent''s option watch observes the JDK''s scheduler, so it"
        + " excludes adopt'",
  })
  void wrongOptionIsToldAndTheProgramRuns(String options, String message) throws Exception {
    ChildJvm.Result result = withAgent(options).run("child.Hello", "twice");
    assertThat(result.err()).startsWith(message);
    assertThat(result.exitCode()).isZero();
  }

  @Test
  void longWaitCountsForThoseThatItHid() {
    WaitHistogram waits = new WaitHistogram();
    for (int i = 0; i < 900; i++) {
      waits.record(20_000, 10 * MILLI);
    }
    waits.record(1_000 * MILLI, 10 * MILLI); // one question, in the time of a hundred
    assertThat(waits.total()).isEqualTo(1_000);
    assertThat(waits.percentile(0.5)).isBetween(20_000L, 25_000L);
    assertThat(waits.percentile(0.95)).isBetween(500 * MILLI, 640 * MILLI);
    assertThat(waits.percentile(1)).isEqualTo(1_000 * MILLI);
    assertThat(waits.longest()).isEqualTo(1_000 * MILLI);
    assertThat(new WaitHistogram().percentile(0.99)).isZero();
    Map<String, Long> upTo = waits.reading().cumulative();
    assertThat(upTo).hasSize(23).containsEntry("0.00002", 900L).containsEntry("+Inf", 1_000L);
    assertThat(upTo.get("0.1")).isBetween(909L, 911L);
    assertThat(waits.reading().totalNanos()).isEqualTo(900 * 20_000L + 10 * MILLI * 100 * 101 / 2);
  }

  @ParameterizedTest
  @CsvSource({
    "RUNNABLE, false, false, computing",
    "RUNNABLE, false, true, native",
    "RUNNABLE, true, false, native",
    "WAITING, true, false, pinned",
    "TIMED_WAITING, false, true, pinned",
    "BLOCKED, false, false, pinned",
  })
  void holdIsClassified(Thread.State state, boolean isBlocked, boolean isNative, String kind) {
    StackTraceElement[] stack = {
      frame("java.base", "java.io.FileInputStream", "read", isNative ? -2 : 3),
      frame(null, "com.acme.Report", "render", 88)
    };
    CarrierHold hold = CarrierHold.of("t", state, isBlocked, stack);
    assertThat(hold.kind().word).isEqualTo(kind);
    assertThat(hold.place()).isEqualTo("com.acme.Report.render(Report.java:88)");
  }

  /** A process that its container has stopped must not look as if its carriers were blocked. */
  @Test
  void carrierIsBlockedAfterSeveralLooksWithoutCpuTime() {
    CarrierIdleness idleness = new CarrierIdleness();
    assertThat(idleness.isBlocked(1, 700, 0)).isFalse();
    assertThat(idleness.isBlocked(1, 700, 95 * MILLI)).as("stopped for 95 ms").isFalse();
    assertThat(idleness.isBlocked(1, 705, 100 * MILLI)).isFalse();
    assertThat(idleness.isBlocked(2, 705, 100 * MILLI)).as("another carrier").isFalse();
    assertThat(idleness.isBlocked(1, 705, 110 * MILLI)).isFalse();
    assertThat(idleness.isBlocked(1, 705, 120 * MILLI)).isFalse();
    assertThat(idleness.isBlocked(1, 705, 130 * MILLI)).as("30 ms").isFalse();
    assertThat(idleness.isBlocked(1, 705, 151 * MILLI)).isTrue();
    assertThat(idleness.isBlocked(1, 706, 160 * MILLI)).as("continues").isFalse();
    for (int i = 0; i < 9; i++) {
      assertThat(idleness.isBlocked(3, -1, i * 100 * MILLI)).as("not known").isFalse();
    }
  }

  /** On a machine without a free CPU an idle program must not look as if its code starved it. */
  @ParameterizedTest
  @CsvSource({
    // late, samples as holds/carriers/queued, starvation
    "false, '', true",
    "true, '', false",
    "false, 2/2/0, true",
    "true, 2/2/0, true",
    "false, 0/2/0, false",
    "true, 0/2/0, false",
    "false, 1/2/0, false",
    "false, 1/2/3, true",
    "false, 0/2/3, false",
    "true, 0/2/0 2/2/0, true",
    "false, 0/2/0 1/2/0, false",
  })
  void waitWithAnIdleCarrierIsNoStarvation(boolean late, String samples, boolean starvation) {
    OpenWait wait = new OpenWait();
    for (int round = 0; round < 2; round++) {
      if (late) {
        wait.late();
      }
      for (String sample : samples.isEmpty() ? new String[0] : samples.split(" ")) {
        String[] figures = sample.split("/");
        boolean all =
            wait.sampled(
                Integer.parseInt(figures[0]),
                Integer.parseInt(figures[1]),
                Long.parseLong(figures[2]));
        assertThat(all).isEqualTo(sample.matches("2/2/0|1/2/3"));
      }
      assertThat(wait.isStarvation()).isEqualTo(starvation);
      wait.reset();
    }
    assertThat(wait.isStarvation()).isTrue();
  }

  @Test
  void namesAreGroupedWithoutTheirNumbers() {
    assertThat(CarrierWatch.groupOf("tomcat-handler-17")).isEqualTo("tomcat-handler-*");
    assertThat(CarrierWatch.groupOf("")).isEqualTo("(no name)");
  }

  @Test
  void textAndPageShowTheReport() {
    WatchReport report =
        new WatchReport(
            723_000 * MILLI,
            10 * MILLI,
            4,
            new WatchReport.Waits(
                72_000,
                31_000,
                80_000,
                112 * MILLI,
                840 * MILLI,
                1_210 * MILLI,
                List.of(10L, 71_000L, 500L, 90L, 300L, 99L, 1L),
                new WaitHistogram().reading()),
            14,
            3_200 * MILLI,
            57,
            2,
            List.of(
                new WatchReport.HeldPlace(
                    "computing",
                    "com.acme.<X>.run(X.java:8)",
                    2_100 * MILLI,
                    210,
                    "tomcat-handler-12",
                    List.of(frame(null, "com.acme.<X>", "run", 8))),
                new WatchReport.HeldPlace(
                    "pinned", "com.acme.Y.<clinit>(Y.java:3)", 1_100 * MILLI, 110, "", List.of())),
            List.of(new WatchReport.WaitingThreads("tomcat-handler-*", 57, 1_200 * MILLI)));
    assertThat(WatchText.of(report))
        .isEqualTo(
            """
            heddle watch: the JDK's scheduler, 4 carriers, for 12 min 3 s, asked every 10 ms; 2 looks came late: the machine or the JVM stood still
              waits for a carrier: p50 31 µs, p90 80 µs, p99 112 ms, p99.9 840 ms, longest 1.2 s
              no carrier was free for more than 10 ms: 14 times, 3.2 s in all (0.44 % of the time); up to 57 threads waited
              what held the carriers meanwhile:
                2.1 s (66 %) computing at com.acme.<X>.run(X.java:8)
                  thread "tomcat-handler-12", in 210 samples
                    at com.acme.<X>.run(<X>.java:8)
                1.1 s (34 %) pinned at com.acme.Y.<clinit>(Y.java:3)
                  a thread without a name, in 110 samples
              which threads waited:
                57 × tomcat-handler-*, one for at least 1.2 s
              -javaagent:heddle.jar=adopt instead of =watch lets the others run meanwhile
            """);
    assertThat(WatchPage.of(report))
        .contains("com.acme.&lt;X&gt;.run(X.java:8)", "tomcat-handler-*", "<b>112 ms</b>", "heddle.jar=adopt")
        .contains("class=\"kind pinned\"")
        .doesNotContain("<X>");
  }

  private static StackTraceElement frame(String module, String type, String method, int line) {
    String file = type.substring(type.lastIndexOf('.') + 1) + ".java";
    return new StackTraceElement(null, module, null, type, method, file, line);
  }

  private ChildJvm withAgent(String options) throws Exception {
    Path jar = HeddleJar.agentIn(dir);
    return ChildJvm.bare()
        .flags("-javaagent:" + jar + options)
        .flags("-cp", jar + File.pathSeparator + ChildJvm.testClasses());
  }
}
