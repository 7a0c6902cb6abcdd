package io.heddle.internal.sched;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What must not stop a thread of ours, and must not go unseen.
 *
 * <p>A logger is the user's code: it may block, or need a goroutine to run. So in the middle of scheduling a complaint is
 * only noted; an M says it later, as it would run a goroutine's code.
 */
final class DeferredLog {
  private record Complaint(System.Logger.Level level, String what, @Nullable Throwable cause) {}

  private final String scheduler;
  private final Queue<Complaint> noted = new ConcurrentLinkedQueue<>();

  DeferredLog(String scheduler) {
    this.scheduler = scheduler;
  }

  /**
   * From anywhere. Never throws: a complaint that there is no memory for is not made, nor one whose class cannot be loaded,
   * which takes a descriptor if it does not lie in a jar.
   */
  void note(String what, @Nullable Throwable cause) {
    note(System.Logger.Level.ERROR, what, cause);
  }

  /** The same about somebody. */
  void note(Object about, String what, @Nullable Throwable cause) {
    try {
      note(about + what, cause);
    } catch (Throwable t) {
      note(what, cause);
    }
  }

  /** The same for what is no complaint, but may interest somebody. */
  void noteDebug(String what) {
    note(System.Logger.Level.DEBUG, what, null);
  }

  private void note(System.Logger.Level level, String what, @Nullable Throwable cause) {
    try {
      noted.add(new Complaint(level, what, cause));
    } catch (Throwable t) {
      // Nothing is left to say it with.
    }
  }

  /** Says what was noted; where a goroutine's code might run. Never throws. */
  void sayAll() {
    for (Complaint next = noted.poll(); next != null; next = noted.poll()) {
      say(next.level(), next.what(), next.cause());
    }
  }

  /** Where a goroutine's code might run. Never throws. */
  void say(String what, @Nullable Throwable cause) {
    say(System.Logger.Level.ERROR, what, cause);
  }

  private void say(System.Logger.Level level, String what, @Nullable Throwable cause) {
    try {
      System.getLogger("io.heddle").log(level, "scheduler " + scheduler + ": " + what, cause);
    } catch (Throwable t) {
      // The logger failed; there is nobody to tell.
    }
  }
}
