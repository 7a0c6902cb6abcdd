package io.heddle.internal.sched;

import io.heddle.internal.note.Note;
import org.jspecify.annotations.Nullable;

/** What a waker leaves for an M that sleeps, or is not started yet: a P, and perhaps the goroutine to run with it. */
final class Mailbox<T, U> {
  /*
   * The fields are plain. The waker has taken the M out of every list, so it is the only one to write; it writes before
   * note.wakeup(), and the M reads after note.sleep() has returned.
   *
   * Checked by: SpinnersTest, MPoolTest, NoteStress (jcstress).
   */
  final Note note = new Note();
  private @Nullable T p;
  private boolean spinning;
  private @Nullable U g;

  /** Leaves a P; with {@code isSpinning} the M is counted as looking for work from now on. The waker. */
  void put(T newP, boolean isSpinning) {
    p = newP;
    spinning = isSpinning;
  }

  /** Leaves a P and the goroutine that only this M may run. The M that found the goroutine. */
  void putLocked(T newP, U locked) {
    g = locked;
    put(newP, false);
  }

  boolean hasP() {
    return p != null;
  }

  /** Takes the P; null if the waker left none. */
  @Nullable T takeP() {
    T left = p;
    p = null;
    return left;
  }

  /** Whether the P came with the order to look for work. */
  boolean isSpinning() {
    return spinning;
  }

  /** Takes the goroutine; null if the waker left none. */
  @Nullable U takeG() {
    U left = g;
    g = null;
    return left;
  }
}
