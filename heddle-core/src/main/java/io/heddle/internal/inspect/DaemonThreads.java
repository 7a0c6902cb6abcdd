package io.heddle.internal.inspect;

/** Threads that only look on: daemons that never touch a goroutine, nor a channel, so that nobody waits for what they do. */
public final class DaemonThreads {
  private DaemonThreads() {}

  /** Starts one. It is in the JVM's own group, where those are that cannot wake a goroutine: see {@link ForeignThreads}. */
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
