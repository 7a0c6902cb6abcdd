package io.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of the JDK releases. */
@Tag("jdks")
class JdkReleaseTest {
  @Test
  void releaseOfThisProcessIsKnown() {
    assertThat(JdkRelease.current()).isSameAs(JdkRelease.of(Runtime.version().feature()));
    assertThat(JdkRelease.current().isKnown()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 24, 29, 99})
  void otherReleaseIsUnknown(int feature) {
    assertThat(JdkRelease.of(feature)).isSameAs(JdkRelease.UNKNOWN);
  }

  @ParameterizedTest
  @EnumSource
  void unknownReleaseHasNoFeature(JdkFeature feature) {
    assertThat(JdkRelease.UNKNOWN.has(feature)).isFalse();
    assertThatIllegalStateException()
        .isThrownBy(() -> JdkRelease.UNKNOWN.require(feature))
        .withMessageStartingWith(feature.title() + " needs JDK 25, 26, 27 or 28, and this is JDK ");
  }

  /** The VM of JDK 27 crashes when it meets a suspended thread. */
  @Test
  void onlyJdk25SuspendsThreads() {
    for (JdkRelease release : JdkRelease.values()) {
      assertThat(release.snapshots() == JdkRelease.Snapshots.OF_SUSPENDED)
          .isEqualTo(release == JdkRelease.JDK_25);
    }
  }

  @ParameterizedTest
  @EnumSource
  void lineThatFeatureIsOffNamesFeatureAndCause(JdkFeature feature) {
    assertThat(feature.offBecause("the cause"))
        .startsWith("heddle: " + feature.title() + " is off: the cause; ");
  }
}
