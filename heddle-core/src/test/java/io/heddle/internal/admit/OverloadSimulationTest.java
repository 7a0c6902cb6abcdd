package io.heddle.internal.admit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Twice as many requests as two CPUs can serve, in simulated time: what {@link DelayGate} makes of
 * them, and what two well-known policies would (docs/decisions, 26). The same on every machine.
 */
class OverloadSimulationTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final int CPUS = 2;
  private static final long SERVICE = 2 * MILLI;
  private static final long REFUSAL = SERVICE / 50;
  private static final long PATIENCE = 500 * MILLI;
  private static final long TARGET = 20 * MILLI;
  private static final long OVERLOADED = 30 * SECOND;
  private static final long END = 40 * SECOND;
  private static final double CAPACITY = (double) CPUS * SECOND / SERVICE;

  /** Decides when a request gets a CPU, which it has waited for, whether it may begin. */
  private interface Policy {
    boolean admits(long now, long waited);

    /** A request that was admitted has ended, {@code time} after it was due. */
    default void ended(long time) {}
  }

  /**
   * What became of the requests.
   *
   * @param goodput those of the overload that were answered in time, in percent of the capacity
   * @param p99 of those that were admitted
   * @param recovery from the end of the overload to the last refusal or late answer
   */
  private record OverloadOutcome(double goodput, long p99, long recovery) {
    @Override
    public String toString() {
      return "goodput %.1f %%, p99 %.1f ms, recovery %.1f ms"
          .formatted(goodput, p99 / 1e6, recovery / 1e6);
    }
  }

  @Test
  void gateKeepsTheGoodputAndRecoversWithinTargets() {
    OverloadOutcome result = run(sim -> gate(sim));
    assertThat(result.goodput()).as(result.toString()).isGreaterThan(90);
    assertThat(result.p99()).as(result.toString()).isLessThan(3 * TARGET);
    assertThat(result.recovery()).as(result.toString()).isLessThan(5 * TARGET);
  }

  @Test
  void withoutControlNearlyAllAnswersAreTooLate() {
    OverloadOutcome result = run(_ -> (_, _) -> true);
    assertThat(result.goodput()).as(result.toString()).isLessThan(10);
    assertThat(result.recovery()).as(result.toString()).isGreaterThan(5 * SECOND);
  }

  @Test
  void controlLawOfCoDelNeedsSecondsToShedEnough() {
    OverloadOutcome result = run(_ -> new CoDel());
    assertThat(result.p99()).as(result.toString()).isGreaterThan(PATIENCE);
    assertThat(result.goodput()).as(result.toString()).isLessThan(90);
  }

  @Test
  void gradientLimitTakesTheQueueForTheUsualTime() {
    OverloadOutcome result = run(GradientLimit::new);
    assertThat(result.goodput()).as(result.toString()).isGreaterThan(90);
    assertThat(result.p99()).as(result.toString()).isGreaterThan(5 * TARGET);
  }

  private static Policy gate(Simulation sim) {
    DelayGate gate = new DelayGate(TARGET, () -> sim.now, sim::addProbe);
    return (_, _) -> gate.admits();
  }

  private static OverloadOutcome run(Function<Simulation, Policy> maker) {
    Simulation sim = new Simulation();
    return sim.run(maker.apply(sim));
  }

  /** CoDel as in RFC 8289, with the target of the gate and the usual interval. */
  private static final class CoDel implements Policy {
    private static final long INTERVAL = 100 * MILLI;

    private long firstAbove;
    private long dropNext;
    private long count;
    private boolean dropping;

    @Override
    public boolean admits(long now, long waited) {
      boolean mayDrop = false;
      if (waited < TARGET) {
        firstAbove = 0;
      } else if (firstAbove == 0) {
        firstAbove = now + INTERVAL;
      } else {
        mayDrop = now >= firstAbove;
      }
      if (!mayDrop) {
        dropping = false;
        return true;
      }
      if (!dropping) {
        dropping = true;
        count = now - dropNext < INTERVAL && count > 2 ? count - 2 : 1;
      } else if (now < dropNext) {
        return true;
      } else {
        count++;
      }
      dropNext = now + (long) (INTERVAL / Math.sqrt(count));
      return false;
    }
  }

  /** Gradient2 of Netflix's concurrency-limits, with its defaults. */
  private static final class GradientLimit implements Policy {
    private static final int LEAST = 20;
    private static final int MOST = 200;
    private static final int WARM_UP = 10;
    private static final int WINDOW = 600;
    private static final double TOLERANCE = 1.5;
    private static final double SMOOTHING = 0.2;
    private static final int QUEUE = 4;

    private final Simulation sim;
    private double limit = LEAST;
    private double usual;
    private double sum;
    private int samples;

    GradientLimit(Simulation sim) {
      this.sim = sim;
    }

    @Override
    public boolean admits(long now, long waited) {
      return inFlight() <= limit;
    }

    private int inFlight() {
      return sim.queue.size() + CPUS;
    }

    @Override
    public void ended(long time) {
      samples++;
      sum += time;
      usual = samples <= WARM_UP ? sum / samples : usual + (time - usual) * 2.0 / (WINDOW + 1);
      if (usual / time > 2) {
        usual *= 0.95;
      }
      if (inFlight() < limit / 2) {
        return;
      }
      double gradient = Math.clamp(TOLERANCE * usual / time, 0.5, 1);
      double next = limit * (1 - SMOOTHING) + (limit * gradient + QUEUE) * SMOOTHING;
      limit = Math.clamp(next, LEAST, MOST);
    }
  }

  /** One queue, first come first served, before all CPUs. */
  private static final class Simulation {
    private record Job(long due, Runnable probe) {}

    private final Queue<Job> queue = new ArrayDeque<>();
    private final PriorityQueue<Long> free = new PriorityQueue<>(); // when each CPU is free
    private final Random random = new Random(1);
    private final long[] times = new long[200_000];
    private int admitted;
    private int good;
    private long lastBad = OVERLOADED;
    long now;

    void addProbe(Runnable probe) {
      queue.add(new Job(now, probe));
    }

    /** Requests come at random, at twice the capacity and then at half of it. */
    OverloadOutcome run(Policy policy) {
      for (int i = 0; i < CPUS; i++) {
        free.add(0L);
      }
      long arrival = 0;
      while (arrival < END) {
        if (queue.isEmpty() || arrival <= free.element()) {
          now = arrival;
          queue.add(new Job(arrival, null));
          double rate = (arrival < OVERLOADED ? 2 : 0.5) * CAPACITY;
          arrival += (long) (-Math.log(1 - random.nextDouble()) * SECOND / rate);
        } else {
          serve(queue.remove(), policy);
        }
      }
      long[] sorted = Arrays.copyOf(times, admitted);
      Arrays.sort(sorted);
      double share = 100.0 * good / (CAPACITY * OVERLOADED / SECOND);
      return new OverloadOutcome(share, sorted[admitted * 99 / 100], lastBad - OVERLOADED);
    }

    private void serve(Job job, Policy policy) {
      now = Math.max(free.remove(), job.due);
      if (job.probe != null) {
        job.probe.run();
        free.add(now);
      } else if (policy.admits(now, now - job.due)) {
        free.add(now + SERVICE);
        policy.ended(now + SERVICE - job.due);
        answered(now + SERVICE - job.due, job.due, now + SERVICE);
      } else {
        free.add(now + REFUSAL);
        lastBad = Math.max(lastBad, now);
      }
    }

    private void answered(long time, long due, long at) {
      times[admitted++] = time;
      if (time > PATIENCE) {
        lastBad = Math.max(lastBad, at);
      } else if (due < OVERLOADED) {
        good++;
      }
    }
  }
}
