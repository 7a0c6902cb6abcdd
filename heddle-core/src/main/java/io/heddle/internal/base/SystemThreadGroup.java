package io.heddle.internal.base;

/**
 * The JVM's own thread group, to which the background threads of Heddle belong. In the program's
 * group {@link Thread#activeCount} would count these threads. A program that waits until the count
 * has fallen would then wait forever.
 */
public final class SystemThreadGroup {
  private SystemThreadGroup() {}

  /**
   * Returns a new group below the root, for threads that may call the user's logger. A thread that
   * the logger starts inherits this group. In the root group that thread would look like a thread
   * of the JVM.
   */
  public static ThreadGroup newChild() {
    return new ThreadGroup(get(), "heddle");
  }

  /** Returns the root of all thread groups. */
  public static ThreadGroup get() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    for (ThreadGroup parent = group; parent != null; parent = parent.getParent()) {
      group = parent;
    }
    return group;
  }
}
