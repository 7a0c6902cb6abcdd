package io.heddle.internal.sched;

import io.heddle.internal.note.Note;
import org.jspecify.annotations.Nullable;

/**
 * Hands an M that sleeps, or is not started yet, a P and perhaps the goroutine to run with it.
 *
 * @param <T> the type of the P
 * @param <U> the type of the goroutine
 */
final class Mailbox<T, U> {
  /*
   * The fields are plain. The waker: 1. takes the M out of the list or field that it sleeps in, so
   * no other thread writes here; 2. writes the fields; 3. calls note.wakeup(). The M: 1. returns
   * from note.sleep(); 2. reads the fields. The note orders the writes before the reads.
   *
   * Checked by: SpinnersTest, MPoolTest, NoteStress (jcstress).
   */
  final Note note = new Note();
  private @Nullable T p;
  private boolean spinning;
  private @Nullable U g;

  /**
   * Leaves a P for the M. Called by the waker, which passes {@code isSpinning} if it has counted
   * the M as spinning.
   */
  void put(T newP, boolean isSpinning) {
    p = newP;
    spinning = isSpinning;
  }

  /**
   * Leaves a P and the goroutine that only this M may run. Called by the M that found the
   * goroutine.
   */
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

  /** Whether the waker has counted the M as spinning. */
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
