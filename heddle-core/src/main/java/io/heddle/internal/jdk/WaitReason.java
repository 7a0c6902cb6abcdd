package io.heddle.internal.jdk;

import io.heddle.internal.base.BlockReason;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Why a thread waits, for threads that block in the JDK's own ways. */
public final class WaitReason {
  private static final ClassValue<String> PARKS =
      new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> type) {
          return "park (" + nameOf(type) + ")";
        }
      };

  private WaitReason() {}

  public static String of(Thread thread) {
    String reason = atAGlance(thread);
    return reason == null ? ofFrames(thread.getStackTrace()) : reason;
  }

  /** The same without a look at the stack; null if only that could tell. */
  public static @Nullable String atAGlance(Thread thread) {
    return switch (VirtualThreads.phase(thread)) {
      case MONITOR_ENTER -> "monitor enter";
      case OBJECT_WAIT -> "Object.wait";
      case PARKED, TIMED_PARKED, PINNED -> ofBlocker(LockSupport.getBlocker(thread));
      default -> "";
    };
  }

  /** The same for traces: quick, so it does not look at the stack. */
  public static String quick(Thread thread) {
    Object blocker = LockSupport.getBlocker(thread);
    return blocker == null ? ofPhase(VirtualThreads.phase(thread)) : ofAny(blocker);
  }

  private static String ofPhase(ThreadState phase) {
    return switch (phase) {
      case MONITOR_ENTER -> "monitor enter";
      case OBJECT_WAIT -> "Object.wait";
      case PARKED, PINNED -> "park";
      case TIMED_PARKED -> "timed park";
      default -> ""; // woken already, or it has not run at all
    };
  }

  private static @Nullable String ofBlocker(@Nullable Object blocker) {
    return blocker == null ? null : ofAny(blocker);
  }

  private static String ofAny(Object blocker) {
    return blocker instanceof BlockReason ours ? ours.reason() : PARKS.get(blocker.getClass());
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

  /**
   * {@code ReentrantLock} for a {@code java.util.concurrent.locks.ReentrantLock$NonfairSync}: what
   * the user made.
   */
  private static String nameOf(Class<?> of) {
    Class<?> type = of;
    for (Class<?> outer; (outer = type.getEnclosingClass()) != null; ) {
      type = outer;
    }
    return type.getSimpleName();
  }
}
