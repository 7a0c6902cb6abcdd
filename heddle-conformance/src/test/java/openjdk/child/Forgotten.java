package openjdk.child;

import java.lang.ref.WeakReference;
import java.util.concurrent.locks.LockSupport;

/** Starts a virtual thread that nobody will ever wake, forgets it, and says whether it was collected after some collections. */
public final class Forgotten {
  private Forgotten() {}

  public static void main(String[] args) throws Exception {
    WeakReference<Thread> thread = new WeakReference<>(parked());
    for (int i = 0; thread.get() != null && i < 50; i++) {
      System.gc();
      Thread.sleep(10);
    }
    System.out.println(thread.get() == null ? "collected" : "kept");
  }

  private static Thread parked() throws InterruptedException {
    Thread thread = Thread.ofVirtual().start(LockSupport::park);
    while (thread.getState() != Thread.State.WAITING) {
      Thread.sleep(1);
    }
    return thread;
  }
}
