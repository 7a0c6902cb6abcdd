package io.heddle.internal.queue;

import static io.heddle.internal.queue.Item.items;
import static io.heddle.internal.queue.Item.range;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.internal.base.Duel;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of {@link RunQueue}, including its races, with real threads. The file is long
 * because each rule of the queue is tried by its owner, by thieves, and by both at once.
 */
class RunQueueTest {
  private final List<List<Integer>> batches = new ArrayList<>();
  private final RunQueue<Item> queue = new RunQueue<>(this::collect);

  @Test
  void q1_ringHolds256AndOneMoreRunsNext() {
    putFirst(256, queue);
    queue.put(new Item(256), true);

    assertThat(batches).isEmpty();
    assertThat(queue.size()).isEqualTo(257);
    assertThat(queue.isEmpty()).isFalse();
  }

  @Test
  void q1_newQueueIsEmpty() {
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.size()).isZero();
    assertThat(queue.takeNext()).isNull();
    assertThat(queue.takeHead()).isNull();
    assertThat(queue.stealInto(new RunQueue<>(this::collect), true)).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -2, 0, 1, 3, 255})
  void q1_capacityIsAPowerOfTwo(int capacity) {
    assertThatThrownBy(() -> new RunQueue<Item>(capacity, this::collect))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("capacity " + capacity + ": allowed is a power of two from 2 on");
  }

  @Test
  void peekSeesTheOldestOfTheRing() {
    putFirst(5, queue);
    queue.takeHead();
    queue.put(new Item(9), true);
    List<Integer> seen = new ArrayList<>();
    queue.peek(3, item -> seen.add(item.id));
    assertThat(seen).containsExactly(1, 2, 3);
    queue.peek(100, item -> seen.add(item.id));
    assertThat(seen).containsExactly(1, 2, 3, 1, 2, 3, 4);
    assertThat(queue.size()).as("nothing is taken").isEqualTo(5);
  }

  @Test
  void q2_putAppendsToTheTail() {
    putFirst(3, queue);

    assertThat(queue.takeNext()).isNull();
    assertThat(drain(queue)).containsExactly(0, 1, 2);
  }

  @Test
  void q2_putNextMovesOldRunNextToTheTail() {
    Item[] items = items(4);
    queue.put(items[0], false);
    queue.put(items[1], true);
    queue.put(items[2], true);
    queue.put(items[3], false);

    assertThat(queue.takeNext()).isSameAs(items[2]);
    assertThat(drain(queue)).containsExactly(0, 1, 3);
  }

  @Test
  void q2_offerIsRefusedIfRunNextIsTaken() {
    Item[] items = items(3);

    assertThat(queue.offerNext(items[0])).isTrue();
    assertThat(queue.isEmpty()).isFalse();
    assertThat(queue.offerNext(items[1])).isFalse();
    assertThat(queue.takeNext()).isSameAs(items[0]);
    assertThat(queue.offerNext(items[2])).isTrue();
    assertThat(queue.pollNextShared()).isSameAs(items[2]);
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void q2_putNextMovesOfferedElementToTheTail() {
    Item[] items = items(3);
    queue.put(items[0], false);
    queue.offerNext(items[1]);

    assertThat(queue.put(items[2], true)).isTrue();
    assertThat(queue.takeNext()).isSameAs(items[2]);
    assertThat(drain(queue)).containsExactly(0, 1);
  }

  @Test
  void q2_offerIsWithdrawnUnlessTaken() {
    Item[] items = items(2);
    queue.offerNext(items[0]);

    assertThat(queue.withdrawNext(items[0])).isTrue();
    assertThat(queue.withdrawNext(items[0])).as("a second time").isFalse();
    assertThat(queue.isEmpty()).isTrue();
    queue.offerNext(items[0]);
    queue.put(items[1], true);
    assertThat(queue.withdrawNext(items[0])).as("kicked to the ring").isFalse();
    assertThat(queue.takeNext()).isSameAs(items[1]);
    assertThat(drain(queue)).containsExactly(0);
  }

  @Test
  void q3_fullRingMovesHalfAndTheNewElementInOneBatch() {
    putFirst(257, queue);

    List<Integer> expected = new ArrayList<>(range(0, 128));
    expected.add(256);
    assertThat(batches).containsExactly(expected);
    assertThat(expected).hasSize(129);
    assertThat(drain(queue)).isEqualTo(range(128, 256));
  }

  @Test
  void q3_oldRunNextOverflowsInsteadOfTheNewElement() {
    Item[] items = items(6);
    RunQueue<Item> small = new RunQueue<>(4, this::collect);
    putAll(small, items[0], items[1], items[2], items[3]);
    small.put(items[4], true);
    small.put(items[5], true);

    assertThat(batches).containsExactly(List.of(0, 1, 4));
    assertThat(small.takeNext()).isSameAs(items[5]);
    assertThat(drain(small)).containsExactly(2, 3);
  }

  @Test
  void q3_overflowAfterOverflowKeepsEveryElement() {
    putFirst(10_000, queue);

    List<Integer> all = new ArrayList<>(drain(queue));
    batches.forEach(all::addAll);
    assertThat(all).containsExactlyInAnyOrderElementsOf(range(0, 10_000));
    assertThat(batches).allSatisfy(batch -> assertThat(batch).hasSize(129).isSorted());
  }

  @Test
  void q4_runNextIsNotPartOfTheRing() {
    Item[] items = items(2);
    queue.put(items[0], false);
    queue.put(items[1], true);

    assertThat(queue.takeNext()).isSameAs(items[1]);
    assertThat(queue.takeNext()).isNull();
    assertThat(queue.takeHead()).isSameAs(items[0]);
    assertThat(queue.takeHead()).isNull();
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void q4_takeHeadLeavesRunNext() {
    queue.put(new Item(0), true);

    assertThat(queue.takeHead()).isNull();
    assertThat(queue.isEmpty()).isFalse();
  }

  @Test
  void q8_indicesMayWrapAround() {
    for (int start : new int[] {-3, Integer.MAX_VALUE - 3}) {
      RunQueue<Item> small = new RunQueue<>(4, this::collect);
      Indices.set(small, start, start);
      putFirst(5, small);

      assertThat(batches).containsExactly(List.of(0, 1, 4));
      assertThat(small.size()).isEqualTo(2);
      assertThat(small.stealInto(new RunQueue<>(4, this::collect), false).id).isEqualTo(2);
      assertThat(drain(small)).containsExactly(3);
      assertThat(small.isEmpty()).isTrue();
      batches.clear();
    }
  }

  /** Also tests rule F4: the ring is small, so that readers often see head and tail torn apart. */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 256})
  void q8_ownerAndThiefGetEachElementOnce(int capacity) {
    int perRound = 8;
    int rounds = 20_000;
    AtomicIntegerArray taken = new AtomicIntegerArray(perRound * rounds);
    RunQueue<Item> victim = new RunQueue<>(capacity, (head, _, _) -> countChain(head, taken));
    RunQueue<Item> thief = new RunQueue<>(capacity, this::collect);

    Duel.fight(
        rounds,
        new Duel.Round() {
          @Override
          public void left(int round) {
            for (int i = 0; i < perRound; i++) {
              victim.put(new Item(round * perRound + i), i % 3 == 0);
            }
            count(victim.takeNext(), taken);
            count(victim.takeHead(), taken);
            count(victim.takeHead(), taken);
          }

          @Override
          public void right(int round) {
            for (int i = 0; i < 3; i++) {
              count(victim.stealInto(thief, i == 2), taken);
              drain(thief).forEach(taken::incrementAndGet);
            }
          }
        });
    count(victim.takeNext(), taken);
    drain(victim).forEach(taken::incrementAndGet);

    assertThat(batches).isEmpty();
    for (int i = 0; i < taken.length(); i++) {
      assertThat(taken.get(i)).as("item %d", i).isEqualTo(1);
    }
  }

  /** A thread offers an element and withdraws it, against the owner and against other takers. */
  @Test
  void q8_offeredElementIsTakenOrWithdrawnOnce() {
    AtomicIntegerArray taken = new AtomicIntegerArray(20_000);
    RunQueue<Item> thief = new RunQueue<>(this::collect);
    Duel.fight(
        taken.length(),
        new Duel.Round() {
          @Override
          public void left(int round) {
            Item item = new Item(round);
            assertThat(queue.offerNext(item)).isTrue();
            if (queue.withdrawNext(item)) {
              count(item, taken);
            }
          }

          @Override
          public void right(int round) {
            count(
                switch (round % 3) {
                  case 0 -> queue.takeNext();
                  case 1 -> queue.pollNextShared();
                  default -> queue.stealInto(thief, true);
                },
                taken);
          }

          @Override
          public void judge(int round) {
            assertThat(taken.get(round)).isEqualTo(1);
            assertThat(queue.isEmpty()).isTrue();
          }
        });
  }

  /** The owner puts an element while another thread offers one: neither is lost. */
  @Test
  void q8_racingOfferAndPutLoseNoElement() {
    Item[] items = items(2);
    Duel.fight(
        20_000,
        new Duel.Round() {
          private boolean refused;

          @Override
          public void left(int round) {
            queue.put(items[0], true);
          }

          @Override
          public void right(int round) {
            refused = !queue.offerNext(items[1]);
          }

          @Override
          public void judge(int round) {
            assertThat(queue.takeNext()).isSameAs(items[0]);
            assertThat(queue.takeHead()).isSameAs(refused ? null : items[1]);
            assertThat(queue.isEmpty()).isTrue();
          }
        });
  }

  @Test
  void f3_stealTakesHalfRoundedUp() {
    for (int fill = 0; fill <= 256; fill++) {
      RunQueue<Item> victim = new RunQueue<>(this::collect);
      RunQueue<Item> thief = new RunQueue<>(this::collect);
      putFirst(fill, victim);

      Item last = victim.stealInto(thief, false);
      List<Integer> stolen = new ArrayList<>(drain(thief));
      if (last != null) {
        stolen.add(last.id);
      }

      int half = (fill + 1) / 2;
      assertThat(stolen).as("of %d", fill).isEqualTo(range(0, half));
      assertThat(drain(victim)).as("of %d", fill).isEqualTo(range(half, fill));
    }
    assertThat(batches).isEmpty();
  }

  @Test
  void f3_stealAppendsToWhatTheThiefHas() {
    Item[] items = items(130);
    RunQueue<Item> thief = new RunQueue<>(this::collect);
    Indices.set(thief, 200, 200); // so that the copy wraps around the end of the thief's ring
    thief.put(items[129], false);
    putFirst(129, queue);

    assertThat(queue.stealInto(thief, false).id).isEqualTo(64);
    assertThat(thief.takeHead()).isSameAs(items[129]);
    assertThat(drain(thief)).isEqualTo(range(0, 64));
  }

  @Test
  void f3_runNextIsStolenOnlyIfAskedAndTheRingIsEmpty() {
    Item[] items = items(2);
    RunQueue<Item> thief = new RunQueue<>(this::collect);
    queue.put(items[0], false);
    queue.put(items[1], true);

    assertThat(queue.stealInto(thief, true)).isSameAs(items[0]);
    assertThat(queue.stealInto(thief, false)).isNull();
    assertThat(queue.stealInto(thief, true)).isSameAs(items[1]);
    assertThat(queue.stealInto(thief, true)).isNull();
    assertThat(thief.isEmpty()).isTrue();
    assertThat(queue.isEmpty()).isTrue();
  }

  /**
   * Head is set too far back, as a descheduled thief would have read it, and is corrected during
   * the theft.
   */
  @Test
  void f4_thiefReadsAgainWhenHeadAndTailAreTornApart() {
    RunQueue<Item> victim = new RunQueue<>(this::collect);
    RunQueue<Item> thief = new RunQueue<>(this::collect);
    List<Integer> stolen = new ArrayList<>();
    Duel.fight(
        2_000,
        new Duel.Round() {
          @Override
          public void prepare(int round) {
            putFirst(200, victim);
            Indices.set(victim, -100, 200);
          }

          @Override
          public void left(int round) {
            stolen.add(victim.stealInto(thief, false).id);
          }

          @Override
          public void right(int round) {
            Thread.yield();
            Indices.setHead(victim, 0);
          }

          @Override
          public void judge(int round) {
            stolen.addAll(0, drain(thief));
            assertThat(stolen).isEqualTo(range(0, 100));
            stolen.clear();
            assertThat(drain(victim)).isEqualTo(range(100, 200));
            Indices.set(victim, 0, 0);
            Indices.set(thief, 0, 0);
          }
        });
  }

  /**
   * Go's TestSchedLocalQueueEmpty: one element is always in the queue, and moving it between
   * runNext and the ring does not hide it.
   */
  @Test
  void f6_emptinessIsNeverSpurious() {
    Item[] items = items(2);
    Duel.fight(
        100_000,
        new Duel.Round() {
          @Override
          public void prepare(int round) {
            queue.put(items[0], (round & 1) == 0);
          }

          @Override
          public void left(int round) {
            queue.put(items[1], (round & 2) == 0);
            takeAny();
          }

          @Override
          public void right(int round) {
            assertThat(queue.isEmpty()).isFalse();
          }

          @Override
          public void judge(int round) {
            takeAny();
            assertThat(queue.isEmpty()).isTrue();
          }
        });
  }

  private void takeAny() {
    if (queue.takeNext() == null) {
      assertThat(queue.takeHead()).isNotNull();
    }
  }

  private void collect(Item first, Item last, int n) {
    List<Integer> batch = Item.ids(first);
    assertThat(batch).hasSize(n).last().isEqualTo(last.id);
    batches.add(batch);
  }

  private static void putFirst(int n, RunQueue<Item> into) {
    putAll(into, items(n));
  }

  private static void putAll(RunQueue<Item> into, Item... items) {
    for (Item item : items) {
      into.put(item, false);
    }
  }

  private static List<Integer> drain(RunQueue<Item> queue) {
    List<Integer> ids = new ArrayList<>();
    for (Item item = queue.takeHead(); item != null; item = queue.takeHead()) {
      ids.add(item.id);
    }
    return ids;
  }

  private static void count(Item item, AtomicIntegerArray taken) {
    if (item != null) {
      taken.incrementAndGet(item.id);
    }
  }

  private static void countChain(Item chain, AtomicIntegerArray taken) {
    Item.ids(chain).forEach(taken::incrementAndGet);
  }

  /** Sets head and tail to values that tests could not reach by putting. */
  private static final class Indices {
    private static final VarHandle HEAD = find("head");
    private static final VarHandle TAIL = find("tail");

    static void set(RunQueue<Item> queue, int head, int tail) {
      setHead(queue, head);
      TAIL.setVolatile(queue, tail);
    }

    static void setHead(RunQueue<Item> queue, int head) {
      HEAD.setVolatile(queue, head);
    }

    private static VarHandle find(String name) {
      try {
        return MethodHandles.privateLookupIn(RunQueue.class, MethodHandles.lookup())
            .findVarHandle(RunQueue.class, name, int.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }
  }
}
