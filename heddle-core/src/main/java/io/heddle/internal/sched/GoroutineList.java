package io.heddle.internal.sched;

import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The living goroutines that one writer at a time adds, any thread may look through, and whoever sees one end removes. */
public final class GoroutineList {
  /*
   * A ring of chunks of slots. A slot belongs to one goroutine from add to remove and never moves, so a reader misses
   * none that lives while it reads. The writer fills free slots chunk by chunk; at the end of one it goes on with the
   * next if at least half of that is free, else with a new one: O(1) per goroutine, and the list keeps no dead one from
   * the collector.
   *
   * Ordering: add's release store of a slot, and of next, pairs with the acquire loads of readers; remove's release store
   * of null pairs with the writer's acquire load, after which the slot is the writer's. For slots these are plain accesses
   * and fences, which are not torn for references: the checks of an array's VarHandle cost as much as all the rest.
   *
   * For a leak check a slot holds its goroutine weakly for a while (Leaks). Only a compare-and-set changes it to that and
   * back, so that a remove, or the next owner of the slot, is never undone.
   */
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

  private static final VarHandle NEXT =
      Handles.field(MethodHandles.lookup(), SlotChunk.class, "next", SlotChunk.class);

  /** Four cache lines of compressed references. */
  private static final int CHUNK = 64;

  /** A goroutine that the list does not keep from the collector. */
  public static final class Weak extends WeakReference<G> {
    private final @Nullable Object[] slots;
    private final int slot;

    private Weak(G g, @Nullable Object[] slots) {
      super(g);
      this.slots = slots;
      this.slot = g.slot;
    }
  }

  private static final class SlotChunk {
    final @Nullable Object[] slots = new Object[CHUNK];
    SlotChunk next = this;

    SlotChunk nextAcquire() {
      return (SlotChunk) NEXT.getAcquire(this);
    }

    @Nullable Object slotAcquire(int i) {
      Object g = slots[i];
      VarHandle.acquireFence();
      return g;
    }

    @Nullable G goroutine(int i) {
      Object held = slotAcquire(i);
      return held instanceof Weak weak ? weak.get() : (G) held;
    }

    boolean isHalfFree() {
      int free = 0;
      for (int i = 0; i < CHUNK; i++) {
        free += slotAcquire(i) == null ? 1 : 0;
      }
      return 2 * free >= CHUNK;
    }
  }

  private final SlotChunk first = new SlotChunk();

  // The writer's.
  private SlotChunk at = first;
  private int cursor;

  /** For the writer. */
  void add(G g) {
    if (cursor == CHUNK || at.slotAcquire(cursor) != null) {
      findFree();
    }
    int free = cursor;
    @Nullable Object[] slots = at.slots;
    g.home = slots;
    g.slot = (byte) free;
    VarHandle.releaseFence();
    slots[free] = g;
    cursor = free + 1;
  }

  /** For whoever saw {@code g} end, once. */
  static void remove(G g) {
    @Nullable Object[] slots = g.home;
    if (slots != null) {
      VarHandle.releaseFence();
      slots[g.slot] = null;
    }
  }

  /** From now on the list does not keep {@code g} from the collector; null if it is not in the list any more. */
  public static @Nullable Weak weaken(G g) {
    @Nullable Object[] slots = g.home;
    if (slots == null) {
      return null;
    }
    Weak weak = new Weak(g, slots);
    return SLOT.compareAndSet(slots, weak.slot, g, weak) ? weak : null;
  }

  /** Ends that; true if the goroutine was collected, and is removed hereby. */
  public static boolean strengthen(Weak weak) {
    return SLOT.compareAndSet(weak.slots, weak.slot, weak, weak.get()) && weak.get() == null;
  }

  void forEach(Consumer<G> action) {
    SlotChunk chunk = first;
    do {
      for (int i = 0; i < CHUNK; i++) {
        G g = chunk.goroutine(i);
        if (g != null && !g.isDead()) {
          action.accept(g);
        }
      }
      chunk = chunk.nextAcquire();
    } while (chunk != first);
  }

  private void findFree() {
    do {
      advance();
    } while (cursor == CHUNK || at.slotAcquire(cursor) != null);
  }

  private void advance() {
    if (cursor < CHUNK) {
      cursor++;
      return;
    }
    if (!at.next.isHalfFree()) {
      SlotChunk fresh = new SlotChunk();
      fresh.next = at.next;
      NEXT.setRelease(at, fresh);
    }
    at = at.next;
    cursor = 0;
  }
}
