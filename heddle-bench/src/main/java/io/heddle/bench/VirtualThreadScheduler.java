package io.heddle.bench;

import io.heddle.Go;
import io.heddle.Scheduler;
import io.heddle.Task;

/** The scheduler of the virtual threads under test: Heddle's or the JDK's own. */
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

  /**
   * The JDK's scheduler; its parallelism is set with flags at JVM start, see {@link OneProc} and
   * {@link TwoProcs}.
   */
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

  /**
   * The factory of this scheduler's threads. Called from one of these threads, it returns the same
   * object as from any other thread.
   */
  abstract <T extends Runnable & Task> void start(T task);

  /** Runs {@code root} on a thread of this scheduler and waits for it. */
  abstract void run(Runnable root, int procs) throws Exception;
}
