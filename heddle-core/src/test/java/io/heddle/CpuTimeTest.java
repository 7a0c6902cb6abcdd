package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.internal.sched.G;
import java.time.Duration;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** CPU time per goroutine, by creation site and by label, sampled and exact. */
@HangGuard
class CpuTimeTest {
  private static final Duration ENOUGH = Duration.ofMillis(300);

  @AfterEach
  void sampleAgain() {
    System.clearProperty("heddle.cputime");
  }

  @Test
  void samplesChargeTheGoroutineThatComputes() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
      Chan<Integer> never = Chan.make();
      List<Goroutine> waiters = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        waiters.add(scheduler.go(() -> never.receive()));
      }
      Goroutine hog =
          scheduler.go(() -> Go.label("work", "hog", () -> spinUntil(Go.current(), ENOUGH)));
      hog.join();
      assertThat(hog.cpuTime()).isGreaterThanOrEqualTo(ENOUGH);
      waiters.forEach(w -> assertThat(w.cpuTime()).isLessThan(ENOUGH.dividedBy(2)));
      CpuUsage usage = scheduler.cpuUsage();
      assertThat(usage.exact()).isFalse();
      assertThat(usage.bySite().getFirst().by()).contains("CpuTimeTest.samplesCharge");
      assertThat(usage.byLabel()).hasSize(1);
      assertThat(usage.byLabel().getFirst().by()).isEqualTo("work=hog");
      assertThat(usage.byLabel().getFirst().nanos()).isGreaterThan(ENOUGH.toNanos() / 2);
      assertThat(scheduler.dump())
          .contains("\nCPU time by creation site, sampled:\n")
          .contains("\nCPU time by label, sampled:\n")
          .containsPattern("0\\.\\d{3} s  work=hog");
      never.close();
    }
  }

  @Test
  void exactRunEndsAlthoughThereIsNoMemoryToChargeIt() throws Exception {
    try (Scheduler scheduler = exact(1)) {
      Goroutine g =
          scheduler.go(
              () -> {
                ((G) Go.current()).label(new NoMemory());
                for (int i = 0; i < 100; i++) {
                  Go.gosched();
                }
              });
      g.join();
      assertThat(scheduler.stats().finished()).isEqualTo(1);
    }
  }

  /** Labels for which no total can be made. */
  private static final class NoMemory extends AbstractMap<String, String> {
    @Override
    public Set<Entry<String, String>> entrySet() {
      return Set.of();
    }

    @Override
    public boolean equals(Object o) {
      return o == this;
    }

    @Override
    public int hashCode() {
      throw new OutOfMemoryError("thrown by this test");
    }
  }

  @Test
  void exactTimesMissNoShortGoroutine() throws Exception {
    try (Scheduler scheduler = exact(2)) {
      Duration each = Duration.ofMillis(2);
      List<Goroutine> short_ = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        Goroutine g = scheduler.go(() -> spinUntil(Go.current(), each));
        short_.add(g);
        g.join();
      }
      short_.forEach(g -> assertThat(g.cpuTime()).isGreaterThanOrEqualTo(each));
      long sum = short_.stream().mapToLong(g -> g.cpuTime().toNanos()).sum();
      CpuUsage usage = scheduler.cpuUsage();
      assertThat(usage.exact()).isTrue();
      CpuUsage.Share share =
          usage.bySite().stream()
              .filter(s -> s.by().contains("exactTimes"))
              .findAny()
              .orElseThrow();
      assertThat(share.nanos()).isEqualTo(sum);
    }
  }

  @Test
  void exactTimeOfARunningGoroutineNeverGoesBack() throws Exception {
    try (Scheduler scheduler = exact(2)) {
      AtomicBoolean stop = new AtomicBoolean();
      Goroutine g =
          scheduler.go(
              () -> {
                while (!stop.get()) {
                  spinUntil(Go.current(), Go.current().cpuTime().plusMillis(5));
                  Go.gosched();
                }
              });
      try {
        assertNeverGoesBack(g);
      } finally {
        stop.set(true);
      }
      g.join();
    }
  }

  private static void assertNeverGoesBack(Goroutine g) {
    long last = 0;
    while (last < ENOUGH.toNanos()) {
      long now = g.cpuTime().toNanos();
      assertThat(now).isGreaterThanOrEqualTo(last);
      last = now;
    }
  }

  @Test
  void exactTimeIsSplitWhereTheLabelChanges() throws Exception {
    try (Scheduler scheduler = exact(1)) {
      Goroutine g =
          scheduler.go(
              () -> {
                Go.label("part", "a", () -> spinUntil(Go.current(), Duration.ofMillis(20)));
                Go.label("part", "b", () -> spinUntil(Go.current(), Duration.ofMillis(60)));
              });
      g.join();
      Map<String, Long> byLabel = new java.util.HashMap<>();
      scheduler.cpuUsage().byLabel().forEach(share -> byLabel.put(share.by(), share.nanos()));
      assertThat(byLabel).containsOnlyKeys("part=a", "part=b");
      assertThat(byLabel.get("part=a") + byLabel.get("part=b"))
          .isLessThanOrEqualTo(g.cpuTime().toNanos())
          .isGreaterThan(Duration.ofMillis(50).toNanos());
      assertThat(byLabel.get("part=b")).isGreaterThan(byLabel.get("part=a"));
    }
  }

  @Test
  void labelsAreInheritedAndEndWithTheTask() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().build()) {
      List<Map<String, String>> seen = new ArrayList<>();
      scheduler.run(
          () -> {
            Go.label(
                "tenant",
                "acme",
                () -> {
                  seen.add(Go.current().labels());
                  Go.label("op", "read", () -> seen.add(labelsOfNewGoroutine()));
                  Go.label("tenant", "other", () -> seen.add(labelsOfNewThread()));
                  seen.add(scheduler.executor().submit(() -> Go.current().labels()).get());
                });
            seen.add(Go.current().labels());
          });
      assertThat(seen)
          .containsExactly(
              Map.of("tenant", "acme"),
              Map.of("op", "read", "tenant", "acme"),
              Map.of("tenant", "other"),
              Map.of("tenant", "acme"),
              Map.of());
    }
  }

  @Test
  void labelsOfAPlatformThreadAreInherited() throws Exception {
    AtomicReference<Map<String, String>> seen = new AtomicReference<>();
    Go.label(
        "a",
        "1",
        () -> Go.label("b", "2", () -> Go.go(() -> seen.set(Go.current().labels())).join()));
    assertThat(seen.get()).containsExactly(Map.entry("a", "1"), Map.entry("b", "2"));
    Go.go(() -> seen.set(Go.current().labels())).join();
    assertThat(seen.get()).isEmpty();
  }

  @Test
  void aLabelEndsWhenItsTaskThrows() throws Exception {
    AtomicReference<Map<String, String>> seen = new AtomicReference<>();
    Go.go(
            () -> {
              assertThatThrownBy(() -> Go.label("a", "1", () -> fail())).hasMessage("wanted");
              seen.set(Go.current().labels());
            })
        .join();
    assertThat(seen.get()).isEmpty();
  }

  @Test
  void wrongLabelsAreRefused() {
    assertThatThrownBy(() -> Go.label("a=b", "1", () -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"a=b\"");
    assertThatThrownBy(() -> Go.label(" ", "1", () -> {})).hasMessageContaining("blank");
    assertThatThrownBy(() -> Go.label("a", "1\n2", () -> {}))
        .hasMessageContaining("the value of label a");
    assertThatThrownBy(() -> Go.label("a", "x".repeat(201), () -> {}))
        .hasMessageContaining("201 characters: allowed are at most 200");
  }

  @Test
  void wrongSettingIsRefused() {
    System.setProperty("heddle.cputime", "yes");
    assertThatThrownBy(() -> Scheduler.builder().build())
        .hasMessage("heddle.cputime is \"yes\": allowed is exact or sampled");
  }

  @Test
  void labelsOfManyValuesAreCountedTogether() throws Exception {
    try (Scheduler scheduler = exact(1)) {
      for (int i = 0; i < 1_500; i++) {
        String value = "n" + i;
        scheduler.go(() -> Go.label("request", value, () -> Go.gosched())).join();
      }
      CpuUsage usage = scheduler.cpuUsage();
      assertThat(usage.bySite()).anyMatch(share -> share.by().equals("(other)"));
      assertThat(usage.byLabel()).hasSize(100);
    }
  }

  private static Scheduler exact(int procs) {
    System.setProperty("heddle.cputime", "exact");
    return Scheduler.builder().procs(procs).build();
  }

  private static void fail() {
    throw new IllegalStateException("wanted");
  }

  private static Map<String, String> labelsOfNewGoroutine() throws InterruptedException {
    AtomicReference<Map<String, String>> seen = new AtomicReference<>();
    Go.go(() -> seen.set(Go.current().labels())).join();
    return seen.get();
  }

  /** The labels of a goroutine that plain JDK calls start, and that starts another one. */
  private static Map<String, String> labelsOfNewThread() throws InterruptedException {
    AtomicReference<Map<String, String>> seen = new AtomicReference<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                seen.set(labelsOfNewGoroutine());
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            })
        .join();
    return seen.get();
  }

  private static void spinUntil(Goroutine g, Duration cpuTime) {
    while (g.cpuTime().compareTo(cpuTime) < 0) {
      Thread.onSpinWait();
    }
  }
}
