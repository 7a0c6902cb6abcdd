package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import org.junit.jupiter.api.Test;

/** {@code heddle.deadlock=exit}: an uncaught deadlock ends the program as Go would. */
@HangGuard
class DeadlockExitTest {
  @Test
  void uncaughtDeadlockExitsWithTwoAndDump() throws Exception {
    ChildJvm.Result result = run("exit");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("fatal error: deadlock!\nall goroutines are asleep\n")
        .contains("\ngoroutine 1 \"main\" [chan receive]:\n\tat ", "created by child.Deadlocked");
  }

  @Test
  void caughtDeadlockDoesNotExit() throws Exception {
    ChildJvm.Result result = run("exit", "catch");
    assertThat(result.exitCode()).isOne();
    assertThat(result.err()).contains("something else").doesNotContain("deadlock");
  }

  @Test
  void throwSettingThrowsDeadlockException() throws Exception {
    ChildJvm.Result result = run("throw");
    assertThat(result.exitCode()).isOne();
    assertThat(result.err()).startsWith("Exception in thread \"main\" io.heddle.DeadlockException");
  }

  @Test
  void invalidValueIsAnError() throws Exception {
    assertThat(run("dump").err()).contains("heddle.deadlock is \"dump\": allowed is exit or throw");
  }

  private static ChildJvm.Result run(String setting, String... args) throws Exception {
    String[] main = new String[args.length + 1];
    main[0] = "child.Deadlocked";
    System.arraycopy(args, 0, main, 1, args.length);
    return ChildJvm.onClassPath().flags("-Dheddle.deadlock=" + setting).run(main);
  }
}
