package golang.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Case;
import io.heddle.Context;
import io.heddle.Select;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;

/** Checks whether contexts have ended, and why. */
final class Ends {
  private Ends() {}

  static void assertNotDone(Context... contexts) throws InterruptedException {
    for (Context each : contexts) {
      assertThat(isDone(each)).as("%s is done", each).isFalse();
      assertThat(each.err()).isNull();
      assertThat(each.cause()).isNull();
    }
  }

  static void assertCancelled(Context... contexts) throws InterruptedException {
    for (Context each : contexts) {
      assertThat(isDone(each)).as("%s is done", each).isTrue();
      assertThat(each.err()).isInstanceOf(CancellationException.class);
    }
  }

  /** Waits for its end, which must be due to its deadline. */
  static void awaitTimeout(Context context) throws InterruptedException {
    assertThat(context.done().receive()).isNull();
    assertThat(context.err()).isInstanceOf(TimeoutException.class);
  }

  static boolean isDone(Context context) throws InterruptedException {
    Case<Void> done = Select.recv(context.done());
    return Select.select(done, Select.orElse()) == done;
  }
}
