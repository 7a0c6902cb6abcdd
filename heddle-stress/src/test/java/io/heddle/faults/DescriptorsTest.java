package io.heddle.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Descriptors run out, with the JDK's pollers and with Heddle's. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DescriptorsTest {
  @TempDir private Path dir;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void callerIsToldAndAllGoesOnWhenThereAreSomeAgain(boolean withAgent) throws Exception {
    Path jar = HeddleJar.agentIn(dir); // loading a class from a directory takes a descriptor
    String flag = withAgent ? "-javaagent:" + jar : ChildJvm.OPENS;
    ChildJvm.Result result =
        FaultyJvm.in(dir)
            .limits("ulimit -n 100")
            .flags(flag, "-cp", FaultyJvm.classPath(jar))
            .run(FewDescriptors.class);
    String all = result.out() + result.err();
    assertThat(result.exitCode()).as(all).isZero();
    assertThat(result.out().lines().toList())
        .as(all)
        .contains("first wait 7", "second wait 8", "echoes", "closed")
        .containsAll(List.of("connect: Too many open files", "accept: Too many open files"));
    Matcher polls = Pattern.compile("polls (\\d+)").matcher(result.out());
    assertThat(polls.find()).isTrue();
    assertThat(Integer.parseInt(polls.group(1))).as("no thread spins").isLessThan(10_000);
  }
}
