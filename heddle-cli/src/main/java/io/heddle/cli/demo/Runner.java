package io.heddle.cli.demo;

import io.heddle.Go;
import io.heddle.Scheduler;
import io.heddle.Task;

/** Somebody who runs many small tasks at the same time, each on a virtual thread of its own. */
sealed interface Runner {
  String name();

  /** Starts the first task, from outside. */
  Thread startFirst(Runnable task);

  /** Starts a task {@code n} times, from within the first. */
  void startMany(int n, Runnable task);

  /** Goroutines of a scheduler of ours. */
  record HeddleRunner(Scheduler scheduler) implements Runner {
    @Override
    public String name() {
      return "Heddle";
    }

    @Override
    public Thread startFirst(Runnable task) {
      return scheduler.go(task::run).thread();
    }

    @Override
    public void startMany(int n, Runnable task) {
      Task ours = task::run;
      for (int i = 0; i < n; i++) {
        Go.go(ours);
      }
    }
  }

  /** Virtual threads of the JDK's own scheduler. */
  record JdkRunner() implements Runner {
    @Override
    public String name() {
      return "JDK";
    }

    @Override
    public Thread startFirst(Runnable task) {
      return Thread.startVirtualThread(task);
    }

    @Override
    public void startMany(int n, Runnable task) {
      for (int i = 0; i < n; i++) {
        Thread.startVirtualThread(task);
      }
    }
  }
}
