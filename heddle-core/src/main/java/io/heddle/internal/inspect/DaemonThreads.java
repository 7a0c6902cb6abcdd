package io.heddle.internal.inspect;

/** Starts threads that only observe: daemons that never touch a goroutine or a channel. */
public final class DaemonThreads {
  private DaemonThreads() {}

  /**
   * Starts a thread in the JVM's own thread group, whose threads cannot wake a goroutine: see
   * {@link ForeignThreads}.
   */
  public static Thread start(String name, Runnable task) {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    for (ThreadGroup parent = group; parent != null; parent = parent.getParent()) {
      group = parent;
    }
    return Thread.ofPlatform()
        .group(group)
        .daemon()
        .inheritInheritableThreadLocals(false)
        .name(name)
        .start(task);
  }
}
