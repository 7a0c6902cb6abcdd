package io.heddle.internal.sched;

import org.jspecify.annotations.Nullable;

/**
 * Caches the creation site of the last goroutine that was started on an M, by the class of its
 * task. Used only by goroutines on that M.
 */
public final class LastCreationSite {
  private @Nullable Class<?> type;
  private @Nullable StackTraceElement site;

  LastCreationSite() {}

  /** Whether {@link #site} is the creation site of a task of class {@code wanted}. */
  public boolean isOf(Class<?> wanted) {
    return type == wanted;
  }

  public @Nullable StackTraceElement site() {
    return site;
  }

  public void set(Class<?> newType, @Nullable StackTraceElement newSite) {
    type = newType;
    site = newSite;
  }
}
