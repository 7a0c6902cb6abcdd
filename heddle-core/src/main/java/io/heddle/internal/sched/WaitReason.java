package io.heddle.internal.sched;

import io.heddle.internal.jdk.VirtualThreads;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Why a thread waits, for threads that block in the JDK's own ways. */
final class WaitReason {
  private WaitReason() {}

  static String of(Thread thread) {
    String reason = atAGlance(thread);
    return reason == null ? ofFrames(thread.getStackTrace()) : reason;
  }

  /** The same without a look at the stack; null if only that could tell. */
  static @Nullable String atAGlance(Thread thread) {
    return switch (VirtualThreads.phase(thread)) {
      case MONITOR_ENTER -> "monitor enter";
      case OBJECT_WAIT -> "Object.wait";
      case PARKED, TIMED_PARKED, PINNED -> ofBlocker(LockSupport.getBlocker(thread));
      default -> "";
    };
  }

  private static @Nullable String ofBlocker(@Nullable Object blocker) {
    if (blocker instanceof Waiting ours) {
      return ours.reason();
    }
    return blocker == null ? null : "park (" + nameOf(blocker) + ")";
  }

  /** Without a blocker only the stack tells what kind of park it is. */
  private static String ofFrames(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      String reason = ofFrame(frame);
      if (reason != null) {
        return reason;
      }
    }
    return "park";
  }

  private static @Nullable String ofFrame(StackTraceElement frame) {
    if (VirtualThreads.isPolling(frame)) {
      return "IO wait";
    }
    if (frame.getClassName().equals("java.lang.Thread") && frame.getMethodName().equals("sleep")) {
      return "sleep";
    }
    return null;
  }

  /** {@code ReentrantLock} for a {@code java.util.concurrent.locks.ReentrantLock$NonfairSync}: what the user made. */
  private static String nameOf(Object blocker) {
    Class<?> type = blocker.getClass();
    for (Class<?> outer; (outer = type.getEnclosingClass()) != null; ) {
      type = outer;
    }
    return type.getSimpleName();
  }
}
