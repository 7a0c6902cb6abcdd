package io.heddle.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.ContainerMXBean;
import org.junit.jupiter.api.Test;

/** The line of {@code heddle top} about the container. */
class TopViewTest {
  private record Container(double getCpus, long getMemoryBytes, double getThrottledSeconds)
      implements ContainerMXBean {
    @Override
    public long getThrottledPeriods() {
      return 1;
    }
  }

  @Test
  void limitsOfTheContainerAreShown() {
    assertThat(TopView.container(new Container(1.5, 512L << 20, 3.25)))
        .containsExactly("container: 1.5 CPUs, 512 MB; its CPUs stood still for 3.3 s");
    assertThat(TopView.container(new Container(0, 0, 0.1)))
        .containsExactly(
            "container: no CPU limit, no memory limit; its CPUs stood still for 0.1 s");
  }

  @Test
  void noLimitNeedsNoLine() {
    assertThat(TopView.container(new Container(0, 0, 0))).isEmpty();
  }
}
