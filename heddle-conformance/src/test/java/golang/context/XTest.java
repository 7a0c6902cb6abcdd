package golang.context;

import static golang.context.Ends.assertCancelled;
import static golang.context.Ends.assertNotDone;
import static golang.context.Ends.awaitTimeout;
import static golang.context.Ends.isDone;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import golang.GoTest;
import golang.Until;
import io.heddle.Chan;
import io.heddle.Context;
import io.heddle.Context.Cancelable;
import io.heddle.Context.Key;
import io.heddle.Go;
import io.heddle.WaitGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Go's {@code context/x_test.go}. The file is long because it has the tests of one file of Go.
 */
class XTest extends GoTest {
  private static final Context BACKGROUND = Context.background();
  private static final Duration SHORT = Duration.ofMillis(1);
  private static final Duration LONG = Duration.ofHours(1000);
  private static final Key<String> K1 = Key.of("k");
  private static final Key<String> K2 = Key.of("k");
  private static final Key<String> K3 = Key.of("k3");

  private final Exception parentCause = new Exception("of the parent");
  private final Exception childCause = new Exception("of the child");

  @Test
  void background() throws Exception {
    run(
        () -> {
          assertNotDone(BACKGROUND);
          assertThat(BACKGROUND.deadline()).isNull();
          assertThat(BACKGROUND).hasToString("Context.background()");
        });
  }

  /** All descendants have ended when cancel returns. */
  @Test
  void withCancel() throws Exception {
    run(
        () -> {
          Cancelable first = BACKGROUND.withCancel();
          assertThat(first).hasToString("Context.background().withCancel()");
          Context between = first.withValue(K1, "v");
          Context last = between.withCancel();
          assertNotDone(first, between, last);
          first.cancel();
          assertCancelled(first, between, last);
        });
  }

  @Test
  void deadline() throws Exception {
    run(
        () -> {
          Instant soon = Instant.now().plus(SHORT);
          Context c = BACKGROUND.withDeadline(soon);
          assertThat(c.toString()).startsWith("Context.background().withDeadline(");
          assertThat(c.deadline()).isEqualTo(soon);
          awaitTimeout(c);
          awaitTimeout(inSoon().withValue(K1, "v"));
          awaitTimeout(inSoon().withValue(K1, "v").withDeadline(Instant.now().plus(LONG)));
          awaitTimeout(BACKGROUND.withDeadline(Instant.now().minus(SHORT)));
          awaitTimeout(BACKGROUND.withDeadline(Instant.now()));
        });
  }

  @Test
  void timeout() throws Exception {
    run(
        () -> {
          long start = System.nanoTime();
          awaitTimeout(BACKGROUND.withTimeout(SHORT));
          assertThat(System.nanoTime() - start).isGreaterThan(SHORT.toNanos() / 2);
          awaitTimeout(BACKGROUND.withTimeout(SHORT).withValue(K1, "v"));
          awaitTimeout(BACKGROUND.withTimeout(SHORT).withValue(K1, "v").withTimeout(LONG));
        });
  }

  @Test
  void canceledTimeout() throws Exception {
    run(
        () -> {
          Cancelable above = BACKGROUND.withTimeout(LONG);
          Cancelable c = above.withValue(K1, "v").withTimeout(LONG);
          c.cancel();
          assertCancelled(c);
          assertNotDone(above);
          above.cancel();
        });
  }

  /**
   * A key is identified by identity and not by its name; a value hides the parent's value, and may
   * not be null.
   */
  @Test
  void values() throws Exception {
    run(
        () -> {
          assertValues(BACKGROUND, null, null, null);
          Context c1 = BACKGROUND.withValue(K1, "c1");
          assertValues(c1, "c1", null, null);
          assertThat(c1).hasToString("Context.background().withValue(k)");
          Context c2 = c1.withValue(K2, "c2");
          assertValues(c2, "c1", "c2", null);
          Context c3 = c2.withCancel().withValue(K3, "c3");
          assertValues(c3, "c1", "c2", "c3");
          assertValues(c3.withValue(K1, "c4"), "c4", "c2", "c3");
          assertValues(c3, "c1", "c2", "c3");
          assertThatNullPointerException().isThrownBy(() -> c3.withValue(K1, null));
        });
  }

  @Test
  void simultaneousCancels() throws Exception {
    run(
        () -> {
          List<Cancelable> all = tree();
          Collections.shuffle(all);
          WaitGroup cancels = new WaitGroup();
          all.forEach(each -> cancels.go(each::cancel));
          Collections.shuffle(all);
          for (Cancelable each : all) {
            assertThat(each.done().receive()).isNull();
          }
          cancels.await();
        });
  }

  @Test
  void interlockedCancels() throws Exception {
    run(
        () -> {
          Cancelable parent = BACKGROUND.withCancel();
          Cancelable child = parent.withCancel();
          Go.go(
              () -> {
                parent.done().receive();
                child.cancel();
              });
          parent.cancel();
          assertThat(child.done().receive()).isNull();
          assertCancelled(child);
        });
  }

  @Test
  void layersCancel() throws Exception {
    run(
        () -> {
          Layers layers = new Layers(new Random().nextLong(), LONG);
          assertNotDone(layers.last);
          layers.assertValues();
          layers.cancelOne();
          assertThat(isDone(layers.last)).as("%s", layers).isTrue();
          layers.assertValues();
          layers.cancels.forEach(Cancelable::cancel);
        });
  }

  @Test
  void layersTimeout() throws Exception {
    run(
        () -> {
          Layers layers = new Layers(new Random().nextLong(), SHORT);
          layers.assertValues();
          awaitTimeout(layers.last);
          layers.assertValues();
        });
  }

  @Test
  void withCancelCanceledParent() throws Exception {
    run(
        () -> {
          Cancelable parent = BACKGROUND.withCancel();
          parent.cancel(parentCause);
          Context child = parent.withCancel();
          assertCancelled(child);
          assertThat(child.cause()).isSameAs(parentCause);
        });
  }

  @Test
  void withCancelSimultaneouslyCanceledParent() throws Exception {
    run(
        () -> {
          for (int i = 0; i < 100; i++) {
            Cancelable parent = BACKGROUND.withCancel();
            Go.go(() -> parent.cancel(parentCause));
            Context child = parent.withCancel();
            child.done().receive();
            assertCancelled(child);
            assertThat(child.cause()).isSameAs(parentCause);
          }
        });
  }

  @Test
  void withValueChecksKey() throws Exception {
    run(
        () ->
            assertThatNullPointerException()
                .isThrownBy(() -> BACKGROUND.withValue(null, "v"))
                .withMessageContaining("key"));
  }

  @Test
  void deadlineExceededSupportsTimeout() throws Exception {
    run(
        () ->
            assertThat(BACKGROUND.withTimeout(Duration.ZERO).err())
                .isInstanceOf(TimeoutException.class)
                .isNotInstanceOf(CancellationException.class));
  }

  /** The first cause remains. */
  @Test
  void cause() throws Exception {
    run(
        () -> {
          assertNotDone(BACKGROUND);
          causeOfOne();
          causeOfParentOrChild();
          causeWithTimeouts();
        });
  }

  @Test
  void causeRace() throws Exception {
    run(
        () -> {
          Cancelable c = BACKGROUND.withCancel();
          Go.go(() -> c.cancel(parentCause));
          Until.until(() -> c.cause() != null);
          assertThat(c.cause()).isSameAs(parentCause);
        });
  }

  @Test
  void afterFuncCalledAfterCancel() throws Exception {
    run(
        () -> {
          Cancelable c = BACKGROUND.withCancel();
          Chan<Void> called = Chan.make();
          Runnable takeBack = c.onDone(called::close);
          Until.othersHaveRun();
          assertThat(called.isClosed()).isFalse();
          c.cancel();
          assertThat(called.receive()).isNull();
          takeBack.run();
        });
  }

  @Test
  void afterFuncCalledAfterTimeout() throws Exception {
    run(
        () -> {
          Chan<Throwable> called = Chan.make(1);
          Context c = BACKGROUND.withTimeout(SHORT);
          c.onDone(() -> called.trySend(c.err()));
          assertThat(called.receive()).isInstanceOf(TimeoutException.class);
        });
  }

  @Test
  void afterFuncCalledImmediately() throws Exception {
    run(
        () -> {
          Cancelable c = BACKGROUND.withCancel();
          c.cancel();
          Chan<Void> called = Chan.make();
          c.onDone(called::close);
          assertThat(called.receive()).isNull();
        });
  }

  @Test
  void afterFuncNotCalledAfterStop() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    run(
        () -> {
          Cancelable c = BACKGROUND.withCancel();
          Runnable takeBack = c.onDone(() -> calls.addAndGet(1));
          c.onDone(() -> calls.addAndGet(100));
          takeBack.run();
          c.cancel();
          takeBack.run();
        });
    assertThat(calls).hasValue(100);
  }

  /** The cancelling caller does not wait for it. */
  @Test
  void afterFuncCalledAsynchronously() throws Exception {
    run(
        () -> {
          Cancelable c = BACKGROUND.withCancel();
          Chan<String> unbuffered = Chan.make();
          c.onDone(() -> sendFrom(unbuffered));
          c.cancel();
          assertThat(unbuffered.receive()).isEqualTo("called");
        });
  }

  /** A reader that sees the error finds the context done. */
  @Test
  void contextErrDoneRace() throws Exception {
    run(
        () -> {
          for (int i = 0; i < 5000; i++) {
            Cancelable c = BACKGROUND.withCancel();
            Go.go(() -> c.cancel());
            while (c.err() == null) {
              spinOnSeveralPs();
            }
            assertThat(isDone(c)).as("an error, and not done").isTrue();
          }
        });
  }

  private void spinOnSeveralPs() {
    if (procs == 1) {
      Go.gosched();
    } else {
      Thread.onSpinWait();
    }
  }

  private static Context inSoon() {
    return BACKGROUND.withDeadline(Instant.now().plus(SHORT));
  }

  private static void assertValues(Context c, String v1, String v2, String v3) {
    assertThat(c.value(K1)).isEqualTo(v1);
    assertThat(c.value(K2)).isEqualTo(v2);
    assertThat(c.value(K3)).isEqualTo(v3);
  }

  /** Four children each, about a hundred in all. */
  private static List<Cancelable> tree() {
    List<Cancelable> all = new ArrayList<>(List.of(BACKGROUND.withCancel()));
    Queue<Cancelable> leaves = new ArrayDeque<>(all);
    while (all.size() < 100) {
      Cancelable parent = leaves.remove();
      for (int i = 0; i < 4; i++) {
        Cancelable child = parent.withCancel();
        all.add(child);
        leaves.add(child);
      }
    }
    return all;
  }

  private void causeOfOne() throws InterruptedException {
    Cancelable plain = BACKGROUND.withCancel();
    plain.cancel();
    assertCancelled(plain);
    assertThat(plain.cause()).isSameAs(plain.err());

    Cancelable told = BACKGROUND.withCancel();
    assertThatNullPointerException().isThrownBy(() -> told.cancel(null));
    assertNotDone(told);
    told.cancel(parentCause);
    assertCancelled(told);
    assertThat(told.cause()).isSameAs(parentCause);
  }

  private void causeOfParentOrChild() throws InterruptedException {
    for (boolean parentFirst : new boolean[] {true, false}) {
      Cancelable parent = BACKGROUND.withCancel();
      Cancelable child = parent.withCancel();
      Cancelable quiet = parent.withCancel();
      if (parentFirst) {
        parent.cancel(parentCause);
      }
      child.cancel(childCause);
      quiet.cancel();
      parent.cancel(parentCause);
      assertCancelled(parent, child, quiet);
      assertThat(parent.cause()).isSameAs(parentCause);
      assertThat(child.cause()).isSameAs(parentFirst ? parentCause : childCause);
      assertThat(quiet.cause()).isSameAs(parentFirst ? parentCause : quiet.err());
    }
  }

  private void causeWithTimeouts() throws InterruptedException {
    Cancelable parent = BACKGROUND.withCancel();
    Cancelable over = parent.withTimeout(Duration.ZERO);
    Cancelable open = parent.withTimeout(LONG);
    over.cancel();
    parent.cancel(parentCause);
    awaitTimeout(over);
    assertThat(over.cause()).isSameAs(over.err());
    assertCancelled(open);
    assertThat(open.cause()).isSameAs(parentCause);
  }

  private static void sendFrom(Chan<String> c) {
    try {
      c.send("called");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Many contexts of all kinds, each a child of the previous one. */
  private static final class Layers {
    private final long seed;
    private final Random random;
    private final List<Key<Integer>> keys = new ArrayList<>();
    private final List<Cancelable> cancels = new ArrayList<>();
    private boolean hasTimer;
    private Context last = BACKGROUND;

    Layers(long seed, Duration timeout) {
      this.seed = seed;
      this.random = new Random(seed);
      for (int i = 0; i < 30 || !hasTimer || cancels.size() < 2 || keys.isEmpty(); i++) {
        last = add(timeout);
      }
    }

    private Context add(Duration timeout) {
      int kind = random.nextInt(3);
      if (kind == 0) {
        Key<Integer> key = Key.of("key");
        keys.add(key);
        return last.withValue(key, keys.size());
      }
      hasTimer |= kind == 1;
      Cancelable next = kind == 1 ? last.withTimeout(timeout) : last.withCancel();
      cancels.add(next);
      return next;
    }

    void cancelOne() {
      cancels.get(random.nextInt(cancels.size())).cancel();
    }

    void assertValues() {
      for (int i = 0; i < keys.size(); i++) {
        assertThat(last.value(keys.get(i))).as("%s", this).isEqualTo(i + 1);
      }
    }

    @Override
    public String toString() {
      return "layers of seed " + seed + ": " + last;
    }
  }
}
