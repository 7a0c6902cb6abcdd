package io.heddle.internal.sched;

import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lists living goroutines. One writer at a time adds, any thread may read, and the thread that
 * records the end of a goroutine removes it.
 */
public final class GoroutineList {
  /*
   * Structure: a circular list of chunks; each chunk is an array of slots. A slot belongs to one
   * goroutine from add to remove, and goroutines never move. A reader therefore misses no goroutine
   * that lives during the whole read. The writer fills free slots chunk by chunk. At the end of a
   * chunk it continues with the next chunk if at least half of that is free, else it inserts a new
   * one. Adding is O(1), amortized, and the list keeps no dead goroutine from the collector.
   *
   * Ordering: add's release store of a slot pairs with the acquire load of readers, and so does the
   * release store of the field next. remove's release store of null pairs with the acquire load of
   * the writer; after that the slot belongs to the writer. Slots are accessed plainly, with
   * explicit fences: references are never torn, and the checks of an array's VarHandle would cost
   * as much as everything else in add.
   *
   * During a search for leaks (internal.inspect, Leaks and LeakSearch) a slot refers to its
   * goroutine weakly. A slot changes from strong to weak and back by compare-and-set alone. So the
   * change never overwrites a remove, or a goroutine that was added to the slot later.
   *
   * Checked by: LeakDetectionTest, SchedulerStressTest.
   */
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

  private static final VarHandle NEXT =
      Handles.field(MethodHandles.lookup(), SlotChunk.class, "next", SlotChunk.class);

  /** The number of slots of a chunk: four cache lines of compressed references. */
  private static final int SLOTS_PER_CHUNK = 64;

  /** The content of a slot that refers to its goroutine weakly. */
  public static final class Weak extends WeakReference<G> {
    private final @Nullable Object[] slots;
    private final int slot;

    private Weak(G g, @Nullable Object[] slots) {
      super(g);
      this.slots = slots;
      this.slot = g.slot;
    }
  }

  /** A chunk of the list; the {@code next} fields form a circle. */
  private static final class SlotChunk {
    final @Nullable Object[] slots = new Object[SLOTS_PER_CHUNK];
    SlotChunk next = this;

    SlotChunk nextAcquire() {
      return (SlotChunk) NEXT.getAcquire(this);
    }

    /** Returns what is in slot {@code i}: a G, a {@link Weak}, or null if the slot is free. */
    @Nullable Object slotAcquire(int i) {
      Object g = slots[i];
      VarHandle.acquireFence();
      return g;
    }

    /**
     * Returns the goroutine in slot {@code i}; null if the slot is free or the goroutine was
     * collected.
     */
    @Nullable G goroutine(int i) {
      Object held = slotAcquire(i);
      return held instanceof Weak weak ? weak.get() : (G) held;
    }

    /** Whether at least half of the slots are free. */
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

  /** Removes {@code g}. Called once, by the thread that records the end of {@code g}. */
  static void remove(G g) {
    @Nullable Object[] slots = g.home;
    if (slots != null) {
      VarHandle.releaseFence();
      slots[g.slot] = null;
    }
  }

  /**
   * Makes what {@link #weaken} puts into the slot of {@code g}. Returns null if {@code g} was never
   * added to a list. If {@code g} was removed, returns a reference with which weaken has no effect.
   */
  public static @Nullable Weak weakFor(G g) {
    @Nullable Object[] slots = g.home;
    return slots == null ? null : new Weak(g, slots);
  }

  /**
   * Lets the list refer to {@code g} weakly from now on, by {@code weak}. Returns false, with no
   * effect, if {@code g} is not in the list, or if the list refers to it weakly already. Allocates
   * nothing. So a caller that has noted {@code weak} before can always undo the change.
   */
  public static boolean weaken(G g, Weak weak) {
    return SLOT.compareAndSet(weak.slots, weak.slot, g, weak);
  }

  /**
   * Undoes {@link #weaken}. If the goroutine was collected, frees its slot and returns true.
   * Otherwise returns false, also if weaken had no effect.
   */
  public static boolean strengthen(Weak weak) {
    G g = weak.get(); // once, because a goroutine that lives now may end and be collected soon
    return SLOT.compareAndSet(weak.slots, weak.slot, weak, g) && g == null;
  }

  /**
   * Undoes {@link #weaken} of {@code g}, which still exists although its weak reference may be
   * cleared. Does nothing if {@code g} has ended.
   */
  public static void restore(Weak weak, G g) {
    SLOT.compareAndSet(weak.slots, weak.slot, weak, g);
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

  /** Moves on until {@code cursor} is at a free slot. */
  private void findFree() {
    do {
      advance();
    } while (cursor == SLOTS_PER_CHUNK || at.slotAcquire(cursor) != null);
  }

  /**
   * Moves on by one slot. At the end of a chunk, moves to the next chunk if at least half of that
   * is free, else to a new one.
   */
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
