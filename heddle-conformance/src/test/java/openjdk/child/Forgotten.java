package openjdk.child;

import java.lang.ref.WeakReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Starts a virtual thread that is never woken, drops the reference, and prints whether it was
 * collected after some collections.
 */
public final class Forgotten {
  /**
   * The first collection may come while the carrier is about to leave the thread and still refers
   * to it from its stack.
   */
  private static final int COLLECTIONS = 10;

  private Forgotten() {}

  public static void main(String[] args) throws Exception {
    WeakReference<Thread> thread = new WeakReference<>(parked());
    for (int i = 0; thread.get() != null && i < COLLECTIONS; i++) {
      Thread.startVirtualThread(() -> {}).join(); // the carrier has run another thread
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

  /** Returns after the collector has reclaimed what was garbage at the call. */
  private static void collect() {
    WeakReference<Object> witness = new WeakReference<>(new Object());
    while (witness.get() != null) {
      System.gc();
    }
  }
}
