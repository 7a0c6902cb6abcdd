package golang.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import golang.GoTest;
import golang.Until;
import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Once;
import io.heddle.Task;
import org.junit.jupiter.api.Test;

/** Go's {@code sync/once_test.go}. */
class OnceTest extends GoTest {
  private int calls;

  /** No caller returns before the one call is over. */
  @Test
  void once() throws Exception {
    run(
        () -> {
          Once once = new Once();
          Chan<Integer> seen = Chan.make();
          int n = 10;
          for (int i = 0; i < n; i++) {
            Go.go(
                () -> {
                  once.run(this::callSlowly);
                  seen.send(calls);
                });
          }
          for (int i = 0; i < n; i++) {
            assertThat(seen.receive()).isEqualTo(1);
          }
          assertThat(calls).isEqualTo(1);
        });
  }

  @Test
  void oncePanic() throws Exception {
    run(
        () -> {
          Once once = new Once();
          IllegalStateException failed = new IllegalStateException("failed");
          Task fails =
              () -> {
                throw failed;
              };
          assertThatThrownBy(() -> once.run(fails)).isSameAs(failed);
          once.run(() -> calls++);
          assertThat(calls).isZero();
        });
  }

  private void callSlowly() {
    Until.othersHaveRun();
    calls++;
  }
}
