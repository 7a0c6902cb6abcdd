package io.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.HangGuard;
import io.heddle.Scheduler;
import io.heddle.internal.sched.Sched;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where the limits of adopted threads are counted. */
@HangGuard
class AdoptionPlanTest {
  @AfterEach
  @HangGuard
  void close() {
    Sched.all()
        .filter(sched -> sched.name().startsWith("plan-"))
        .forEach(sched -> ((Scheduler) sched.owner()).close());
  }

  @Test
  void limitIsCountedInTheSchedulersWhoseThreadsItLimits() {
    AdoptionPlan plan =
        new AdoptionPlan(
            Options.adopt("a-*:plan-a,b-*:plan-b,c-*:plan-c"), Options.limits("a-*:3,b-*:4,c-*:5"));
    assertThat(limits("plan-a")).as("no thread was made").isEmpty();
    assertThat(plan.choose("a-1")).isNotNull();
    assertThat(plan.choose("b-1")).isNotNull();
    assertThat(limits("plan-a")).isEqualTo("a-* 3;");
    assertThat(limits("plan-b")).isEqualTo("b-* 4;");
    assertThat(limits("plan-c")).isEmpty();
  }

  @Test
  void limitOfTheOnlySchedulerShowsFromTheStart() {
    AdoptionPlan _ = new AdoptionPlan(Options.adopt("a-*:plan-a"), Options.limits("a-*:3"));
    assertThat(limits("plan-a")).isEqualTo("a-* 3;");
  }

  private static String limits(String scheduler) {
    StringBuilder text = new StringBuilder();
    Sched.all()
        .filter(sched -> sched.name().equals(scheduler))
        .flatMap(sched -> sched.gates().counts().stream())
        .forEach(counts -> text.append(counts.name()).append(' ').append(counts.max()).append(';'));
    return text.toString();
  }
}
