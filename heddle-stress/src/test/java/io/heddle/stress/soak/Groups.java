package io.heddle.stress.soak;

import io.heddle.Context;
import io.heddle.Go;
import io.heddle.Group;
import io.heddle.Once;
import io.heddle.SingleFlight;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Groups in which all tasks succeed, or in which one task fails and ends the others; and calls
 * executed once for many callers.
 */
final class Groups implements Load {
  private static final class Wanted extends Exception {
    Wanted() {
      super("wanted", null, false, false);
    }
  }

  private final SingleFlight<Integer, Long> flights = new SingleFlight<>();

  @Override
  public void step(Worker me) throws Exception {
    switch (me.between(0, 2)) {
      case 0 -> succeeds(me);
      case 1 -> fails(me);
      default -> calls(me);
    }
  }

  private static void succeeds(Worker me) throws Exception {
    int n = me.between(1, 200);
    int limit = me.between(1, 20);
    AtomicInteger done = new AtomicInteger();
    AtomicInteger now = new AtomicInteger();
    try (Group group = new Group().limit(limit)) {
      for (int i = 0; i < n; i++) {
        io.heddle.Task task =
            () -> {
              int running = now.incrementAndGet();
              Expect.that(running <= limit, running + " tasks in a group of " + limit);
              Go.gosched();
              now.decrementAndGet();
              done.incrementAndGet();
            };
        if (!group.tryGo(task)) {
          group.go(task);
        }
      }
      group.await();
    }
    Expect.same("tasks done", done.get(), n);
    me.did(n);
  }

  private static void fails(Worker me) throws Exception {
    int n = me.between(1, 50);
    int culprit = me.between(0, n - 1);
    AtomicInteger ends = new AtomicInteger();
    Wanted wanted = new Wanted();
    try (Group group = new Group(Context.background())) {
      for (int i = 0; i < n; i++) {
        int number = i;
        group.go(
            () -> {
              ends.incrementAndGet();
              if (number == culprit) {
                throw wanted;
              }
              Context.current().done().receive(); // until the failure ends all tasks
            });
      }
      try {
        group.await();
        throw new AssertionError("the failure is lost");
      } catch (Wanted e) {
        Expect.that(e == wanted, "another failure");
      }
    }
    Expect.same("tasks begun", ends.get(), n);
    me.did(n);
  }

  private void calls(Worker me) throws Exception {
    int n = me.between(2, 50);
    int key = me.between(0, 3);
    AtomicInteger runs = new AtomicInteger();
    AtomicLong made = new AtomicLong();
    Once once = new Once();
    Crew crew = new Crew(me);
    for (int i = 0; i < n; i++) {
      crew.go(
          () -> {
            once.run(runs::incrementAndGet);
            Expect.same("runs of a Once that has returned", runs.get(), 1);
            long value =
                flights.run(
                    key,
                    () -> {
                      made.incrementAndGet();
                      Go.gosched();
                      return 1_000L + key;
                    });
            Expect.same("value of the call", value, 1_000L + key);
          });
    }
    crew.await();
    Expect.that(made.get() <= n, made + " calls for " + n + " callers");
    me.did(n);
  }
}
