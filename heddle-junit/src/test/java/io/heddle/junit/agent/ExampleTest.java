package io.heddle.junit.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import io.heddle.junit.SeedFailure;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** What docs/guide/testing.md shows is what happens. */
@Tag("jdks")
class ExampleTest {
  @Test
  void theExampleFailsAsTheDocsSay() {
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(request().selectors(selectClass(CounterExample.class)).build(), summary);
    Throwable failure = summary.getSummary().getFailures().getFirst().getException();
    System.out.println(failure.getMessage());
    assertThat(failure).isInstanceOf(SeedFailure.class);
    assertThat(failure.getMessage())
        .containsPattern("seed \\d+ \\(\\d+ of 1000 tried\\): expected: <2> but was: <1>")
        .contains("To run it again: -Dheddle.seed=");
  }
}
