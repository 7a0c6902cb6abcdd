package io.heddle.internal.timer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the timer heap with a {@link PriorityQueue} over a long random sequence of operations.
 */
class TimerHeapModelTest {
  private static final int STEPS = 100_000;
  private static final int DEADLINES = 500;

  /** So few different times that many deadlines are equal. */
  private static final int HORIZON = 60;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void t1_firesWhatTheModelFiresInTheSameOrder(long seed) {
    new RandomRun(seed).execute();
  }

  private record Arming(int id, long when, long period, int sequence) {}

  private static final class RandomRun {
    private final Random random;
    private final Deadline[] deadlines = new Deadline[DEADLINES];
    private final List<Integer> fired = new ArrayList<>();
    private TimerHeap heap = newHeap();

    private final PriorityQueue<Arming> model =
        new PriorityQueue<>(
            Comparator.comparingLong(Arming::when).thenComparingInt(Arming::sequence));
    private int sequence;
    private long now;

    RandomRun(long seed) {
      random = new Random(seed);
      for (int i = 0; i < DEADLINES; i++) {
        deadlines[i] = deadline(i);
      }
    }

    private Deadline deadline(int id) {
      return new Deadline() {
        @Override
        protected void fire(long generation) {
          fired.add(id);
        }
      };
    }

    void execute() {
      for (int step = 0; step < STEPS; step++) {
        int id = random.nextInt(DEADLINES);
        switch (random.nextInt(20)) {
          case 0 -> run();
          case 1, 2, 3, 4, 5, 6, 7 -> assertThat(deadlines[id].stop()).isEqualTo(modelStop(id));
          default -> arm(id);
        }
        if (step % 500 == 0) {
          heap.checkInvariants();
          move();
        }
      }
    }

    private void arm(int id) {
      long when = now + random.nextInt(HORIZON);
      long period = random.nextInt(10) == 0 ? 1 + random.nextInt(HORIZON) : 0;
      boolean wasLive = modelStop(id);
      model.add(new Arming(id, when, period, sequence++));
      assertThat(deadlines[id].arm(heap, when, period)).isEqualTo(wasLive);
      assertThat(heap.earliest()).isLessThanOrEqualTo(model.element().when);
    }

    private boolean modelStop(int id) {
      return model.removeIf(arming -> arming.id == id);
    }

    private void run() {
      now += random.nextInt(5);
      List<Integer> expected = new ArrayList<>();
      while (!model.isEmpty() && model.element().when <= now) {
        Arming due = model.remove();
        expected.add(due.id);
        long next = due.when;
        while (due.period > 0 && next <= now) {
          next += due.period;
        }
        if (due.period > 0) {
          model.add(new Arming(due.id, next, due.period, due.sequence));
        }
      }
      assertThat(heap.runDue(now)).isEqualTo(expected.size());
      assertThat(fired).isEqualTo(expected);
      fired.clear();
      assertThat(heap.size()).isGreaterThanOrEqualTo(model.size());
    }

    private void move() {
      TimerHeap old = heap;
      heap = newHeap();
      old.moveAllTo(heap);
      old.checkInvariants();
    }

    private static TimerHeap newHeap() {
      return new TimerHeap(Thread::yield, _ -> {});
    }
  }
}
