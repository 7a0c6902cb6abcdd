package io.heddle.internal.part;

import org.jspecify.annotations.Nullable;

/**
 * Remembers where the last goroutine that was started on an M was created, and the class of its
 * task. So a start of the same class of task needs no lookup. Used only by goroutines on that M.
 */
public final class LastCreationSite {
  private @Nullable Class<?> type;
  private @Nullable StackTraceElement site;

  public LastCreationSite() {}

  /** Whether {@link #site} is the creation site of a task of class {@code wanted}. */
  public boolean isOf(Class<?> wanted) {
    return type == wanted;
  }

  /** Returns the creation site; null if none was recorded, or if it is not known. */
  public @Nullable StackTraceElement site() {
    return site;
  }

  /** Records the creation site {@code newSite}, null if not known, of a task of a class. */
  public void set(Class<?> newType, @Nullable StackTraceElement newSite) {
    type = newType;
    site = newSite;
  }
}
