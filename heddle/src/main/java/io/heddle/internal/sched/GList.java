package io.heddle.internal.sched;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Goroutines that one writer at a time adds and any thread may look through; the dead are swept out when it is full. */
final class GList {
  /*
   * A sweep copies the living to a new array, so that a reader of the old one misses none of those that were there when
   * it came. Adding costs O(1) on average: a sweep that frees less than half makes the array twice as large.
   *
   * Ordering: the release store of a slot and of the array pairs with forEach's acquire loads.
   */
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(G[].class);
  private static final int SMALLEST = 64;

  private volatile @Nullable G[] slots = new G[SMALLEST];

  /** For the writer. */
  private int used;

  void add(G g) {
    @Nullable G[] array = slots;
    if (used == array.length) {
      array = sweep(array);
    }
    SLOT.setRelease(array, used, g);
    used++;
  }

  void forEach(Consumer<G> action) {
    @Nullable G[] array = slots;
    for (int i = 0; i < array.length; i++) {
      G g = (G) SLOT.getAcquire(array, i);
      if (g != null && !g.isDead()) {
        action.accept(g);
      }
    }
  }

  private @Nullable G[] sweep(@Nullable G[] full) {
    int living = 0;
    for (G g : full) {
      living += g == null || g.isDead() ? 0 : 1;
    }
    @Nullable G[] swept = new G[Math.max(SMALLEST, 2 * living)];
    int n = 0;
    for (G g : full) {
      if (g != null && !g.isDead() && n < swept.length) {
        swept[n++] = g;
      }
    }
    used = n;
    slots = swept;
    return swept;
  }
}
