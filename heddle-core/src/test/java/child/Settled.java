package child;

/** What a scheduler does once, a second after its start, is over. */
final class Settled {
  private Settled() {}

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
