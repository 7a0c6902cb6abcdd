package io.heddle.bench;

import io.heddle.Go;
import io.heddle.Scheduler;
import io.heddle.Task;

/** Who starts the threads: Heddle, or the JDK's own scheduler. */
public enum VirtualThreadScheduler {
  HEDDLE {
    @Override
    <T extends Runnable & Task> void start(T task) {
      Go.go(task);
    }

    @Override
    void run(Runnable root, int procs) throws Exception {
      Scheduler.shared().procs(procs);
      Go.main(root::run);
    }
  },

  /** Its parallelism is set with flags when the JVM starts: see {@link OneProc} and {@link TwoProcs}. */
  JDK {
    @Override
    <T extends Runnable & Task> void start(T task) {
      Thread.startVirtualThread(task);
    }

    @Override
    void run(Runnable root, int procs) throws Exception {
      Thread.startVirtualThread(root).join();
    }
  };

  /** From a thread of this contender, which takes the same object as any other does. */
  abstract <T extends Runnable & Task> void start(T task);

  /** Runs {@code root} in a thread of this contender and waits for it. */
  abstract void run(Runnable root, int procs) throws Exception;
}
