package io.heddle.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.base.Duel;
import org.junit.jupiter.api.Test;

/** The contract of {@link IdleList}. */
class IdleListTest {
  /** The default maximum of idle Ms (rule N4). */
  private static final int MOST = 10_000;

  private final IdleList<Item> list = new IdleList<>();

  @Test
  void n4_newListIsEmpty() {
    assertThat(list.pop()).isNull();
    assertThat(list.size()).isZero();
    assertThat(list.remove(new Item(0))).isFalse();
  }

  @Test
  void n4_lastInIsFirstOut() {
    pushFirst(3);

    assertThat(list.size()).isEqualTo(3);
    assertPops(2, 1, 0);
  }

  @Test
  void n4_removeTakesAnElementFromAnyPosition() {
    for (int gone = 0; gone < 3; gone++) {
      Item[] items = pushFirst(3);

      assertThat(list.remove(items[gone])).isTrue();
      assertThat(list.remove(items[gone])).isFalse();
      assertThat(list.size()).isEqualTo(2);
      for (int i = 2; i >= 0; i--) {
        if (i != gone) {
          assertThat(list.pop()).isSameAs(items[i]);
        }
      }
      assertThat(list.pop()).isNull();
    }
  }

  @Test
  void n4_removeComparesByIdentity() {
    IdleList<String> names = new IdleList<>();
    String name = new String("m1");
    names.push(name);

    assertThat(names.remove(new String("m1"))).isFalse();
    assertThat(names.remove(name)).isTrue();
  }

  @Test
  void n4_removeReachesTheBottomOfAFullList() {
    Item[] items = pushFirst(MOST);

    assertThat(list.remove(items[0])).isTrue();
    assertThat(list.size()).isEqualTo(MOST - 1);
    assertThat(list.pop()).isSameAs(items[MOST - 1]);
  }

  @Test
  void n4_eitherPopOrRemoveGetsTheElement() {
    Item[] items = Item.items(2);
    boolean[] got = new boolean[2];
    Duel.fight(
        100_000,
        new Duel.Round() {
          @Override
          public void prepare(int round) {
            list.push(items[0]);
            if ((round & 1) == 0) {
              list.push(items[1]); // so that remove copies a node, or finds its item below another
            }
          }

          @Override
          public void left(int round) {
            Item popped = list.pop();
            if (popped == items[1]) {
              popped = list.pop();
            }
            got[0] = popped == items[0];
          }

          @Override
          public void right(int round) {
            got[1] = list.remove(items[0]);
          }

          @Override
          public void judge(int round) {
            assertThat(got[0]).isNotEqualTo(got[1]);
            assertThat(list.size()).isZero();
          }
        });
  }

  private Item[] pushFirst(int n) {
    Item[] items = Item.items(n);
    for (Item item : items) {
      list.push(item);
    }
    return items;
  }

  private void assertPops(int... ids) {
    for (int id : ids) {
      assertThat(list.pop().id).isEqualTo(id);
    }
    assertThat(list.pop()).isNull();
  }
}
