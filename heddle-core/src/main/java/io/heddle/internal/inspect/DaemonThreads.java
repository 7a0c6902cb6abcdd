package io.heddle.internal.inspect;

import io.heddle.internal.base.SystemThreadGroup;

/** Starts threads that only observe: daemons that never touch a goroutine or a channel. */
public final class DaemonThreads {
  private DaemonThreads() {}

  /**
   * Starts a thread in the JVM's own thread group, whose threads cannot wake a goroutine: see
   * {@link ForeignThreads}.
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
