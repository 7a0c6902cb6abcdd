package io.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.heddle.internal.admit.Gate;
import io.heddle.internal.base.InvalidSettingException;
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

  @ParameterizedTest
  @ValueSource(strings = {"true", "false", "yes", "no", "on", "off", "1", "0", "all", "None"})
  void switchWordIsNoName(String word) {
    for (String option : List.of("adopt", "preempt")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Options.parse(option + "=" + word))
          .withMessageStartingWith(option + "=" + word + ": " + word + " is no name; allowed is")
          .withMessageContaining(option + " alone, or")
          .withMessageContaining("heddle." + option + "=true");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Options.parse("procs=2," + option + "=com.acme.*," + word));
    }
  }

  @Test
  void propertyMayBeTrueOrFalse() {
    assertThat(Options.adopt("true")).isEqualTo(Filter.ALL);
    assertThat(Options.adopt(" ALL ")).isEqualTo(Filter.ALL);
    assertThat(Options.adopt("")).isEqualTo(Filter.ALL);
    assertThat(Options.adopt("false")).isNull();
    assertThat(Options.preempt("none")).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"yes", "no", "on", "off", "1", "0", "true,web-*"})
  void otherSwitchWordsAreRefusedInProperties(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Options.adopt(text))
        .withMessageContaining("heddle.adopt=true");
  }

  @Test
  void patternsMayNameSchedulers() {
    Options options =
        Options.parse(
            "adopt=tomcat-*:web(procs=4,timeslice=5ms),kafka-*:ingest, b* : web ,procs=2");
    Filter adopt = options.adopt();
    assertThat(adopt.patterns()).containsExactly("tomcat-*", "kafka-*", "b*");
    Tenant web = new Tenant("web", List.of("procs=4", "timeslice=5ms"));
    assertThat(adopt.tenants())
        .isEqualTo(Map.of("tomcat-*", web, "kafka-*", new Tenant("ingest", List.of()), "b*", web));
    assertThat(adopt.coversMoreThanTenants()).isFalse();
    assertThat(adopt.describe("threads")).isEqualTo("tomcat-*:web,kafka-*:ingest,b*:web");
    assertThat(options.settings()).isEqualTo(Map.of("heddle.procs", "2"));
  }

  @Test
  void limitsHaveAPatternANumberAndAWait() {
    assertThat(Options.parse("limit=a-*:2,b:3(reject), c*:4(block,2s),adopt").limits())
        .containsExactly(
            new ThreadLimit(Filter.of("a-*"), 2, Gate.FOREVER),
            new ThreadLimit(Filter.of("b"), 3, 0),
            new ThreadLimit(Filter.of("c*"), 4, 2_000_000_000L));
    assertThat(Options.limits("a:1(block)"))
        .containsExactly(new ThreadLimit(Filter.of("a"), 1, Gate.FOREVER));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "adopt,limit",
        "adopt,limit=",
        "adopt,limit=job-*",
        "adopt,limit=job-*:0",
        "adopt,limit=job-*:x",
        "adopt,limit=job-*:3(block,5)",
        "adopt,limit=j*b:3",
        "adopt=job-*:",
        "adopt=job-*:jobs(",
        "adopt=job-*:jobs(procs=0)",
        "adopt=job-*:jobs(procs=x)",
        "adopt=job-*:jobs(colour=red)",
        "adopt=job-*:jobs(timeslice=5)",
        "adopt=job-*:jobs(background=yes)",
        "adopt=job-*:jobs(procs=1),x:jobs(procs=2)",
        "adopt=:jobs",
        "adopt=job-*:shared",
        "adopt=job-*:background(procs=1)"
      })
  void invalidSchedulerOrLimitIsRejected(String text) {
    assertThatExceptionOfType(InvalidSettingException.class)
        .isThrownBy(() -> Options.parse(text))
        .withMessageContaining("allowed");
  }
}
