package io.heddle.internal.inspect;

import io.heddle.internal.base.SystemThreadGroup;

/** Starts the daemon threads that observe schedulers. */
public final class DaemonThreads {
  private DaemonThreads() {}

  /**
   * Starts a thread in the JVM's own thread group. {@link ForeignThreads} assumes that no thread of
   * that group wakes a goroutine.
   */
  public static Thread start(String name, Runnable task) {
    return Thread.ofPlatform()
        .group(SystemThreadGroup.get())
        .daemon()
        .inheritInheritableThreadLocals(false)
        .name(name)
        .start(task);
  }
}
