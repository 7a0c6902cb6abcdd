package io.heddle.cli.demo;

import io.heddle.Go;
import io.heddle.Scheduler;
import io.heddle.Task;

/** Runs many small tasks concurrently, each on its own virtual thread. */
sealed interface Runner {
  String name();

  /** Starts the first task from a thread outside the scheduler. */
  Thread startFirst(Runnable task);

  /** Starts a task {@code n} times from within the first task. */
  void startMany(int n, Runnable task);

  /** Runs tasks as goroutines of a Heddle scheduler. */
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

  /** Runs tasks as virtual threads of the JDK's own scheduler. */
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
