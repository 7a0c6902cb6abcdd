package io.heddle.stress.soak;

import io.heddle.Context;
import io.heddle.Go;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * A tree of contexts, some with deadlines, and goroutines that wait for each: cancelling the root
 * ends all of them, once.
 */
final class Contexts implements Load {
  private static final Context.Key<Integer> NUMBER = Context.Key.of("number");

  @Override
  public void step(Worker me) throws Exception {
    int n = me.between(1, 40);
    Context.Cancelable root = Context.background().withCancel();
    List<Context.Cancelable> all = new ArrayList<>();
    AtomicIntegerArray ends = new AtomicIntegerArray(n);
    CountDownLatch handlers = new CountDownLatch(n);
    Crew crew = new Crew(me);
    for (int i = 0; i < n; i++) {
      int number = i;
      Context above = all.isEmpty() || me.oneIn(2) ? root : all.get(me.between(0, i - 1));
      Context.Cancelable context = below(me, above.withValue(NUMBER, i));
      all.add(context);
      crew.go(() -> waitIn(context, number));
      context.onDone(
          () -> {
            ends.incrementAndGet(number);
            handlers.countDown();
          });
      Runnable back = context.onDone(() -> {});
      back.run();
    }
    if (me.oneIn(2)) {
      Go.sleep(Duration.ofNanos(me.between(0, 3_000_000)));
    }
    root.cancel();
    crew.await();
    handlers.await();
    Expect.once("end of context", ends);
    me.did(n);
  }

  @Override
  public Where where() {
    return Where.EVERYWHERE;
  }

  private static Context.Cancelable below(Worker me, Context above) {
    return me.oneIn(2)
        ? above.withCancel()
        : above.withTimeout(Duration.ofNanos(me.between(0, 5_000_000)));
  }

  private static void waitIn(Context context, int number) throws Exception {
    context.run(
        () -> {
          Expect.same("number in the context", Context.current().value(NUMBER), number);
          Expect.that(Context.current().done().receive() == null, "something was sent");
          Throwable why = context.err();
          Expect.that(
              why instanceof CancellationException || why instanceof TimeoutException,
              "the context ended with " + why);
        });
  }
}
