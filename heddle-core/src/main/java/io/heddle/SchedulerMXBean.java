package io.heddle;

import java.util.List;
import java.util.Map;

/**
 * The view of a {@link Scheduler} in JMX, as {@code io.heddle:type=Scheduler,name=…}. It is
 * registered about a second after the scheduler was made, until the scheduler is closed. If the
 * name is taken, {@code ,id=2} or a higher number is appended.
 */
public interface SchedulerMXBean {
  /**
   * A P: a processor, the right to run one goroutine at a time.
   *
   * @param number its number, from 0 on
   * @param state {@code idle}, {@code running} or {@code scheduling}
   * @param thread the name of the M that has it, or {@code ""}
   * @param goroutine the id of the goroutine that it runs, or 0
   * @param queued the number of goroutines in its run queue
   * @param slices the number of time slices begun on it
   */
  record Proc(int number, String state, String thread, long goroutine, int queued, long slices) {}

  /**
   * Returns the name of the scheduler, which dumps show, too.
   *
   * @return the name
   */
  String getName();

  /**
   * Returns what {@link Scheduler#stats} returns.
   *
   * @return the figures
   */
  Stats getStats();

  /**
   * Returns what {@link Scheduler#handOffs} returns.
   *
   * @return the counters
   */
  HandOffs getHandOffs();

  /**
   * Returns the Ps, in the order of their numbers.
   *
   * @return the Ps
   */
  List<Proc> getProcs();

  /**
   * Returns the number of goroutines that are running, runnable or in a system call, and the number
   * that wait, by wait reason.
   *
   * @return the number for each state and each wait reason
   */
  Map<String, Integer> getGoroutinesByState();

  /**
   * Returns what {@link Scheduler#dump} returns.
   *
   * @return the dump
   */
  String dump();

  /**
   * Returns what {@link Scheduler#dumpGrouped} returns.
   *
   * @return the dump
   */
  String dumpGrouped();
}
