package io.heddle.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of {@link StealOrder}. */
class StealOrderTest {
  @Test
  void f3_orderVisitsEachOnce() {
    for (int count = 1; count <= 64; count++) {
      StealOrder order = new StealOrder(count);
      assertThat(order.count()).isEqualTo(count);
      // count starts with count steps each, which is more than there are coprimes
      for (int random = 0; random < count * count; random++) {
        assertVisitsEachOnce(order, random);
      }
    }
  }

  @Test
  void f3_everyStartOccurs() {
    StealOrder order = new StealOrder(6);
    for (int random = 0; random < 6; random++) {
      assertThat(order.start(random)).isEqualTo(random);
    }
  }

  @Test
  void f3_ordersDiffer() {
    StealOrder order = new StealOrder(8);
    Set<Integer> second = new HashSet<>();
    for (int random = 0; random < 64; random += 8) {
      second.add(order.next(0, random));
    }
    assertThat(second).containsExactlyInAnyOrder(1, 3, 5, 7);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 64, 1024})
  void f3_largestRandomNumberIsValid(int count) {
    assertVisitsEachOnce(new StealOrder(count), Integer.MAX_VALUE);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void f3_countBelowOneThrows(int count) {
    assertThatThrownBy(() -> new StealOrder(count))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("count " + count + ": allowed is 1 or more");
  }

  private static void assertVisitsEachOnce(StealOrder order, int random) {
    boolean[] visited = new boolean[order.count()];
    int i = order.start(random);
    for (int n = 0; n < order.count(); n++, i = order.next(i, random)) {
      if (visited[i]) {
        throw new AssertionError(i + " of " + order.count() + " twice, random " + random);
      }
      visited[i] = true;
    }
    assertThat(i).isEqualTo(order.start(random));
  }
}
