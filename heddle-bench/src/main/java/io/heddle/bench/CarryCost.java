package io.heddle.bench;

import com.sun.management.OperatingSystemMXBean;
import io.heddle.Carry;
import io.heddle.Scheduler;
import io.heddle.WaitGroup;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Measures what context that follows goroutines costs a start: without a {@link Carry}, with one
 * that finds nothing to carry, and with one that carries a value of a thread-local variable. In
 * turns; prints medians and ratios. Run by hand.
 */
public final class CarryCost {
  private static final int STARTS = 1_000_000;
  private static final int AT_ONCE = 100;
  private static final int ROUNDS = 9;
  private static final int WARM_UP_ROUNDS = 2;
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private static final ThreadLocal<String> TENANT = new ThreadLocal<>();

  private CarryCost() {}

  /** Carries {@link #TENANT}. */
  private static final class TenantCarry implements Carry {
    @Override
    public @Nullable Object capture() {
      return TENANT.get();
    }

    @Override
    public AutoCloseable restore(Object captured) {
      TENANT.set((String) captured);
      return TENANT::remove;
    }
  }

  private enum CarryContender {
    ABSENT,
    NOTHING_TO_CARRY,
    PRESENT
  }

  public static void main(String[] args) throws Exception {
    CarryContender[] all = CarryContender.values();
    Map<CarryContender, double[]> nanos = new EnumMap<>(CarryContender.class);
    for (CarryContender each : all) {
      nanos.put(each, new double[ROUNDS]);
    }
    try (Scheduler absent = Scheduler.builder().procs(1).carry().build();
        Scheduler present = Scheduler.builder().procs(1).carry(new TenantCarry()).build()) {
      for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
        for (CarryContender each : all) {
          double perStart = measure(each == CarryContender.ABSENT ? absent : present, each);
          if (round >= 0) {
            nanosOf(each, nanos)[round] = perStart;
          }
        }
      }
    }
    for (CarryContender each : all) {
      System.out.printf(
          Locale.ROOT,
          "%-17s %6.0f ns of CPU per start, %.2f times as long as without%n",
          each.name().toLowerCase(Locale.ROOT).replace('_', ' '),
          median(nanosOf(each, nanos)),
          median(ratios(nanosOf(each, nanos), nanosOf(CarryContender.ABSENT, nanos))));
    }
  }

  private static double[] nanosOf(CarryContender contender, Map<CarryContender, double[]> nanos) {
    return Objects.requireNonNull(nanos.get(contender));
  }

  /** Returns the nanoseconds of CPU time per goroutine that is started and ends. */
  private static double measure(Scheduler scheduler, CarryContender contender) throws Exception {
    long[] took = new long[1];
    scheduler.run(
        () -> {
          if (contender == CarryContender.PRESENT) {
            TENANT.set("acme");
          }
          long start = cpuNanos();
          for (int n = 0; n < STARTS; n += AT_ONCE) {
            WaitGroup group = new WaitGroup();
            for (int i = 0; i < AT_ONCE; i++) {
              group.go(() -> {});
            }
            group.await();
          }
          took[0] = cpuNanos() - start;
        });
    return 1.0 * took[0] / STARTS;
  }

  /** The CPU time of this process: on a busy machine it says more than the time that has passed. */
  private static long cpuNanos() {
    return SYSTEM.getProcessCpuTime();
  }

  /** Returns the ratio of each round, because a busy machine changes from round to round. */
  private static double[] ratios(double[] of, double[] to) {
    double[] ratios = new double[of.length];
    Arrays.setAll(ratios, i -> of[i] / to[i]);
    return ratios;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
