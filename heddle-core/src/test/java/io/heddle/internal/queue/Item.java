package io.heddle.internal.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A numbered element. */
final class Item extends QueueNode<Item> {
  final int id;

  Item(int id) {
    this.id = id;
  }

  /** Returns elements numbered from 0 to {@code n - 1}, unlinked. */
  static Item[] items(int n) {
    return IntStream.range(0, n).mapToObj(Item::new).toArray(Item[]::new);
  }

  /** Links {@code items} to a chain and returns the first. */
  static Item chain(Item... items) {
    for (int i = 1; i < items.length; i++) {
      items[i - 1].link = items[i];
    }
    return items[0];
  }

  /** Unlinks the chain and returns its numbers in order. */
  static List<Integer> ids(@Nullable Item chain) {
    List<Integer> ids = new ArrayList<>();
    for (Item item = chain; item != null; item = item.unlink()) {
      ids.add(item.id);
    }
    return ids;
  }

  static List<Integer> range(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  @Override
  public String toString() {
    return "item " + id;
  }
}
