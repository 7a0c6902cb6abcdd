package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Threads of Heddle are none of the program's: a program may wait until {@link Thread#activeCount}
 * falls.
 */
@HangGuard
@Tag("jdks")
class ActiveThreadsTest {
  @TempDir private Path dir;

  @Test
  void libraryAddsNoThreadToTheProgramsGroup() throws Exception {
    assertThat(ChildJvm.onClassPath().run("child.ActiveThreads").out().lines())
        .containsExactly("main");
  }

  @Test
  void traceAndDashboardAddNoThreadToTheProgramsGroup() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .flags("-Dheddle.trace=" + dir.resolve("t.bin"), "-Dheddle.schedtrace=1000")
            .flags("-Dheddle.dashboard=0", "-Dheddle.flight=" + dir.resolve("f.bin"))
            .run("child.ActiveThreads");
    assertThat(result.out().lines()).as(result.err()).containsExactly("main");
  }

  @Test
  void agentAddsNoThreadToTheProgramsGroup() throws Exception {
    ChildJvm.Result result = withAgent(ChildJvm.bare()).run("child.ActiveThreads");
    assertThat(result.out().lines()).as(result.err()).containsExactly("main");
  }

  /** Not even one that ends soon. */
  @Test
  void threadsThatPrepareSomethingAreNotInTheProgramsGroup() throws Exception {
    Path file = dir.resolve("starts.jfr");
    Path recorder = HeddleJar.agent("child.ThreadStarts").pack(dir.resolve("starts.jar"));
    ChildJvm child = ChildJvm.bare().flags("-Xlog:jfr*=off", "-javaagent:" + recorder + "=" + file);
    ChildJvm.Result result = withAgent(child).run("child.Mounted");
    assertThat(result.exitCode()).as(result.toString()).isZero();
    List<RecordedThread> ours =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals("jdk.ThreadStart"))
            .map(event -> event.getThread("thread"))
            .filter(thread -> thread != null && thread.getJavaName().startsWith("heddle-"))
            .toList();
    assertThat(ours)
        .extracting(RecordedThread::getJavaName)
        .contains("heddle-poller-start", "heddle-trial");
    assertThat(ours).allMatch(thread -> !thread.getThreadGroup().getName().equals("main"));
  }

  private ChildJvm withAgent(ChildJvm child) throws Exception {
    Path jar = HeddleJar.agentIn(dir);
    return child
        .flags("-javaagent:" + jar + "=adopt")
        .flags("-cp", ChildJvm.testClasses() + File.pathSeparator + jar);
  }
}
