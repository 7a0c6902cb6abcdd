package openjdk.child;

import java.lang.ref.WeakReference;
import java.util.concurrent.locks.LockSupport;

/** Starts a virtual thread that nobody will ever wake, forgets it, and says whether it was collected after some collections. */
public final class Forgotten {
  /** The first one may come while the carrier is about to leave the thread, and has it on its stack. */
  private static final int COLLECTIONS = 10;

  private Forgotten() {}

  public static void main(String[] args) throws Exception {
    WeakReference<Thread> thread = new WeakReference<>(parked());
    for (int i = 0; thread.get() != null && i < COLLECTIONS; i++) {
      Thread.startVirtualThread(() -> {}).join(); // a carrier has done something else
      collect();
    }
    System.out.println(thread.get() == null ? "collected" : "kept");
  }

  private static Thread parked() {
    Thread thread = Thread.ofVirtual().start(LockSupport::park);
    while (thread.getState() != Thread.State.WAITING) {
      Thread.yield();
    }
    return thread;
  }

  /** Returns when the collector has taken what was garbage at the call. */
  private static void collect() {
    WeakReference<Object> witness = new WeakReference<>(new Object());
    while (witness.get() != null) {
      System.gc();
    }
  }
}
