package io.heddle.internal.part;

import io.heddle.internal.note.Note;
import org.jspecify.annotations.Nullable;

/**
 * Hands an M that sleeps, or is not started yet, a P and perhaps the goroutine to run with it.
 *
 * @param <T> the type of the P
 * @param <U> the type of the goroutine
 */
public final class Mailbox<T, U> {
  /*
   * The fields are plain. The waker: 1. takes the M out of the idle list, or out of the field that
   * names the timekeeper, or takes the goroutine that the M is locked to from a queue, so that no
   * other thread writes here; 2. writes the fields; 3. calls note.wakeup(). The M: 1. returns from
   * note.sleep(); 2. reads the fields. The note orders the writes before the reads. If the M is
   * new, the start of its thread orders them.
   *
   * Checked by: SpinnersTest, MPoolTest, NoteStress (jcstress).
   */
  public final Note note = new Note();
  private @Nullable T p;
  private boolean spinning;
  private @Nullable U g;

  /**
   * Leaves a P for the M. Called by the waker.
   *
   * @param isSpinning whether the waker has counted the M as spinning (searching for work)
   */
  public void put(T newP, boolean isSpinning) {
    p = newP;
    spinning = isSpinning;
  }

  /**
   * Leaves a P and the goroutine that is locked to this M. Called by the M that has taken the
   * goroutine from a queue.
   */
  public void putLocked(T newP, U locked) {
    g = locked;
    put(newP, false);
  }

  /** Whether a waker has left a P that the M has not taken yet. Called by the M. */
  public boolean hasP() {
    return p != null;
  }

  /** Takes the P; null if the waker left none. */
  public @Nullable T takeP() {
    T left = p;
    p = null;
    return left;
  }

  /** Whether the waker that left the last P has counted the M as spinning. Called by the M. */
  public boolean isSpinning() {
    return spinning;
  }

  /** Takes the goroutine; null if the waker left none. */
  public @Nullable U takeG() {
    U left = g;
    g = null;
    return left;
  }
}
