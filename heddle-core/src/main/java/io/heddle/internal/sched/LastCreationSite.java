package io.heddle.internal.sched;

import org.jspecify.annotations.Nullable;

/** Where the kind of task was started that an M started last. For goroutines on that M alone. */
public final class LastCreationSite {
  private @Nullable Class<?> type;
  private @Nullable StackTraceElement site;

  LastCreationSite() {}

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
