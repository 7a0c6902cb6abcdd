package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** {@link Scheduler#profile}: shares by names, and by order of magnitude. */
@HangGuard
class ProfileTest {
  private static final Duration LONG = Duration.ofMillis(700);

  @Test
  void everyGoroutineHasItsShare() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
      AtomicBoolean stop = new AtomicBoolean();
      Chan<Integer> never = Chan.make();
      CountDownLatch running = new CountDownLatch(1);
      scheduler.go(() -> Go.label("kind", "hog", () -> compute(running, stop)));
      for (int i = 0; i < 20; i++) {
        scheduler.go(() -> never.receive());
      }
      scheduler.go(() -> Go.sleep(Duration.ofHours(1)));
      running.await();
      Await.until(() -> scheduler.goroutineCounts().waiting() == 21);
      List<ProfiledStack> profile = scheduler.profile(LONG);
      long hog = nanos(profile, at("ProfileTest.compute"));
      long waiters = nanos(profile, s -> s.state().equals("chan receive"));
      long sleeper = nanos(profile, s -> s.state().equals("sleep"));
      assertThat(hog).isBetween(LONG.toNanos() / 4, 20 * LONG.toNanos());
      assertThat(waiters).isBetween(10 * hog, 40 * hog);
      assertThat(sleeper).isBetween(hog / 2, 2 * hog);
      ProfiledStack ofHog =
          profile.stream().filter(at("ProfileTest.compute")).findAny().orElseThrow();
      assertThat(ofHog.state()).isIn("running", "runnable");
      assertThat(ofHog.labels()).containsEntry("kind", "hog");
      assertThat(ofHog.site()).contains("ProfileTest.everyGoroutine");
      assertThat(ofHog.frames().getLast()).startsWith("java.lang.VirtualThread.run(");
      stop.set(true);
      never.close();
      scheduler.shutdownNow();
    }
  }

  @Test
  void manyGoroutinesAreChosenFromAndCountedInFull() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
      Chan<Integer> never = Chan.make();
      for (int i = 0; i < 3_000; i++) {
        scheduler.go(() -> never.receive());
      }
      Await.until(() -> scheduler.goroutineCounts().waiting() == 3_000);
      List<ProfiledStack> profile = scheduler.profile(LONG);
      long all = nanos(profile, _ -> true);
      long samples = profile.stream().mapToLong(ProfiledStack::samples).sum();
      assertThat(samples % 500).isZero();
      assertThat(all).isGreaterThanOrEqualTo(3_000 * LONG.toNanos() / 2);
      never.close();
    }
  }

  @Test
  void anInterruptEndsTheProfile() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().build()) {
      Thread.currentThread().interrupt();
      assertThat(scheduler.profile(Duration.ofHours(1))).isEmpty();
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void aDurationOutOfRangeIsRefused() {
    assertThatThrownBy(() -> Scheduler.shared().profile(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the duration is PT0S: allowed is 1 ms to 1 h");
  }

  @Test
  void thePlaceThatLosesItsPIsKnown() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      AtomicBoolean stop = new AtomicBoolean();
      scheduler.go(() -> compute(new CountDownLatch(1), stop));
      while (scheduler.handOffPlaces().isEmpty()) {
        scheduler.go(() -> {}).join();
      }
      stop.set(true);
      HandOffPlace place = scheduler.handOffPlaces().getFirst();
      // On a busy machine sysmon may take a thread that is off its core for one in native code.
      assertThat(place.reason()).isIn("computing", "native");
      assertThat(place.place()).contains("ProfileTest.compute");
      assertThat(place.count()).isBetween(1L, scheduler.stats().handoffs());
      assertThat(scheduler.dump())
          .contains("\nPlaces that lost their P most often:\n")
          .containsPattern("\\d  (computing|native) +.*ProfileTest.compute");
    }
  }

  private static Predicate<ProfiledStack> at(String method) {
    return stack -> stack.frames().stream().anyMatch(frame -> frame.contains(method));
  }

  private static long nanos(List<ProfiledStack> profile, Predicate<ProfiledStack> which) {
    return profile.stream().filter(which).mapToLong(ProfiledStack::nanos).sum();
  }

  /** Computes; ends by itself after a minute, if the test has failed. */
  private static void compute(CountDownLatch running, AtomicBoolean stop) {
    running.countDown();
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!stop.get() && System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }
}
