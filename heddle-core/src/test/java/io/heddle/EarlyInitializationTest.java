package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A stack overflow in the first operation of a kind does not break that operation for the rest of
 * the process.
 */
@HangGuard
@Tag("jdks")
class EarlyInitializationTest {
  @ParameterizedTest
  @ValueSource(strings = {"goroutine", "thread"})
  void operationsWorkAfterFirstUseAtTheEndOfTheStack(String user) throws Exception {
    ChildJvm.Result result = ChildJvm.onClassPath().run("child.FirstUseAtStackEnd", user);
    assertThat(result.out()).as(result.toString()).isEqualToIgnoringNewLines("broken: []");
  }

  /**
   * The initializer of Chan waits for all other classes in the list. If one of these needed Chan,
   * two threads that begin with different classes could wait for each other for ever.
   */
  @Test
  void noListedClassButChanNeedsChan() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath().flags("-Xlog:class+init=info").run("child.InitializedButChan");

    assertThat(result.out())
        .contains("Initializing 'io/heddle/BackgroundContext'")
        .containsPattern("initialized: [1-9]")
        .doesNotContain("Initializing 'io/heddle/Chan'");
  }
}
