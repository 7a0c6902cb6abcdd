package io.heddle.internal.inspect;

import io.heddle.internal.base.SystemThreadGroup;

/** Threads that only look on: daemons that never touch a goroutine, nor a channel, so that nobody waits for what they do. */
public final class DaemonThreads {
  private DaemonThreads() {}

  /** Starts one. It is in the JVM's own group, where those are that cannot wake a goroutine: see {@link ForeignThreads}. */
  public static Thread start(String name, Runnable task) {
    return Thread.ofPlatform()
        .group(SystemThreadGroup.get())
        .daemon()
        .inheritInheritableThreadLocals(false)
        .name(name)
        .start(task);
  }
}
