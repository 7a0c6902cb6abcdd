package io.heddle.internal.sched;

import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lists living goroutines. One writer at a time adds, any thread may read, and the thread that sees
 * a goroutine end removes it.
 */
public final class GoroutineList {
  /*
   * Structure: a ring of chunks of slots. A slot belongs to one goroutine from add to remove, and
   * goroutines never move. A reader therefore misses no goroutine that lives during the whole read.
   * The writer fills free slots chunk by chunk. At the end of a chunk it continues with the next
   * one if at least half of that is free, else with a new one. Adding is O(1), amortized, and the
   * list keeps no dead goroutine from the collector.
   *
   * Ordering: add's release store of a slot pairs with the acquire load of readers, and so does the
   * release store of next. remove's release store of null pairs with the acquire load of the
   * writer; after that the slot belongs to the writer. For slots these are plain accesses with
   * fences: references are never torn, and the checks of an array's VarHandle cost as much as
   * everything else in add.
   *
   * During a leak check a slot holds its goroutine weakly (Leaks). A slot changes from strong to
   * weak and back by compare-and-set alone, so that a remove, or the next owner of the slot, is
   * never undone.
   *
   * Checked by: LeakDetectionTest, SchedulerStressTest.
   */
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

  private static final VarHandle NEXT =
      Handles.field(MethodHandles.lookup(), SlotChunk.class, "next", SlotChunk.class);

  /** The number of slots of a chunk: four cache lines of compressed references. */
  private static final int SLOTS_PER_CHUNK = 64;

  /** A slot that holds its goroutine weakly. */
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
    final @Nullable Object[] slots = new Object[SLOTS_PER_CHUNK];
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
      for (int i = 0; i < SLOTS_PER_CHUNK; i++) {
        free += slotAcquire(i) == null ? 1 : 0;
      }
      return 2 * free >= SLOTS_PER_CHUNK;
    }
  }

  private final SlotChunk first = new SlotChunk();

  // Where the writer continues: the chunk and the slot in it. Used by the writer alone.
  private SlotChunk at = first;
  private int cursor;

  /** Adds {@code g}. Called by one thread at a time. */
  void add(G g) {
    if (cursor == SLOTS_PER_CHUNK || at.slotAcquire(cursor) != null) {
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

  /** Removes {@code g}. Called once, by the thread that has seen {@code g} end. */
  static void remove(G g) {
    @Nullable Object[] slots = g.home;
    if (slots != null) {
      VarHandle.releaseFence();
      slots[g.slot] = null;
    }
  }

  /** Holds {@code g} weakly from now on; returns null if {@code g} is no longer in the list. */
  public static @Nullable Weak weaken(G g) {
    @Nullable Object[] slots = g.home;
    if (slots == null) {
      return null;
    }
    Weak weak = new Weak(g, slots);
    return SLOT.compareAndSet(slots, weak.slot, g, weak) ? weak : null;
  }

  /** Undoes {@link #weaken}. If the goroutine was collected, removes it and returns true. */
  public static boolean strengthen(Weak weak) {
    return SLOT.compareAndSet(weak.slots, weak.slot, weak, weak.get()) && weak.get() == null;
  }

  /**
   * Passes to {@code action} every goroutine that lives during the whole call, and perhaps some
   * that live during a part of it.
   */
  void forEach(Consumer<G> action) {
    SlotChunk chunk = first;
    do {
      for (int i = 0; i < SLOTS_PER_CHUNK; i++) {
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
    } while (cursor == SLOTS_PER_CHUNK || at.slotAcquire(cursor) != null);
  }

  private void advance() {
    if (cursor < SLOTS_PER_CHUNK) {
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
