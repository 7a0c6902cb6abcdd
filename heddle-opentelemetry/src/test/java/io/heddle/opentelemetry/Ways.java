package io.heddle.opentelemetry;

import io.heddle.Go;
import io.heddle.Group;
import io.heddle.Scheduler;
import io.heddle.Task;
import io.heddle.Timer;
import io.heddle.WaitGroup;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.function.BiConsumer;

/** All ways to start a goroutine, each with a look at the span that is current in it. */
final class Ways {
  /** What a goroutine found. */
  private final BlockingQueue<SpanContext> found = new ArrayBlockingQueue<>(1);

  private final BiConsumer<String, SpanContext> check;

  private Ways(BiConsumer<String, SpanContext> check) {
    this.check = check;
  }

  /** Calls {@code check} for each way with the span that arrived. */
  static void go(BiConsumer<String, SpanContext> check) throws Exception {
    new Ways(check).all();
  }

  private void all() throws Exception {
    way("Go.go", () -> Go.go(this::look));
    way("Go.go with a name", () -> Go.go("named", this::look));
    way("Go.main", () -> Go.main(this::look));
    way("Go.go in a goroutine", () -> Go.main(() -> Go.go(this::look).join()));
    way("WaitGroup.go", () -> new WaitGroup().go(this::look));
    way("Group.go", () -> new Group().go(this::look));
    way("Timer.schedule", () -> Timer.schedule(Duration.ZERO, this::look));
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      way("Scheduler.go", () -> scheduler.go(this::look));
      way("threadFactory", () -> scheduler.threadFactory().newThread(this::look).start());
      try (ExecutorService executor = scheduler.executor()) {
        way("executor", () -> executor.execute(this::look));
        way("submit", () -> executor.submit(this::look));
      }
    }
  }

  private void way(String name, Task start) throws Exception {
    start.run();
    check.accept(name, found.take());
  }

  private void look() {
    found.add(Span.current().getSpanContext());
  }
}
