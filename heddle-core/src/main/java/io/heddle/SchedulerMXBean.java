package io.heddle;

import java.util.List;
import java.util.Map;

/**
 * A scheduler, for JMX: {@code io.heddle:type=Scheduler,name=…}. It can be found from about a second after the scheduler
 * was made until it is closed; a second one of the same name has {@code id=2} behind it.
 */
public interface SchedulerMXBean {
  /**
   * A P.
   *
   * @param number from 0 on
   * @param state {@code idle}, {@code running} or {@code scheduling}
   * @param thread the M that has it, {@code ""} for none
   * @param goroutine the id of the goroutine that runs there, 0 for none
   * @param queued how many wait for it
   * @param slices how many time slices were begun with it
   */
  record Proc(int number, String state, String thread, long goroutine, int queued, long slices) {}

  /** Its name, in dumps, too. */
  String getName();

  /** As {@link Scheduler#stats}. */
  Stats getStats();

  /** As {@link Scheduler#handOffs}. */
  HandOffs getHandOffs();

  /** Each P, in the order of their numbers. */
  List<Proc> getProcs();

  /** How many goroutines are running, runnable or in a system call, and how many wait for what. */
  Map<String, Integer> getGoroutinesByState();

  /** As {@link Scheduler#dump}. */
  String dump();

  /** As {@link Scheduler#dumpGrouped}. */
  String dumpGrouped();
}
