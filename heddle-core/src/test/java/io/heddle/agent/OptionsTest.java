package io.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {
  @Test
  void listEndsAtTheNextOption() {
    Options options =
        Options.parse("preempt=com.acme.*,org.lib.Solver,adopt=web-*,procs=4,trace=t");
    assertThat(options.preempt()).isEqualTo(new Filter(List.of("com.acme.*", "org.lib.Solver")));
    assertThat(options.adopt()).isEqualTo(new Filter(List.of("web-*")));
    assertThat(options.settings()).isEqualTo(Map.of("heddle.procs", "4", "heddle.trace", "t"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"preempt=com.acme.*,procs", "adopt,procs", "procs", "adopt=a.*, procs"})
  void settingWithoutValueIsNotAName(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Options.parse(text))
        .withMessageStartingWith(
            "the agent's option procs needs a value, as in procs=...: allowed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"preempt=procs", "preempt=adopt", "preempt=dashboard,com.acme.*"})
  void optionIsNotAName(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Options.parse(text))
        .withMessageContaining("is an option of the agent itself; allowed is the name of a class,");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Options.preempt(text.substring("preempt=".length())));
  }

  @Test
  void nameMayStartLikeAnOption() {
    assertThat(Options.parse("adopt=trace*").adopt()).isEqualTo(new Filter(List.of("trace*")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"colour=red", "adopt=", "adopt=a*b", "adopt=a,", "fast"})
  void invalidTextIsRejected(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Options.parse(text))
        .withMessageContaining("allowed");
  }
}
