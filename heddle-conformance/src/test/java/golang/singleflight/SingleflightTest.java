package golang.singleflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import golang.GoTest;
import golang.Until;
import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.SingleFlight;
import io.heddle.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Go's {@code golang.org/x/sync/singleflight/singleflight_test.go}. */
class SingleflightTest extends GoTest {
  private static final String JOINING = "sync.WaitGroup.Wait";

  private final SingleFlight<String, String> flights = new SingleFlight<>();
  private final AtomicInteger calls = new AtomicInteger();

  /** An exception is passed on unchanged, and the key is free again. */
  @Test
  void panicErrorUnwrap() throws Exception {
    run(
        () -> {
          for (Throwable thrown :
              List.of(new IllegalStateException("exception"), new AssertionError("error"))) {
            assertThatThrownBy(() -> flights.run("key", throwing(thrown))).isSameAs(thrown);
          }
          assertThat(flights.run("key", () -> "bar")).isEqualTo("bar");
        });
  }

  @Test
  void do_() throws Exception {
    run(() -> assertThat(flights.run("key", () -> "bar")).isEqualTo("bar"));
  }

  @Test
  void doErr() throws Exception {
    run(
        () -> {
          Exception failed = new Exception("failed");
          assertThatThrownBy(() -> flights.run("key", throwing(failed))).isSameAs(failed);
        });
  }

  @Test
  void doDupSuppress() throws Exception {
    run(
        () -> {
          Chan<Void> go = Chan.make();
          Chan<String> results = Chan.make(10);
          startTogether(10, () -> results.send(flights.run("key", waiting(go, "bar"))));
          go.close();
          for (int i = 0; i < 10; i++) {
            assertThat(results.receive()).isEqualTo("bar");
          }
          assertThat(calls).hasValue(1);
          assertThat(flights.run("key", () -> "new")).isEqualTo("new");
        });
  }

  /** The end of a forgotten call does not end the call that replaced it. */
  @Test
  void forget() throws Exception {
    run(
        () -> {
          Chan<Void> endFirst = Chan.make();
          Chan<Void> endSecond = Chan.make();
          Chan<String> first = fly(waiting(endFirst, "1"));
          Until.until(() -> calls.get() == 1);
          flights.forget("key");
          Chan<String> second = fly(waiting(endSecond, "2"));
          Until.until(() -> calls.get() == 2);
          endFirst.close();
          assertThat(first.receive()).isEqualTo("1");

          Chan<String> third = Chan.make(1);
          Goroutine joining = Go.go(() -> third.send(flights.run("key", () -> "3")));
          Until.asleep(joining, JOINING);
          endSecond.close();
          assertThat(second.receive()).isEqualTo("2");
          assertThat(third.receive()).isEqualTo("2");
        });
  }

  /** Uses a goroutine and a channel instead of Go's method. */
  @Test
  void doChan() throws Exception {
    run(() -> assertThat(fly(() -> "bar").receive()).isEqualTo("bar"));
  }

  @Test
  void panicDo() throws Exception {
    run(
        () -> {
          AssertionError failed = new AssertionError("failed");
          Chan<Void> go = Chan.make();
          Chan<Throwable> results = Chan.make(5);
          Callable<String> fails = throwing(failed);
          Callable<String> failsLater =
              () -> {
                waiting(go, "").call();
                return fails.call();
              };
          startTogether(
              5, () -> results.send(catchThrowable(() -> flights.run("key", failsLater))));
          go.close();
          for (int i = 0; i < 5; i++) {
            assertThat(results.receive()).isSameAs(failed);
          }
          assertThat(calls).hasValue(1);
        });
  }

  private static Callable<String> throwing(Throwable thrown) {
    return () -> {
      switch (thrown) {
        case Error e -> throw e;
        case Exception e -> throw e;
        default -> throw new IllegalStateException(thrown);
      }
    };
  }

  private Callable<String> waiting(Chan<Void> go, String result) {
    return () -> {
      calls.incrementAndGet();
      go.receive();
      return result;
    };
  }

  private Chan<String> fly(Callable<String> call) {
    Chan<String> result = Chan.make(1);
    Go.go(() -> result.send(flights.run("key", call)));
    return result;
  }

  /** Waits until one caller executes and all others wait for it. */
  private static void startTogether(int n, Task task) {
    List<Goroutine> all = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      all.add(Go.go(task));
    }
    Until.until(
        () ->
            all.stream().filter(g -> g.waitReason().equals(JOINING)).count() == n - 1
                && all.stream().anyMatch(g -> g.waitReason().equals("chan receive")));
  }
}
