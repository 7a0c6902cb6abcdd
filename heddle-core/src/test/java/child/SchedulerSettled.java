package child;

/** Waits for the work that a scheduler does once, one second after its start. */
final class SchedulerSettled {
  private SchedulerSettled() {}

  static void await() throws InterruptedException {
    ThreadGroup system = Thread.currentThread().getThreadGroup().getParent();
    Thread[] threads = new Thread[system.activeCount() + 100];
    system.enumerate(threads);
    for (Thread thread : threads) {
      if (thread != null && thread.getName().equals("heddle-management")) {
        thread.join();
      }
    }
  }
}
