package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rule G4 as in Go: every goroutine waits in a Heddle primitive, and no foreign thread uses the
 * scheduler.
 */
@HangGuard
class AllAsleepTest {
  @SideBySide
  @ParameterizedTest
  @CsvSource({
    "receive, goroutine 1 \"main\" [chan receive]",
    "select, goroutine 1 \"main\" [select]",
    "mutex, goroutine 1 \"main\" [sync.Mutex.Lock]",
    "wait group, goroutine 1 \"main\" [sync.WaitGroup.Wait]",
    "group, goroutine 1 \"main\" [sync.WaitGroup.Wait]"
  })
  void g4_programWithAllGoroutinesAsleepIsReported(String program, String says) throws Exception {
    assertReported(program, says);
  }

  @Tag("full")
  @SideBySide
  @ParameterizedTest
  @CsvSource({
    "no cases, goroutine 1 \"main\" [select]",
    "join, \"sender\" [chan send]",
    "'read, then write', goroutine 1 \"main\" [sync.RWMutex.Lock]",
    "'write, then read', goroutine 1 \"main\" [sync.RWMutex.RLock]",
    "condition, goroutine 1 \"main\" [sync.Cond.Wait]",
    "semaphore, goroutine 1 \"main\" [semacquire]",
    "once, goroutine 1 \"main\" [sync.Mutex.Lock]",
    "full group, goroutine 1 \"main\" [semacquire]",
    "single flight, goroutine 1 \"main\" [sync.WaitGroup.Wait]"
  })
  void g4_programAsleepInAnyOtherWayIsReported(String program, String says) throws Exception {
    assertReported(program, says);
  }

  private static void assertReported(String program, String says) throws Exception {
    assertThat(run(program)).startsWith("deadlock!\nall goroutines are asleep\n").contains(says);
  }

  @SideBySide
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sleeper",
        "outside",
        "made outside",
        "external",
        "mutex in time",
        "mutex made outside"
      })
  void g4_programThatCanStillBeWokenIsNotReported(String program) throws Exception {
    assertThat(run(program)).isEqualTo("ended");
  }

  private static String run(String program) throws Exception {
    ChildJvm.Result result = ChildJvm.onClassPath().run("child.AllAsleep", program);
    assertThat(result.exitCode()).as(result.toString()).isZero();
    return result.out().strip();
  }
}
