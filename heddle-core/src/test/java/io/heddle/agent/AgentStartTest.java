package io.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.internal.base.InvalidSettingException;
import io.heddle.internal.jdk.JdkFeature;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Only an invalid setting stops the agent; any other failure of a feature turns off that feature.
 */
class AgentStartTest {
  private static final JdkFeature FEATURE = JdkFeature.WATCH; // which this JVM does not use
  private static final String STATUS = "feature." + FEATURE.title() + "=";

  @AfterEach
  void restore() {
    assertThat(AgentStart.start(FEATURE, () -> {})).isTrue();
    assertThat(status()).contains(STATUS + "on");
  }

  @Test
  void illegalArgumentInsideOfAFeatureTurnsItOff() {
    assertThat(
            AgentStart.start(
                FEATURE,
                () -> {
                  throw new IllegalArgumentException("a method of another JDK");
                }))
        .isFalse();
    assertThat(status()).contains(STATUS + "off: a method of another JDK");
  }

  @Test
  void invalidSettingIsThrown() {
    InvalidSettingException invalid = new InvalidSettingException("heddle.procs is 0");
    assertThatThrownBy(
            () ->
                AgentStart.start(
                    FEATURE,
                    () -> {
                      throw invalid;
                    }))
        .isSameAs(invalid);
  }

  private static String status() {
    return System.getProperty("io.heddle.status");
  }
}
