package io.heddle;

import static io.heddle.Select.after;
import static io.heddle.Select.orElse;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static io.heddle.Select.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Select executes exactly one case, chosen at random among the ready cases. */
@HangGuard
class SelectTest {
  private static final Duration LONG = Duration.ofDays(1);

  private final Chan<Integer> a = Chan.make(1);
  private final Chan<Integer> b = Chan.make(1);

  @Test
  void readyCaseFires() throws Exception {
    b.send(7);
    Case<Integer> second = recv(b);
    assertThat(select(recv(a), second)).isSameAs(second);
    assertThat(second.value()).isEqualTo(7);
    Case<Integer> sending = send(a, 8);
    assertThat(select(recv(b), sending)).isSameAs(sending);
    assertThat(a.receive()).isEqualTo(8);
  }

  @Test
  void handlerRunsInTheCallerBeforeSelectReturns() throws Exception {
    a.send(1);
    AtomicReference<Thread> where = new AtomicReference<>();
    select(recv(a, v -> where.set(Thread.currentThread())), after(LONG));
    assertThat(where).hasValue(Thread.currentThread());
    assertThatThrownBy(
            () ->
                select(
                    orElse(
                        () -> {
                          throw new IllegalStateException("from the handler");
                        })))
        .hasMessage("from the handler");
  }

  @Test
  void orElseFiresWhenNoOtherCaseIsReady() throws Exception {
    Case<Void> otherwise = orElse();
    assertThat(select(recv(a), otherwise)).isSameAs(otherwise);
    a.send(1);
    assertThat(select(recv(a), otherwise)).isNotSameAs(otherwise);
    assertThatThrownBy(() -> select(orElse(), orElse()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void nullChannelIsNeverReady() throws Exception {
    Case<Void> otherwise = orElse();
    assertThat(select(recv((Chan<Integer>) null), send(null, 1), otherwise)).isSameAs(otherwise);
  }

  @Test
  void closedChannelIsAlwaysReady() throws Exception {
    a.close();
    Case<Integer> receiving = recv(a);
    assertThat(select(receiving, after(LONG))).isSameAs(receiving);
    assertThat(receiving.value()).isNull();
    assertThatThrownBy(() -> select(send(a, 1), after(LONG)))
        .isInstanceOf(ClosedChanException.class);
    assertThat(b.trySend(1)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void timeLimitFires(boolean onGoroutine) throws Exception {
    Case<Void> limit = after(Duration.ofMillis(5));
    Task waiting =
        () -> {
          for (int i = 0; i < 3; i++) { // the limit starts anew each time
            long start = System.nanoTime();
            assertThat(select(recv(a), recv(b), limit, after(LONG))).isSameAs(limit);
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(5_000_000);
          }
        };
    if (onGoroutine) {
      OneP.run(waiting);
    } else {
      waiting.run();
    }
    assertThat(select(after(Duration.ZERO), recv(a)).toString()).isEqualTo("after");
  }

  @Test
  void waitingCasesOfOneChannelAreChosenAtRandom() throws Exception {
    OneP.run(
        () -> {
          Chan<Integer> c = Chan.make();
          int[] counts = new int[3];
          for (int i = 0; i < 300; i++) {
            Goroutine g = Go.go(() -> select(send(c, 0), send(c, 1), recv(a), send(c, 2)));
            while (!g.waitReason().equals("select")) {
              Go.gosched();
            }
            counts[c.receive()]++;
          }
          assertThat(Arrays.stream(counts).min().getAsInt()).isGreaterThan(40); // of 100 each
        });
  }

  @Test
  void waitingSelectIsFiredBySender() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
      AtomicReference<Object> got = new AtomicReference<>();
      Goroutine g = scheduler.go(() -> got.set(((Case<?>) select(recv(a), recv(b))).value()));
      Await.until(g::waitReason, "select");
      b.send(3);
      g.join();
      assertThat(got).hasValue(3);
      assertThat(a.trySend(1)).isTrue();
      assertThat(a.length()).as("it does not wait there any more").isEqualTo(1);
    }
  }

  @Test
  void twoSelectsMeet() throws Exception {
    Chan<Integer> c = Chan.make();
    Chan<Integer> d = Chan.make();
    try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
      Goroutine g =
          scheduler.go(
              () -> {
                for (int i = 0; i < 1_000; i++) {
                  select(send(c, i), send(d, i));
                }
              });
      scheduler.run(
          () -> {
            for (int i = 0; i < 1_000; i++) {
              Case<?> fired = select(recv(d), recv(c));
              assertThat(fired.value()).isEqualTo(i);
            }
          });
      g.join();
    }
  }

  @Test
  void selectDoesNotSendToItself() throws Exception {
    Chan<Integer> c = Chan.make();
    Case<Void> limit = after(Duration.ofMillis(2));
    OneP.run(() -> assertThat(select(recv(c), send(c, 1), recv(c), limit)).isSameAs(limit));
    assertThat(c.tryReceive()).isNull();
    assertThat(c.trySend(1)).isFalse();
  }

  @Test
  void fourReadyChannelsAreChosenEquallyOften() throws Exception {
    int rounds = 1_000_000;
    int[] fired = new int[4];
    Case<?>[] cases = new Case<?>[4];
    for (int i = 0; i < 4; i++) {
      int me = i;
      Chan<Integer> c = Chan.make(1);
      c.send(me);
      cases[i] =
          recv(
              c,
              v -> {
                fired[v]++;
                c.send(me);
              });
    }
    for (int i = 0; i < rounds; i++) {
      select(cases);
    }
    // 250 000 each, standard deviation 433: the bound of 2 % is eleven standard deviations.
    assertThat(Arrays.stream(fired)).allMatch(count -> Math.abs(count - rounds / 4) < rounds / 200);
  }

  @Test
  void choiceIsUniform() throws Exception {
    int n = 5;
    int rounds = 50_000;
    int[] fired = new int[n];
    Chan<Integer> always = Chan.make();
    always.close();
    Case<?>[] cases = new Case<?>[n + 2];
    for (int i = 0; i < n; i++) {
      int me = i;
      cases[i] = recv(always, v -> fired[me]++);
    }
    cases[n] = recv(a); // never ready
    cases[n + 1] = recv((Chan<Integer>) null);
    for (int i = 0; i < rounds; i++) {
      select(cases);
    }
    // 10 000 each, standard deviation 89: the bound is ten standard deviations.
    assertThat(Arrays.stream(fired)).allMatch(count -> Math.abs(count - rounds / n) < 900);
  }

  @Test
  void interruptEndsSelectWithoutEffect() throws Exception {
    try (Scheduler scheduler = OneP.scheduler()) {
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      Chan<Integer> c = Chan.make();
      Goroutine g =
          scheduler.go(
              () -> {
                try {
                  select(recv(a), send(c, 1), after(LONG));
                } catch (InterruptedException e) {
                  thrown.set(e);
                }
              });
      Await.until(g::waitReason, "select");
      g.interrupt();
      g.join();
      assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
      assertThat(c.tryReceive()).isNull();
    }
  }

  @Test
  void selectWithoutCasesWaitsForever() throws Exception {
    try (Scheduler scheduler = OneP.scheduler()) {
      Goroutine g =
          scheduler.go(
              () -> {
                try {
                  select();
                } catch (InterruptedException e) {
                  // only an interrupt ends the select
                }
              });
      Await.until(g::waitReason, "select");
      g.interrupt();
      g.join();
    }
  }

  @Test
  void caseUsedTwiceInOneSelectThrows() {
    Case<Integer> one = recv(a);
    assertThatThrownBy(() -> select(one, one))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("used twice");
    assertThatThrownBy(() -> select(one, null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void caseIsUsableAfterMisuse() throws Exception {
    Case<Integer> one = recv(a);
    assertThatThrownBy(() -> select(one, one)).isInstanceOf(IllegalStateException.class);
    a.send(5);
    assertThat(select(one)).isSameAs(one);
    assertThat(one.value()).isEqualTo(5);
  }

  @Test
  void caseInUseElsewhereThrowsAndLeavesTheFirstSelectIntact() throws Exception {
    try (Scheduler scheduler = OneP.scheduler()) {
      Case<Integer> one = recv(a);
      AtomicReference<Object> got = new AtomicReference<>();
      Goroutine g = scheduler.go(() -> got.set(select(one, recv(b)).value()));
      Await.until(g::waitReason, "select");
      assertThatThrownBy(() -> select(one)).isInstanceOf(IllegalStateException.class);
      a.send(42);
      g.join();
      assertThat(got).hasValue(42);
    }
  }

  @Test
  void selectWithHundredsOfCasesFires() throws Exception {
    Chan<Integer>[] channels = channels(500);
    try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
      scheduler.go(
          () -> {
            for (int i = 0; i < 5_000; i++) {
              channels[i * 7 % 500].send(i);
            }
          });
      scheduler.run(
          () -> {
            Case<?>[] cases = Arrays.stream(channels).map(Select::recv).toArray(Case<?>[]::new);
            for (int i = 0; i < 5_000; i++) {
              assertThat(select(cases).value()).isEqualTo(i);
            }
          });
    }
  }

  /** Selects with time limits, in both directions, on shared channels: each value arrives once. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void noValueIsLostOrReceivedTwice(int procs) throws Exception {
    Chan<Integer>[] channels = channels(4);
    AtomicInteger sent = new AtomicInteger();
    AtomicInteger received = new AtomicInteger();
    int workers = 6;
    int each = 3_000;
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      for (int w = 0; w < workers; w++) {
        scheduler.go(() -> sendSome(channels, each, sent));
        scheduler.go(() -> receiveSome(channels, each, received));
      }
    }
    assertThat(sent).hasValue(workers * each);
    assertThat(received).hasValue(workers * each);
  }

  private static void sendSome(Chan<Integer>[] to, int count, AtomicInteger sent) throws Exception {
    Case<?>[] cases = {
      send(to[0], 1),
      send(to[1], 1),
      send(to[2], 1),
      send(to[3], 1),
      after(Duration.ofNanos(20_000))
    };
    for (int i = 0; i < count; ) {
      if (select(cases) != cases[4]) {
        i++;
        sent.incrementAndGet();
      }
    }
  }

  private static void receiveSome(Chan<Integer>[] from, int count, AtomicInteger received)
      throws Exception {
    Case<?>[] cases = {
      recv(from[3]), recv(from[2]), recv(from[1]), recv(from[0]), after(Duration.ofNanos(30_000))
    };
    for (int i = 0; i < count; ) {
      Case<?> fired = select(cases);
      if (fired != cases[4]) {
        assertThat(fired.value()).isEqualTo(1);
        i++;
        received.incrementAndGet();
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static Chan<Integer>[] channels(int n) {
    Chan<Integer>[] all = new Chan[n];
    Arrays.setAll(all, i -> Chan.make());
    return all;
  }
}
