package io.heddle.internal.queue;

import static io.heddle.internal.queue.Item.chain;
import static io.heddle.internal.queue.Item.ids;
import static io.heddle.internal.queue.Item.items;
import static io.heddle.internal.queue.Item.range;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.base.Duel;
import io.heddle.internal.note.RuntimeLock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The contract of {@link GlobalQueue}. */
class GlobalQueueTest {
  /** The largest number of elements that a test takes at once. */
  private static final int ROOM = 4096;

  private final RuntimeLock lock = new RuntimeLock(Thread::yield);
  private final GlobalQueue<Item> queue = new GlobalQueue<>(lock);

  @Test
  void q5_newQueueIsEmpty() {
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.size()).isZero();
    assertThat(queue.take()).isNull();
    assertThat(share(1, 128)).isNull();
  }

  @Test
  void q5_firstInIsFirstOut() {
    putFirst(3);

    assertThat(queue.size()).isEqualTo(3);
    for (int i = 0; i < 3; i++) {
      assertThat(queue.take().id).isEqualTo(i);
    }
    assertThat(queue.take()).isNull();
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void q5_takenElementHasNoLink() {
    putFirst(2);

    assertThat(ids(queue.take())).containsExactly(0);
  }

  @Test
  void q5_batchGoesToTheTailInOrder() {
    Item[] items = items(6);
    queue.accept(chain(items[0], items[1]), items[1], 2);
    queue.put(items[2]);
    queue.accept(chain(items[3], items[4], items[5]), items[5], 3);

    assertThat(queue.size()).isEqualTo(6);
    assertThat(ids(share(1, 128))).isEqualTo(range(0, 6));
  }

  @Test
  void q5_batchCanGoToTheHeadInOrder() {
    Item[] items = items(6);
    queue.putAllFirst(chain(items[3], items[4]), items[4], 2);
    queue.put(items[5]);
    queue.putAllFirst(chain(items[0], items[1], items[2]), items[2], 3);

    assertThat(queue.size()).isEqualTo(6);
    assertThat(ids(share(1, 128))).isEqualTo(range(0, 6));
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void q5_emptiedQueueIsUsableAgain() {
    putFirst(2);
    assertThat(ids(share(1, 128))).containsExactly(0, 1);
    queue.put(new Item(7));
    assertThat(queue.take().id).isEqualTo(7);
    assertThat(queue.take()).isNull();
  }

  @Test
  void g6_swapPutsAtTheTailAndTakesTheOldest() {
    Item[] items = items(4);
    queue.put(items[0]);
    queue.put(items[1]);

    assertThat(queue.swap(items[2])).isSameAs(items[0]);
    assertThat(queue.swap(items[3])).isSameAs(items[1]);
    assertThat(queue.size()).isEqualTo(2);
    assertThat(ids(share(1, 128))).containsExactly(2, 3);
  }

  @Test
  void g6_swapWithEmptyQueueReturnsTheElement() {
    Item item = new Item(7);

    assertThat(queue.swap(item)).isSameAs(item);
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.take()).isNull();
  }

  @Test
  void g6_swapTakesTheHeadAcrossChunks() {
    GlobalQueue<Item> small = new GlobalQueue<>(lock, () -> new QueueNode[2]);
    Item[] items = items(9);
    small.putAllFirst(chain(items[0], items[1]), items[1], 2);
    small.put(items[2]);
    for (int i = 3; i < 9; i++) {
      assertThat(ids(small.swap(items[i]))).containsExactly(i - 3);
    }

    assertThat(small.size()).isEqualTo(3);
    assertThat(ids(share(small, 1, 9))).isEqualTo(range(6, 9));
    assertThat(small.isEmpty()).isTrue();
  }

  @ParameterizedTest(name = "of {0} for one of {1}, at most {2}: {3}")
  @CsvSource({
    "0,    1, 128,   0",
    "1,    1, 128,   1",
    "1,    2, 128,   1",
    "2,    2, 128,   2",
    "3,    2, 128,   2",
    "4,    4, 128,   2",
    "7,    4, 128,   2",
    "8,    4, 128,   3",
    "10,   1, 128,  10",
    "127,  1, 128, 127",
    "128,  1, 128, 128",
    "129,  1, 128, 128",
    "1000, 1, 128, 128",
    "254,  2, 128, 128",
    "253,  2, 128, 127",
    "1000, 2,   1,   1",
    "1000, 1024, 128, 1",
    "2000, 1024, 128, 2",
  })
  void q6_shareIsTheMinimumOfSizeFairShareAndLimit(int size, int procs, int limit, int expected) {
    putFirst(size);

    assertThat(ids(share(procs, limit))).isEqualTo(range(0, expected));
    assertThat(queue.size()).isEqualTo(size - expected);
    assertThat(ids(share(1, ROOM))).isEqualTo(range(expected, size));
  }

  /**
   * One thread puts single elements and batches, the other takes single elements and shares: all
   * come out, in order.
   */
  @Test
  void q5_orderHoldsWithTwoThreads() {
    List<Integer> taken = new ArrayList<>();
    int perRound = 4;
    Duel.fight(
        50_000,
        new Duel.Round() {
          @Override
          public void left(int round) {
            Item[] items = items(perRound);
            queue.put(items[0]);
            queue.accept(chain(items[1], items[2]), items[2], 2);
            queue.put(items[3]);
          }

          @Override
          public void right(int round) {
            taken.addAll(ids(queue.take()));
            taken.addAll(ids(share(2, 128)));
          }

          @Override
          public void judge(int round) {
            taken.addAll(ids(share(1, 128)));
            assertThat(taken).isEqualTo(range(0, perRound));
            assertThat(queue.isEmpty()).isTrue();
            taken.clear();
          }
        });
  }

  /**
   * One element is always in the queue: neither a thread that checks for work nor a second one that
   * swaps may see fewer.
   */
  @Test
  void f6_swapNeverHidesWaitingElements() {
    Item[] items = items(3);
    queue.put(items[0]);
    Duel.fight(
        20_000,
        new Duel.Round() {
          private Item left = items[1];
          private Item right = items[2];

          @Override
          public void left(int round) {
            left = queue.swap(left);
            assertThat(queue.size()).isEqualTo(1);
          }

          @Override
          public void right(int round) {
            assertThat(queue.isEmpty()).isFalse();
            right = queue.swap(right);
          }

          @Override
          public void judge(int round) {
            Item there = queue.take();
            assertThat(List.of(left, right, there)).containsExactlyInAnyOrder(items);
            queue.put(there);
          }
        });
  }

  /** Order and size stay correct across chunk boundaries, wherever elements are put. */
  @Test
  void q5_orderHoldsAcrossChunks() {
    GlobalQueue<Item> small = new GlobalQueue<>(lock, () -> new QueueNode[2]);
    Item[] items = items(9);
    small.put(items[2]);
    small.accept(chain(items[3], items[4], items[5]), items[5], 3);
    small.putAllFirst(chain(items[0], items[1]), items[1], 2);
    assertThat(small.take().id).isZero();
    small.accept(chain(items[6], items[7], items[8]), items[8], 3);

    assertThat(small.size()).isEqualTo(8);
    assertThat(ids(share(small, 1, 5))).isEqualTo(range(1, 6));
    assertThat(ids(share(small, 1, 5))).isEqualTo(range(6, 9));
    assertThat(small.isEmpty()).isTrue();
  }

  /**
   * Without memory for another chunk no element is lost or overtaken. With memory again the queue
   * works as before.
   */
  @Test
  void q5_noElementIsLostWithoutMemory() {
    boolean[] none = new boolean[1];
    GlobalQueue<Item> poor =
        new GlobalQueue<>(
            lock,
            () -> {
              if (none[0]) {
                throw new OutOfMemoryError("for the test");
              }
              return new QueueNode[2];
            });
    Item[] items = items(10);
    none[0] = true;
    poor.put(items[0]);
    poor.accept(chain(items[1], items[2], items[3]), items[3], 3);
    none[0] = false;
    poor.put(items[4]);
    assertThat(ids(share(poor, 1, 3))).isEqualTo(range(0, 3));
    poor.put(items[5]);
    assertThat(ids(share(poor, 1, 9))).isEqualTo(range(3, 6));
    poor.accept(chain(items[6], items[7], items[8], items[9]), items[9], 4);
    none[0] = true;
    assertThat(ids(poor.swap(items[0]))).containsExactly(6);
    assertThat(ids(poor.swap(items[1]))).containsExactly(7);
    assertThat(ids(share(poor, 1, 9))).containsExactly(8, 9, 0, 1);
    assertThat(poor.isEmpty()).isTrue();
  }

  private @Nullable Item share(int procs, int limit) {
    return share(queue, procs, limit);
  }

  /** Takes a share and links it to a chain. */
  private static @Nullable Item share(GlobalQueue<Item> from, int procs, int limit) {
    RunQueue<Item> ring = new RunQueue<>(ROOM, (_, _, _) -> {});
    Item first = from.takeShare(procs, limit, ring);
    Item last = first;
    for (Item next = ring.takeHead(); next != null; next = ring.takeHead()) {
      last.link = next;
      last = next;
    }
    return first;
  }

  private void putFirst(int n) {
    for (Item item : items(n)) {
      queue.put(item);
    }
  }
}
