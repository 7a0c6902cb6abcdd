package io.heddle.internal.timer;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.HangGuard;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;

/** A timer heap with named deadlines that record when they fire. */
@HangGuard
abstract class TimerHeapFixture {
  final List<String> fired = new ArrayList<>();
  final List<Long> told = new ArrayList<>();
  final TimerHeap heap = new TimerHeap(Thread::yield, told::add);

  @AfterEach
  @HangGuard
  void invariantsHold() {
    heap.checkInvariants();
  }

  /** Arms deadlines for the times 0 to 99. */
  Named[] armHundred() {
    Named[] all = IntStream.range(0, 100).mapToObj(i -> named("" + i)).toArray(Named[]::new);
    for (int i = 0; i < 100; i++) {
      all[i].arm(heap, i, 0);
    }
    return all;
  }

  Named named(String name) {
    return new Named(name, fired);
  }

  void assertFired(String... names) {
    assertThat(fired).containsExactly(names);
  }

  /** A deadline that records its firings. */
  static class Named extends Deadline {
    private final String name;
    private final List<String> fired;
    final List<Long> generations = new ArrayList<>();

    Named(String name, List<String> fired) {
      this.name = name;
      this.fired = fired;
    }

    @Override
    protected void fire(long generation) {
      fired.add(name);
      generations.add(generation);
    }

    @Override
    public String toString() {
      return name;
    }
  }
}
