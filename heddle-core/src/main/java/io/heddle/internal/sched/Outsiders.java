package io.heddle.internal.sched;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The threads that are no goroutines and have used the library: each may do so again, and wake somebody. */
public final class Outsiders {
  private static final Set<Thread> KNOWN = ConcurrentHashMap.newKeySet();
  private static final ThreadLocal<Boolean> NOTED = new ThreadLocal<>();

  private Outsiders() {}

  /** For everything that a thread of any kind may call, and which may wake a goroutine. */
  public static void note() {
    if (isOutside() && NOTED.get() == null) {
      NOTED.set(true);
      KNOWN.removeIf(thread -> !thread.isAlive());
      KNOWN.add(Thread.currentThread());
    }
  }

  /** Whether the caller is no goroutine. */
  public static boolean isOutside() {
    return !Thread.currentThread().isVirtual() || M.underCaller() == null;
  }

  /** Whether each of them that is alive is one of {@code these}. */
  static boolean areAllAmong(Collection<Thread> these) {
    return KNOWN.stream().allMatch(thread -> these.contains(thread) || !thread.isAlive());
  }
}
