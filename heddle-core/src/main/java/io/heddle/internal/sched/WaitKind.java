package io.heddle.internal.sched;

import io.heddle.internal.jdk.ThreadState;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.jdk.WaitReason;

/** The groups into which {@link SchedCounters} sorts the wait reasons of goroutines. */
public enum WaitKind {
  /** A channel, or several in a select. */
  CHANNEL,
  /** A mutex, the entry to a monitor, a semaphore, or a lock of the JDK. */
  LOCK,
  /** A wait group, a condition, a latch, a future, or any other object. */
  EVENT,
  /** The end of a sleep, or of a park with a time limit that names no object. */
  SLEEP,
  /** A socket, in the poller of the scheduler. */
  IO,
  /** Unknown: a park without a time limit that names no object. Only the stack would tell more. */
  OTHER;

  /** Returns the kind of wait that {@code g} is in, without reading its stack. */
  static WaitKind of(G g) {
    String reason = WaitReason.atAGlance(g.thread);
    if (reason != null) {
      return of(reason);
    }
    return VirtualThreads.phase(g.thread) == ThreadState.TIMED_PARKED ? SLEEP : OTHER;
  }

  /** Returns the kind of a wait for {@code reason}, a text made by {@link WaitReason}. */
  static WaitKind of(String reason) {
    return switch (reason) {
      case "" -> OTHER; // the goroutine has been woken meanwhile
      case "sleep" -> SLEEP;
      case "IO wait" -> IO;
      case "monitor enter", "semacquire", "park (Semaphore)" -> LOCK;
      default -> {
        if (reason.startsWith("chan ") || reason.startsWith("select")) {
          yield CHANNEL;
        }
        yield reason.contains("Mutex") || reason.endsWith("Lock)") ? LOCK : EVENT;
      }
    };
  }

  /** Returns the name of this kind in metrics. */
  public String word() {
    return switch (this) {
      case CHANNEL -> "channel";
      case LOCK -> "lock";
      case EVENT -> "event";
      case SLEEP -> "sleep";
      case IO -> "io";
      case OTHER -> "other";
    };
  }
}
