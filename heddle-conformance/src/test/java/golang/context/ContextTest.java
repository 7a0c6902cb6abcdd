package golang.context;

import static golang.context.Ends.assertCancelled;
import static golang.context.Ends.assertNotDone;
import static org.assertj.core.api.Assertions.assertThat;

import golang.GoTest;
import golang.Until;
import io.heddle.Context;
import io.heddle.Context.Cancelable;
import io.heddle.Context.Key;
import io.heddle.Scheduler;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Go's {@code context/context_test.go}: internal properties, observed from outside. */
class ContextTest extends GoTest {
  private static final Duration LONG = Duration.ofHours(1000);
  private static final Key<String> KEY = Key.of("key");

  private final Cancelable parent = Context.background().withCancel();

  @Test
  void parentFinishesChild() throws Exception {
    run(
        () -> {
          Context cancelChild = parent.withCancel();
          Context valueChild = parent.withValue(KEY, "value");
          Context timerChild = valueChild.withTimeout(LONG);
          assertNotDone(parent, cancelChild, valueChild, timerChild);

          parent.cancel();

          assertCancelled(parent, cancelChild, valueChild, timerChild);
          assertCancelled(parent.withValue(KEY, "value"), parent.withCancel());
        });
  }

  @Test
  void childFinishesFirst() throws Exception {
    run(
        () -> {
          for (Context above : new Context[] {Context.background(), parent}) {
            Cancelable child = above.withCancel();
            assertNotDone(above, child);
            child.cancel();
            assertCancelled(child);
            assertNotDone(above);
          }
        });
  }

  /** A parent forgets a finished child and lives on. */
  @Test
  void cancelRemoves() throws Exception {
    run(
        () -> {
          forgets(ContextTest::cancelled);
          forgets(ContextTest::cancelledBeforeItsTime);
          forgets(ContextTest::takenBack);
          assertNotDone(parent);
        });
  }

  /** Only the end of a context starts a goroutine. */
  @Test
  void customContextGoroutines() throws Exception {
    run(
        () -> {
          long before = started();
          Cancelable child = parent.withValue(KEY, "value").withCancel();
          Cancelable timed = child.withTimeout(LONG);
          Cancelable last = timed.withCancel();
          last.cancel();
          last.withTimeout(LONG).cancel();
          parent.cancel();
          last.withCancel().cancel();
          assertCancelled(child, timed, last);
          assertThat(started()).isEqualTo(before);
        });
  }

  /** Most of them: a timer heap keeps some stopped timers. */
  private void forgets(Function<Context, WeakReference<?>> make) {
    List<? extends WeakReference<?>> all =
        Stream.generate(() -> make.apply(parent)).limit(100).toList();
    Until.until(
        () -> {
          System.gc();
          return all.stream().filter(each -> each.refersTo(null)).count() > 50;
        });
  }

  private static WeakReference<?> cancelled(Context above) {
    Cancelable child = above.withCancel();
    child.cancel();
    return new WeakReference<>(child);
  }

  private static WeakReference<?> cancelledBeforeItsTime(Context above) {
    Cancelable child = above.withTimeout(LONG);
    child.cancel();
    return new WeakReference<>(child);
  }

  private static WeakReference<?> takenBack(Context above) {
    Runnable callback = new StringBuilder()::reverse;
    above.onDone(callback).run();
    return new WeakReference<>(callback);
  }

  private static long started() {
    return Scheduler.current().stats().started();
  }
}
