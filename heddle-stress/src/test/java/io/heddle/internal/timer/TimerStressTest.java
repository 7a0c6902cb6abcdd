package io.heddle.internal.timer;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.timer.BrokenTimers.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Some threads arm, stop and rearm a few timers while others run due timers and move the heap. Each
 * arming has exactly one fate: it fires once, or a stop or a later arming reports that it was live.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TimerStressTest {
  private static final int ALARMS = 100;

  /** Few timers, so that threads meet often. */
  private static final int HOT_ALARMS = 3;

  private static final int ARMERS = 3;
  private static final int RUNNERS = 2;
  private static final int STEPS = 300_000;

  /** Many times more than needed to catch a twin. */
  private static final int MOST_ROUNDS = 50;

  @Test
  void t1_eachArmingHasOneFate() {
    assertThat(new Storm(sound(), HOT_ALARMS).rage()).isEmpty();
  }

  /** Many timers, so that dead entries are cleaned up meanwhile. */
  @Test
  void t1_eachArmingOfManyHasOneFate() {
    assertThat(new Storm(sound(), ALARMS).rage()).isEmpty();
  }

  @Test
  void twinWithoutAFaultPasses() {
    assertThat(rageTwin(Fault.NONE)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"STOP_WITHOUT_LOCK", "ARM_WITHOUT_LOCK", "FIRE_WITHOUT_LOCK"})
  void t1_brokenTwinIsCaught(Fault fault) {
    for (int round = 1; rageTwin(fault).isEmpty(); round++) {
      assertThat(round).as("rounds in which nothing was seen").isLessThan(MOST_ROUNDS);
    }
  }

  private static Timers sound() {
    return new Timers.Sound(_ -> {}, 2);
  }

  private static List<String> rageTwin(Fault fault) {
    return new Storm(new BrokenTimers(fault, _ -> {}), HOT_ALARMS).rage();
  }

  /** A timer, and the fates of its armings. */
  private static final class Watched {
    private final Timers.Alarm alarm;
    private final AtomicLong armed = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicLong fired = new AtomicLong();
    private final Set<Long> generations = ConcurrentHashMap.newKeySet();

    Watched(Timers timers) {
      alarm = timers.alarm(this::fire);
    }

    private void fire(long generation) {
      fired.incrementAndGet();
      generations.add(generation);
    }

    void arm(long when) {
      armed.incrementAndGet();
      note(alarm.arm(when, 0));
    }

    void stop() {
      note(alarm.stop());
    }

    private void note(boolean wasLive) {
      if (wasLive) {
        ended.incrementAndGet();
      }
    }

    /** Violations, checked when no timer is live any more. */
    void judge(List<String> wrong) {
      if (armed.get() != ended.get() + fired.get()) {
        wrong.add(armed + " armed, " + ended + " ended while live, " + fired + " fired");
      }
      if (generations.size() != fired.get()) {
        wrong.add("of " + fired + " fired, " + generations.size() + " were different");
      }
    }
  }

  private static final class Storm {
    private final Timers timers;
    private final List<Watched> alarms = new ArrayList<>();
    private final AtomicLong now = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean over;

    Storm(Timers timers, int n) {
      this.timers = timers;
      for (int i = 0; i < n; i++) {
        alarms.add(new Watched(timers));
      }
    }

    /** Returns the violations found. */
    List<String> rage() {
      List<Thread> armers = start(ARMERS, "armer", this::arm);
      List<Thread> others = start(RUNNERS, "runner", this::run);
      others.addAll(start(1, "mover", this::move));
      armers.forEach(Storm::join);
      over = true;
      others.forEach(Storm::join);
      timers.checkInvariants();
      timers.runDue(TimerHeap.NEVER - 1);
      assertThat(failure).hasValue(null);
      List<String> wrong = new ArrayList<>();
      alarms.forEach(alarm -> alarm.judge(wrong));
      return wrong;
    }

    private void arm(int seed) {
      Random random = new Random(seed);
      for (int step = 0; step < STEPS && failure.get() == null; step++) {
        Watched alarm = alarms.get(random.nextInt(alarms.size()));
        if (random.nextInt(3) == 0) {
          alarm.stop();
        } else {
          alarm.arm(now.get() + random.nextInt(4));
        }
      }
    }

    private void run(int seed) {
      while (!over) {
        timers.runDue(now.incrementAndGet());
        Thread.onSpinWait();
      }
    }

    private void move(int seed) {
      while (!over) {
        timers.move();
        Thread.yield();
      }
    }

    private interface Part {
      void play(int seed);
    }

    private List<Thread> start(int n, String name, Part part) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < n; i++) {
        int seed = i;
        threads.add(Thread.ofPlatform().daemon().name(name + i).start(() -> guard(part, seed)));
      }
      return threads;
    }

    private void guard(Part part, int seed) {
      try {
        part.play(seed);
      } catch (Throwable e) {
        failure.compareAndSet(null, e);
      }
    }

    private static void join(Thread thread) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError("a hang", e);
      }
    }
  }
}
