package io.heddle.internal.jdk;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The monitors that an unmounted virtual thread holds while it is parked, blocked or joins another
 * thread, and the monitor or thread that it waits for. Nothing is known of a mounted thread, and
 * thus of a pinned one.
 */
final class MonitorOwners {
  /*
   * UnmountedStack lists for each frame the monitors that the frame has entered, is about to enter,
   * or has released for the time of an Object.wait. JDK 28 does not list released monitors. Hence:
   *   - A parked thread holds all listed monitors, because park() neither enters nor releases any.
   *   - A thread that is blocked at an entry, or at the re-entry after a wait, holds all but the
   *     monitor that it wants, if the stack names the wanted monitor. The stack does not name
   *     it if the thread set a park blocker itself, or waited in a compiled Object.wait0. If only
   *     one monitor is listed in that case, it counts as wanted, and not as held. If the thread
   *     holds that monitor after all, no other thread does. Then no holder is found, and no wrong
   *     deadlock is reported. If several are listed, nothing is known of the thread.
   *   - A thread that joins another thread, in a JDK where a join waits at the monitor of the
   *     joined thread, holds all but that monitor.
   *   - Nothing is reported of a thread that waits with a time limit, or is in any other
   *     Object.wait, because it cannot be part of a deadlock that BlockedOn reports.
   * Monitors that native code entered are not listed.
   *
   * Checked by: BlockedOnMonitorTest, BlockedOnThreadTest, BlockedOnRacesTest.
   */
  private static final MonitorOwners UNKNOWN = new MonitorOwners(null, null, List.of());

  private final @Nullable Object wanted;
  private final @Nullable Thread joined;
  private final List<Object> held;

  private MonitorOwners(@Nullable Object wanted, @Nullable Thread joined, List<Object> held) {
    this.wanted = wanted;
    this.joined = joined;
    this.held = held;
  }

  /**
   * The object at whose monitor {@code thread} is blocked; null if the thread is not blocked, or
   * the object is not known.
   */
  static @Nullable Object wantedBy(Thread thread) {
    return look(thread).wanted;
  }

  /**
   * The thread that {@code thread} joins without a time limit, on a JDK where a join waits at the
   * monitor of the joined thread; null if {@code thread} joins none, or the joined thread is not
   * known.
   */
  static @Nullable Thread joinedBy(Thread thread) {
    return look(thread).joined;
  }

  /**
   * Whether {@code thread} is parked, blocked or joins another thread, and certainly holds the
   * monitor of {@code monitor}.
   */
  static boolean isHeldBy(Thread thread, Object monitor) {
    return look(thread).held.stream().anyMatch(held -> held == monitor);
  }

  /**
   * The objects whose monitors {@code thread} certainly holds; empty unless it is parked, blocked
   * or joins another thread.
   */
  static List<Object> heldBy(Thread thread) {
    return look(thread).held;
  }

  private static MonitorOwners look(Thread thread) {
    if (!thread.isVirtual()) {
      return UNKNOWN;
    }
    int word = VirtualThreads.state(thread);
    if (!isExamined(word)) {
      return UNKNOWN;
    }
    UnmountedStack stack = UnmountedStack.of(thread, word);
    if (stack == null) {
      reportFailure(word);
      return UNKNOWN;
    }
    return switch (word) {
      case StateWord.PARKED -> new MonitorOwners(null, null, stack.monitors(null));
      case StateWord.BLOCKED -> ofBlocked(stack);
      default -> ofWaiting(stack);
    };
  }

  private static boolean isExamined(int word) {
    return switch (word) {
      case StateWord.PARKED, StateWord.BLOCKED -> true;
      case StateWord.WAIT -> JdkRelease.current().joins() == JdkRelease.Joins.MONITOR;
      default -> false;
    };
  }

  private static void reportFailure(int word) {
    Object failure = UnmountedStack.FAILURE;
    if (failure != null) {
      OffNotices.add(
          word == StateWord.WAIT ? JdkFeature.JOINS : JdkFeature.MONITOR_OWNERS, failure);
    }
  }

  private static MonitorOwners ofBlocked(UnmountedStack stack) {
    Object wanted = stack.blocker();
    return wanted == null
        ? wantsTheOnlyOne(stack.monitors(null))
        : new MonitorOwners(wanted, null, stack.monitors(wanted));
  }

  private static MonitorOwners wantsTheOnlyOne(List<Object> listed) {
    Object only = listed.isEmpty() ? null : listed.getFirst();
    return listed.stream().allMatch(object -> object == only)
        ? new MonitorOwners(only, null, List.of())
        : UNKNOWN;
  }

  private static MonitorOwners ofWaiting(UnmountedStack stack) {
    Thread joined = stack.joined();
    return joined == null ? UNKNOWN : new MonitorOwners(null, joined, stack.monitors(joined));
  }
}
