package io.heddle.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.heddle.servers.ChildProgram.SchedulerChoice;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReportTest {
  @Test
  void reportComparesRunsWithoutTheAgentWatchedAndAdopted() throws Exception {
    assertCompares("small", "jdk", "watched_by_launcher", "adopted");
    assertCompares("hogs", "jdk", "adopted");
  }

  @Tag("full")
  @Test
  void reportComparesShortTasks() throws Exception {
    assertCompares("short", "jdk", "adopted");
  }

  private static void assertCompares(String load, String... unders) throws Exception {
    String[] args = {
      "servers=jdk",
      "rounds=1",
      "seconds=1",
      "warmup=0",
      "loads=" + load,
      "under=" + String.join(",", unders)
    };
    try (ChildProgram report =
        ChildProgram.start(SchedulerChoice.LIBRARY, List.of(), Report.class, args)) {
      assertThat(report.awaitEnd()).as(report::said).isZero();
      for (String under : unders) {
        assertThat(report.said())
            .contains("| jdk | " + load + " | " + under.replace('_', ' ') + " | ");
      }
    }
  }

  @Test
  void optionsHaveDefaults() {
    ReportOptions options = ReportOptions.parse("servers=tomcat,jetty", "rounds=7");
    assertThat(options.servers()).containsExactly(ServerKind.TOMCAT, ServerKind.JETTY);
    assertThat(options.unders()).containsExactly(SchedulerChoice.JDK, SchedulerChoice.ADOPTED);
    assertThat(options.rounds()).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "servers=nginx",
        "loads=heavy",
        "rounds=many",
        "rounds=0",
        "colour=red",
        "-h",
        "under=water"
      })
  void wrongArgumentIsRefusedWithWhatIsAllowed(String arg) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReportOptions.parse(arg))
        .withMessageContaining(arg)
        .withMessageContaining("servers=jetty,tomcat,spring,jdk")
        .withMessageContaining("loads=small,short,wait,rate,hogs");
  }
}
