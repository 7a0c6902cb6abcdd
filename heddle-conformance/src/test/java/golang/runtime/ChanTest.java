package golang.runtime;

import static io.heddle.Select.orElse;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static io.heddle.Select.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import golang.GoProgram;
import io.heddle.Case;
import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.WaitGroup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Channels and selects, and races for them. The file is long because it has the tests of one file
 * of Go.
 */
class ChanTest extends GoProgram {
  private static final int CAPACITIES = 20;
  private static final int RACES = 1_000;

  @FunctionalInterface
  private interface OfCapacity {
    void test(int capacity) throws Exception;
  }

  private void forEachCapacity(OfCapacity each) throws Exception {
    program(
        () -> {
          for (int capacity = 0; capacity < CAPACITIES; capacity++) {
            each.test(capacity);
          }
        });
  }

  @Test
  void chanReceiveFromEmptyBlocks() throws Exception {
    forEachCapacity(
        capacity -> {
          Chan<Integer> c = Chan.make(capacity);
          Goroutine first = untilWaiting(go(c::receive), "chan receive");
          Goroutine second = untilWaiting(go(c::receive), "chan receive");
          assertThat(c.tryReceive()).isNull();
          Case<Void> nothing = orElse();
          assertThat(select(recv(c), nothing)).isSameAs(nothing);
          assertThat(first.waitReason()).isEqualTo("chan receive");
          c.send(0);
          first.join();
          assertThat(second.waitReason()).isEqualTo("chan receive");
          c.send(0);
        });
  }

  @Test
  void chanSendToFullBlocks() throws Exception {
    forEachCapacity(
        capacity -> {
          Chan<Integer> c = full(capacity);
          Goroutine sender = untilWaiting(go(() -> c.send(capacity)), "chan send");
          assertThat(c.trySend(-1)).isFalse();
          Case<Void> nothing = orElse();
          assertThat(select(send(c, -1), nothing)).isSameAs(nothing);
          for (int i = 0; i <= capacity; i++) {
            assertThat(c.receive()).isEqualTo(i);
          }
          sender.join();
        });
  }

  @Test
  void chanClosedGivesWhatIsLeftThenTheEnd() throws Exception {
    forEachCapacity(
        capacity -> {
          Chan<Integer> c = full(capacity);
          c.close();
          for (int i = 0; i < capacity; i++) {
            assertThat(c.receive()).isEqualTo(i);
          }
          assertThat(c.receive()).isNull();
          assertThat(c.tryReceive()).isNull();
        });
  }

  @Test
  void chanCloseUnblocksReceive() throws Exception {
    forEachCapacity(
        capacity -> {
          Chan<Integer> c = Chan.make(capacity);
          Chan<Boolean> sawTheEnd = Chan.make();
          untilWaiting(go(() -> sawTheEnd.send(c.receive() == null)), "chan receive");
          c.close();
          assertThat(sawTheEnd.receive()).isTrue();
        });
  }

  @Test
  void chanKeepsTheOrder() throws Exception {
    forEachCapacity(
        capacity -> {
          Chan<Integer> c = Chan.make(capacity);
          go(() -> sendUpTo(100, c));
          for (int i = 0; i < 100; i++) {
            assertThat(c.receive()).isEqualTo(i);
          }
        });
  }

  @Test
  void chanManyToMany() throws Exception {
    int goroutines = 4;
    int each = 250;
    forEachCapacity(
        capacity -> {
          Chan<Integer> c = Chan.make(capacity);
          AtomicIntegerArray counts = new AtomicIntegerArray(each);
          List<Goroutine> receivers = new ArrayList<>();
          for (int i = 0; i < goroutines; i++) {
            go(() -> sendUpTo(each, c));
            receivers.add(go(() -> count(each, c, counts)));
          }
          for (Goroutine g : receivers) {
            g.join();
          }
          assertThat(IntStream.range(0, each).map(counts::get)).containsOnly(goroutines);
        });
  }

  private static void count(int n, Chan<Integer> c, AtomicIntegerArray counts)
      throws InterruptedException {
    for (int i = 0; i < n; i++) {
      counts.incrementAndGet(c.receive());
    }
  }

  @Test
  void chanLengthAndCapacity() throws Exception {
    forEachCapacity(
        capacity -> {
          assertThat(Chan.make(capacity).length()).isZero();
          assertThat(full(capacity).length()).isEqualTo(capacity);
          assertThat(full(capacity).capacity()).isEqualTo(capacity);
        });
  }

  private static Chan<Integer> full(int capacity) throws InterruptedException {
    Chan<Integer> c = Chan.make(capacity);
    sendUpTo(capacity, c);
    return c;
  }

  private static void sendUpTo(int n, Chan<Integer> c) throws InterruptedException {
    for (int i = 0; i < n; i++) {
      c.send(i);
    }
  }

  /** A closed channel is always ready, whichever goroutine takes the remaining values. */
  @Test
  void nonblockRecvRace() throws Exception {
    program(
        () -> {
          for (int i = 0; i < RACES; i++) {
            Chan<Integer> c = full(1);
            Case<Integer> received = recv(c);
            Goroutine g = go(() -> assertThat(select(received, orElse())).isSameAs(received));
            c.close();
            c.receive();
            g.join();
          }
        });
  }

  /**
   * One of the two channels is ready at every moment: a select must not check each at a moment when
   * it is not.
   */
  @Test
  void nonblockSelectRace() throws Exception {
    program(
        () -> {
          for (int i = 0; i < RACES; i++) {
            Chan<Integer> second = Chan.make(1);
            raceFor(second, i % 2 == 0, i % 4 < 2, () -> second.trySend(1));
          }
        });
  }

  @Test
  void nonblockSelectRace2() throws Exception {
    program(
        () -> {
          for (int i = 0; i < RACES; i++) {
            Chan<Integer> second = Chan.make();
            raceFor(second, i % 2 == 0, i % 4 < 2, second::close);
          }
        });
  }

  private void raceFor(Chan<Integer> second, boolean inOrder, boolean together, Runnable makeReady)
      throws InterruptedException {
    Chan<Integer> first = full(1);
    Case<?> one = recv(inOrder ? first : second);
    Case<?> other = recv(inOrder ? second : first);
    Case<Void> nothing = orElse();
    AtomicBoolean begun = new AtomicBoolean();
    Goroutine g =
        go(
            () -> {
              begun.set(true);
              assertThat(select(one, other, nothing)).isNotSameAs(nothing);
            });
    while (together && !begun.get()) {
      Go.gosched();
    }
    makeReady.run();
    first.tryReceive();
    g.join();
  }

  @Test
  void selfSelect() throws Exception {
    for (int capacity : new int[] {0, 10}) {
      program(
          () -> {
            Chan<Integer> c = Chan.make(capacity);
            go(() -> sendOrReceive(c, 0));
            go(() -> sendOrReceive(c, 1));
          });
    }
  }

  private static void sendOrReceive(Chan<Integer> c, int me) throws InterruptedException {
    for (int i = 0; i < 1_000; i++) {
      Case<Integer> sent = send(c, me);
      Case<Integer> received = recv(c);
      Case<?> fired = me == 0 || i % 2 == 0 ? select(sent, received) : select(received, sent);
      if (fired == received && c.capacity() == 0) {
        assertThat(received.value()).isNotEqualTo(me);
      }
    }
  }

  /** Sends, receives, and selects of both kinds, on the same four channels: none may be lost. */
  @Test
  void selectStress() throws Exception {
    int each = 5_000;
    program(
        () -> {
          List<Chan<Integer>> all = List.of(Chan.make(), Chan.make(), Chan.make(2), Chan.make(3));
          WaitGroup group = new WaitGroup();
          group.add(10);
          for (Chan<Integer> c : all) {
            go(() -> times(each, () -> c.send(0), group));
            go(() -> times(each, c::receive, group));
          }
          Case<?>[] sends = all.reversed().stream().map(c -> send(c, 0)).toArray(Case<?>[]::new);
          Case<?>[] receives = all.stream().map(c -> recv(c)).toArray(Case<?>[]::new);
          go(() -> selectEach(each, sends, group));
          go(() -> selectEach(each, receives, group));
          group.await();
          assertThat(all).allMatch(c -> c.length() == 0);
        });
  }

  @FunctionalInterface
  private interface Step {
    void run() throws InterruptedException;
  }

  private static void times(int n, Step step, WaitGroup group) throws InterruptedException {
    for (int i = 0; i < n; i++) {
      step.run();
    }
    group.done();
  }

  /** Runs until each case was chosen often enough; then the case is left out. */
  private static void selectEach(int n, Case<?>[] cases, WaitGroup group)
      throws InterruptedException {
    Case<?>[] open = cases.clone();
    int[] done = new int[cases.length];
    for (int i = 0; i < n * cases.length; i++) {
      int fired = Arrays.asList(cases).indexOf(select(open));
      if (++done[fired] == n) {
        open[fired] = recv(null);
      }
    }
    assertThat(done).containsOnly(n);
    group.done();
  }

  /** Ten standard deviations, so that chance alone does not fail the test. */
  @Test
  void selectFairness() throws Exception {
    int trials = 10_000;
    endlessProgram(
        () -> {
          Chan<Integer> ones = Chan.make(trials + 1);
          Chan<Integer> twos = Chan.make(trials + 1);
          for (int i = 0; i <= trials; i++) {
            ones.send(1);
            twos.send(2);
          }
          Chan<Integer> out = Chan.make();
          go(() -> forwardAnyOf(List.of(Chan.make(), Chan.make(), ones, twos), out));
          int countOfOnes = 0;
          for (int i = 0; i < trials; i++) {
            countOfOnes += out.receive() == 1 ? 1 : 0;
          }
          double deviation = Math.sqrt(trials * 0.5 * 0.5);
          assertThat((double) countOfOnes).isCloseTo(trials / 2.0, within(10 * deviation));
        });
  }

  private static void forwardAnyOf(List<Chan<Integer>> from, Chan<Integer> out)
      throws InterruptedException {
    Case<?>[] any = from.stream().map(c -> recv(c)).toArray(Case<?>[]::new);
    while (true) {
      out.send((Integer) select(any).value());
    }
  }

  @Test
  void chanSendInterface() throws Exception {
    program(
        () -> {
          record Thing() {}
          Thing first = new Thing();
          Chan<Record> c = Chan.make(1);
          c.send(first);
          Case<Void> nothing = orElse();
          assertThat(select(send(c, first), nothing)).isSameAs(nothing);
          assertThat(select(send(c, first), send(c, new Thing()), nothing)).isSameAs(nothing);
          assertThat(c.receive()).isSameAs(first);
        });
  }

  @Test
  void pseudoRandomSend() throws Exception {
    int n = 100;
    for (int capacity : new int[] {0, n}) {
      program(
          () -> {
            Chan<Integer> c = Chan.make(capacity);
            Chan<Integer> sum = Chan.make();
            go(() -> sum.send(receiveAll(n, c)));
            for (int i = 0; i < n; i++) {
              select(send(c, 1), send(c, 0));
            }
            assertThat(sum.receive()).isStrictlyBetween(n / 10, n - n / 10);
          });
    }
  }

  private static int receiveAll(int n, Chan<Integer> c) throws InterruptedException {
    int sum = 0;
    for (int i = 0; i < n; i++) {
      Go.gosched();
      sum += c.receive();
    }
    return sum;
  }

  @Test
  void multiConsumer() throws Exception {
    int workers = 23;
    int items = 20_000;
    program(
        () -> {
          Chan<Integer> work = Chan.make(workers * 3);
          Chan<Integer> results = Chan.make(workers * 3);
          WaitGroup group = new WaitGroup();
          group.add(workers);
          for (int i = 0; i < workers; i++) {
            int odd = i;
            go(() -> consume(work, results, odd, group));
          }
          go(
              () -> {
                sendUpTo(items, work);
                work.close();
                group.await();
                results.close();
              });
          long count = 0;
          long sum = 0;
          for (int v : results) {
            count++;
            sum += v;
          }
          assertThat(count).isEqualTo(items);
          assertThat(sum).isEqualTo((long) items * (items - 1) / 2);
        });
  }

  private static void consume(Chan<Integer> work, Chan<Integer> results, int odd, WaitGroup group)
      throws InterruptedException {
    for (int v : work) {
      if (v % 23 == odd) {
        Go.gosched();
      }
      results.send(v);
    }
    group.done();
  }

  /** In Heddle this is a virtual thread's stack, which is in the heap while it waits. */
  @Test
  void shrinkStackDuringBlockedSend() throws Exception {
    int n = 10;
    program(
        () -> {
          Chan<Integer> c = Chan.make();
          Goroutine sender =
              go(
                  () -> {
                    for (int i = 0; i < n; i++) {
                      c.send(i);
                      assertThat(recurse(200)).isEqualTo(200);
                    }
                  });
          for (int i = 0; i < n; i++) {
            untilWaiting(sender, "chan send");
            if (i % 3 == 0) {
              System.gc();
            }
            assertThat(c.receive()).isEqualTo(i);
          }
        });
  }

  private static int recurse(int depth) {
    return depth == 0 ? 0 : 1 + recurse(depth - 1);
  }

  @Test
  void selectDuplicateChannel() throws Exception {
    program(
        () -> {
          Chan<Integer> twice = Chan.make();
          Chan<Integer> once = Chan.make();
          Goroutine a =
              untilWaiting(go(() -> select(recv(twice), recv(twice), recv(once))), "select");
          Chan<Integer> got = Chan.make();
          untilWaiting(go(() -> got.send(twice.receive())), "chan receive");
          once.send(7);
          a.join();
          twice.send(8);
          assertThat(got.receive()).isEqualTo(8);
        });
  }

  /** The target of a losing case keeps its value, even if its channel is in the select twice. */
  @Test
  void selectStackAdjust() throws Exception {
    program(
        () -> {
          Chan<Integer> silent = Chan.make();
          Chan<Integer> closing = Chan.make();
          List<Goroutine> selects =
              Stream.of(false, true)
                  .map(twice -> go(() -> keepsItsValue(silent, closing, twice)))
                  .toList();
          for (Goroutine g : selects) {
            untilWaiting(g, "select");
          }
          System.gc();
          closing.close();
        });
  }

  private static void keepsItsValue(Chan<Integer> silent, Chan<Integer> closing, boolean twice)
      throws InterruptedException {
    int[] value = {42};
    Case<Integer> loser = recv(silent, v -> value[0] = -1);
    Case<?> fired =
        select(
            loser,
            recv(twice ? silent : null, v -> value[0] = -2),
            recv(closing, v -> value[0]++),
            recv(twice ? closing : null, v -> value[0]++));
    assertThat(fired.value()).isNull();
    assertThat(value).containsExactly(43);
    assertThat(recurse(200)).isEqualTo(200);
  }
}
