package io.heddle.internal.jdk;

import io.heddle.internal.base.BlockReason;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Tells users why a thread waits, even if the thread blocks in a class of the JDK. */
public final class WaitReason {
  private static final ClassValue<String> PARKS =
      new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> type) {
          return "park (" + nameOf(type) + ")";
        }
      };

  private WaitReason() {}

  /**
   * Returns why {@code thread}, which must be virtual, waits; empty if it does not wait. Reads the
   * stack of the thread if only the stack can tell.
   */
  public static String of(Thread thread) {
    String reason = atAGlance(thread);
    return reason == null ? ofFrames(List.of(thread.getStackTrace())) : reason;
  }

  /**
   * Returns why {@code thread}, which must be virtual, waits, without reading its stack. Returns
   * null if only the stack could tell, and an empty text if the thread does not wait.
   */
  public static @Nullable String atAGlance(Thread thread) {
    return switch (VirtualThreads.phase(thread)) {
      case MONITOR_ENTER -> "monitor enter";
      case OBJECT_WAIT -> "Object.wait";
      case PARKED, TIMED_PARKED, PINNED -> ofBlocker(LockSupport.getBlocker(thread));
      default -> "";
    };
  }

  /**
   * Returns why {@code thread} waits, as far as the JDK's public API tells; empty if it does not
   * wait. Unlike the other methods that take a thread, this method works if Heddle is off.
   */
  public static String byPublicApi(Thread thread) {
    Object blocker = LockSupport.getBlocker(thread);
    return switch (thread.getState()) {
      case BLOCKED -> "monitor enter";
      case WAITING, TIMED_WAITING ->
          blocker == null ? ofFrames(List.of(thread.getStackTrace())) : ofAny(blocker);
      default -> "";
    };
  }

  /**
   * Returns why {@code thread}, which must be virtual, waits, for traces; empty if it does not
   * wait. Never reads the stack, because that would be too slow for a trace.
   */
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
      default -> ""; // the thread was woken already, or has not run at all
    };
  }

  private static @Nullable String ofBlocker(@Nullable Object blocker) {
    return blocker == null ? null : ofAny(blocker);
  }

  private static String ofAny(Object blocker) {
    return blocker instanceof BlockReason ours ? ours.reason() : PARKS.get(blocker.getClass());
  }

  /**
   * Returns why a thread with this stack waits. Used for a park without a blocker, whose kind only
   * the stack tells.
   */
  public static String ofFrames(List<StackTraceElement> stack) {
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
    if (frame.getClassName().equals("java.lang.Object") && frame.getMethodName().equals("wait")) {
      return "Object.wait";
    }
    return null;
  }

  /**
   * Returns the name of the outermost class around {@code of}, which is the class that the user
   * knows: {@code ReentrantLock} for {@code java.util.concurrent.locks.ReentrantLock$NonfairSync}.
   */
  private static String nameOf(Class<?> of) {
    Class<?> type = of;
    for (Class<?> outer; (outer = type.getEnclosingClass()) != null; ) {
      type = outer;
    }
    return type.getSimpleName();
  }
}
