package io.heddle.junit.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.heddle.junit.HeddleTest;
import java.util.concurrent.Executors;

/** The example of docs/guide/testing.md: it fails, and ExampleTest says so. */
class CounterExample {
  static class Visits {
    private int count;

    void add() {
      count++;
    }
  }

  @HeddleTest(seeds = 1000)
  void everyVisitCounts() {
    Visits visits = new Visits();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      threads.submit(visits::add);
      threads.submit(visits::add);
    }
    assertEquals(2, visits.count);
  }
}
