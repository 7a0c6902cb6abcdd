package golang.errgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import golang.GoTest;
import io.heddle.Chan;
import io.heddle.Context;
import io.heddle.Go;
import io.heddle.Group;
import io.heddle.Task;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Go's {@code golang.org/x/sync/errgroup/errgroup_test.go}. */
class ErrgroupTest extends GoTest {
  private final Exception first = new Exception("first");
  private final Exception second = new Exception("second");

  /** Checks the first failure so far after each task. */
  @Test
  void zeroGroup() throws Exception {
    run(
        () -> {
          for (List<Exception> failures : cases()) {
            Group group = new Group();
            Exception expected = null;
            for (Exception failure : failures) {
              group.go(failing(failure));
              expected = expected == null ? failure : expected;
              assertThat(catchThrowable(group::await)).isSameAs(expected);
            }
          }
        });
  }

  @Test
  void withContext() throws Exception {
    run(
        () -> {
          for (List<Exception> failures : cases()) {
            Group group = new Group(Context.background());
            Context context = group.context();
            for (Exception failure : failures) {
              group.go(failing(failure));
            }
            assertThat(catchThrowable(group::await)).isIn(expected(failures));
            assertThat(context.done().receive()).isNull();
            assertThat(context.err()).isInstanceOf(CancellationException.class);
          }
        });
  }

  /**
   * At most as many tasks as the limit, which may be changed while there are none, but not to 0.
   */
  @Test
  void tryGo() throws Exception {
    run(
        () -> {
          int n = 42;
          Group group = new Group().limit(n);
          Chan<Boolean> c = Chan.make();
          Task sends = () -> c.send(true);
          for (int i = 0; i < n; i++) {
            assertThat(group.tryGo(sends)).isTrue();
          }
          assertThat(group.tryGo(sends)).isFalse();
          receiveAndAwait(c, n, group);

          assertThat(group.tryGo(sends)).isTrue();
          receiveAndAwait(c, 1, group);

          group.limit(1);
          assertThat(group.tryGo(sends)).isTrue();
          assertThat(group.tryGo(sends)).isFalse();
          receiveAndAwait(c, 1, group);

          assertThatIllegalArgumentException().isThrownBy(() -> group.limit(0));
        });
  }

  @Test
  void goLimit() throws Exception {
    run(
        () -> {
          int limit = 10;
          Group group = new Group().limit(limit);
          AtomicInteger active = new AtomicInteger();
          AtomicInteger most = new AtomicInteger();
          for (int i = 0; i < 300; i++) {
            group.go(
                () -> {
                  most.accumulateAndGet(active.incrementAndGet(), Math::max);
                  Go.sleep(Duration.ofNanos(1000));
                  active.decrementAndGet();
                });
          }
          group.await();
          assertThat(most).hasValueBetween(1, limit);
        });
  }

  @Test
  void cancelCause() throws Exception {
    run(
        () -> {
          for (List<Exception> failures : cases()) {
            Group group = new Group(Context.background());
            for (Exception failure : failures) {
              assertThat(group.tryGo(failing(failure))).isTrue();
            }
            Throwable thrown = catchThrowable(group::await);
            Context context = group.context();
            assertThat(context.cause()).isSameAs(thrown == null ? context.err() : thrown);
          }
        });
  }

  private List<List<Exception>> cases() {
    return List.of(
        List.of(),
        Arrays.asList((Exception) null),
        List.of(first),
        Arrays.asList(first, null),
        Arrays.asList(first, null, second));
  }

  /** The possible first results of concurrent tasks. */
  private static List<Exception> expected(List<Exception> failures) {
    List<Exception> thrown = failures.stream().filter(each -> each != null).toList();
    return thrown.isEmpty() ? Arrays.asList((Exception) null) : thrown;
  }

  private static Task failing(Exception failure) {
    return () -> {
      if (failure != null) {
        throw failure;
      }
    };
  }

  private static void receiveAndAwait(Chan<Boolean> c, int n, Group group) throws Exception {
    for (int i = 0; i < n; i++) {
      c.receive();
    }
    group.await();
  }
}
