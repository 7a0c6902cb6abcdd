package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A stack overflow in the first operation of a kind does not break that operation for the rest of
 * the process.
 */
@HangGuard
class EarlyInitializationTest {
  @ParameterizedTest
  @ValueSource(strings = {"goroutine", "thread"})
  void operationsWorkAfterFirstUseAtTheEndOfTheStack(String user) throws Exception {
    ChildJvm.Result result = ChildJvm.onClassPath().run("child.FirstUseAtStackEnd", user);
    assertThat(result.out()).as(result.toString()).isEqualToIgnoringNewLines("broken: []");
  }
}
