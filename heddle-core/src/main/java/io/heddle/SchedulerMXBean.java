package io.heddle;

import java.util.List;
import java.util.Map;

/**
 * The view of a {@link Scheduler} in JMX, under the name {@code io.heddle:type=Scheduler,name=…}.
 *
 * {@snippet :
 * ObjectName name = new ObjectName("io.heddle:type=Scheduler,name=shared");
 * SchedulerMXBean shared = JMX.newMXBeanProxy(connection, name, SchedulerMXBean.class);
 * System.out.println(shared.getStats());
 * }
 *
 * <p>A scheduler is registered about a second after it was made, and stays registered until it is
 * closed. If the name is taken, {@code ,id=2} or a higher number is appended. All methods can be
 * called from any thread, and none of them waits for a goroutine.
 */
public interface SchedulerMXBean {
  /**
   * A snapshot of a P: a processor, the right to run one goroutine at a time.
   *
   * @param number the number of the P, from 0 on
   * @param state {@code idle}; {@code running}: a goroutine runs on it; or {@code scheduling}: its
   *     thread looks for the next goroutine
   * @param thread the name of the M (OS thread) that owns the P, or {@code ""}
   * @param goroutine the id of the goroutine that runs on the P, or 0
   * @param queued the number of goroutines in the run queue of the P
   * @param slices the number of time slices that have begun on the P
   */
  record Proc(int number, String state, String thread, long goroutine, int queued, long slices) {}

  /**
   * How long goroutines were runnable before they ran, as plain numbers from which any JMX tool can
   * make metrics. {@link Scheduler#latency} returns the same measurements in more detail.
   *
   * @param samples the number of such waits that were measured, since the scheduler was made
   * @param totalNanos the sum of these waits in nanoseconds
   * @param upTo100us the number of these waits that were not longer than 100 µs
   * @param upTo1ms the number that were not longer than 1 ms
   * @param upTo10ms the number that were not longer than 10 ms
   * @param upTo100ms the number that were not longer than 100 ms
   * @param upTo1s the number that were not longer than 1 s
   */
  record LatencySummary(
      long samples,
      long totalNanos,
      long upTo100us,
      long upTo1ms,
      long upTo10ms,
      long upTo100ms,
      long upTo1s) {}

  /**
   * A goroutine that waits for ever.
   *
   * @param scheduler the name of its scheduler
   * @param id the number of the goroutine, as {@link Goroutine#id}
   * @param name the name of the goroutine, or {@code ""}
   * @param waitReason why it waits, as {@link Goroutine#waitReason}
   * @param waitedMillis about how long it has waited
   * @param waitsFor the lock and the goroutine that holds it, or {@code ""} if that is not known
   * @param site where it was started, or {@code ""}
   * @param stack where it waits, the innermost frame first
   */
  record StuckGoroutine(
      String scheduler,
      long id,
      String name,
      String waitReason,
      long waitedMillis,
      String waitsFor,
      String site,
      List<String> stack) {}

  /**
   * Goroutines that wait for each other: each for the next one, and the last one for the first.
   *
   * @param goroutines the goroutines, in this order
   */
  record DeadlockCycle(List<StuckGoroutine> goroutines) {}

  /**
   * The goroutines that were started at one place, wait for one reason, and have waited long.
   *
   * @param site where they were started, or {@code ""}
   * @param waitReason why they wait
   * @param count the number of these goroutines
   * @param longestMillis about how long the goroutine that began to wait first has waited
   * @param ids the numbers of at most eight of them
   */
  record StuckSite(String site, String waitReason, int count, long longestMillis, List<Long> ids) {}

  /**
   * Returns the name of the scheduler.
   *
   * @return the name
   */
  String getName();

  /**
   * Returns figures about what the scheduler is doing and has done: see {@link Scheduler#stats}.
   *
   * @return a snapshot
   */
  Stats getStats();

  /**
   * Returns how often a goroutine gave up or lost its P to other goroutines, by reason: see
   * {@link Scheduler#handOffs}.
   *
   * @return the number of these hand-offs for each reason
   */
  HandOffs getHandOffs();

  /**
   * Returns how long goroutines were runnable before they ran.
   *
   * @return the number of measured waits, their sum, and how many stayed within some limits
   */
  LatencySummary getLatency();

  /**
   * Returns how long goroutines were runnable before they ran, as a cumulative histogram. Each key
   * is a wait in seconds, for example {@code 0.005}; the last one is {@code +Inf}.
   *
   * @return for each key the number of measured waits that were at most this long
   */
  Map<String, Long> getLatencyBuckets();

  /**
   * Returns how many goroutines run, can run or wait, and for what: see
   * {@link Scheduler#goroutineCounts}.
   *
   * @return the number of goroutines in each state, and for each kind of wait
   */
  GoroutineCounts getGoroutineCounts();

  /**
   * Returns what happened at the limits on the number of goroutines: see {@link Scheduler#limits}.
   *
   * @return the figures by the name of the limit
   */
  List<LimitStats> getLimits();

  /**
   * Returns the elements of {@link #getLimits} in a map, for tools that show a map as a table with
   * a row for each key.
   *
   * @return the figures of each limit by its name
   */
  Map<String, LimitStats> getLimitsByName();

  /**
   * Returns the sums of {@link #getLimits}, for tools that show no tables.
   *
   * @return the sum of each figure over all limits; its name is empty
   */
  LimitStats getLimitTotals();

  /**
   * Returns what the overload control has measured and decided: see {@link Scheduler#overload}.
   *
   * @return the figures; all zero if it is off
   */
  OverloadStats getOverload();

  /**
   * Returns how long goroutines wait for a P at present, as the overload control measures it. This
   * is {@link OverloadStats#delayNanos}, for tools that cannot convert units.
   *
   * @return a time in seconds; 0 if the control is off
   */
  double getOverloadDelaySeconds();

  /**
   * Returns how long goroutines may wait for a P before new work is refused. This is
   * {@link OverloadStats#targetNanos}, for tools that cannot convert units.
   *
   * @return a time in seconds; 0 if the control is off
   */
  double getOverloadTargetSeconds();

  /**
   * Returns the largest number of OS threads that the scheduler may have.
   *
   * @return the limit; 0 if Heddle is off
   */
  int getMaxThreads();

  /**
   * Returns the number of Ps that are not idle. This is {@link Stats#procs} minus
   * {@link Stats#idleProcs}, for tools that can show a value but cannot subtract.
   *
   * @return the number of Ps that an M owns
   */
  int getBusyProcs();

  /**
   * Returns the number of OS threads that neither sleep nor look for work.
   *
   * @return the number of Ms that run goroutines, or are in blocking calls
   */
  int getBusyThreads();

  /**
   * Returns the number of goroutines in the run queues of all Ps.
   *
   * @return the sum of {@link Stats#localQueues}
   */
  int getLocalQueue();

  /**
   * Returns what each P is doing.
   *
   * @return one snapshot per P, in the order of their numbers; empty if Heddle is off
   */
  List<Proc> getProcs();

  /**
   * Counts the goroutines by what they do. The keys are the {@linkplain Goroutine.State states} in
   * lower case, for example {@code running}. Goroutines that wait are counted by their
   * {@linkplain Goroutine#waitReason wait reason} instead.
   *
   * @return the number of goroutines for each state and each wait reason
   */
  Map<String, Integer> getGoroutinesByState();

  /**
   * Returns how much CPU time the goroutines have used, by creation site and by label: see
   * {@link Scheduler#cpuUsage}.
   *
   * @return a snapshot
   */
  CpuUsage getCpuUsage();

  /**
   * Returns the places where goroutines lost their P by force most often: see
   * {@link Scheduler#handOffPlaces}.
   *
   * @return at most ten places
   */
  List<HandOffPlace> getHandOffPlaces();

  /**
   * Takes a profile of all goroutines: see {@link Scheduler#profile}. The call lasts as long as the
   * profile.
   *
   * @param millis for how many milliseconds, from 1 to 3600000
   * @return the stacks that were seen
   */
  List<ProfiledStack> profile(long millis);

  /**
   * Describes every goroutine, with its stack, in the form of Go's dumps: see
   * {@link Scheduler#dump}.
   *
   * @return the dump, with line breaks
   */
  String dump();

  /**
   * Describes every goroutine like {@link #dump}, but shows goroutines with the same stack and
   * state once, with their number.
   *
   * @return the dump, with line breaks
   */
  String dumpGrouped();

  /**
   * Finds the cycles in which goroutines wait for each other: for a
   * {@link java.util.concurrent.locks.ReentrantLock}, a monitor, or the end of the next one. The
   * program runs on meanwhile. Only goroutines that have waited for about a second are looked at.
   * Every reported cycle is a deadlock; only an interrupt can end it. A cycle through a thread that
   * is no goroutine is not found.
   *
   * @return the cycles with at least one goroutine of this scheduler
   * @throws IllegalStateException if Heddle is off ({@code HEDDLE=off})
   */
  List<DeadlockCycle> findDeadlocked();

  /**
   * Finds the goroutines that wait for a channel, a lock or another object that no other thread can
   * reach, so that nothing can wake them. Only goroutines that have waited for about a second are
   * looked at. They stay as they are; {@link Scheduler#leaked} collects them.
   *
   * <p>This calls {@link System#gc}: once if nothing has leaked, else twice. Some goroutines that
   * nothing will wake are not found: see {@link Scheduler#leaked}. Weakly referenced objects count
   * as unreachable: a {@link java.lang.ref.WeakReference} to what only a waiting goroutine keeps
   * alive is cleared.
   *
   * @return the leaked goroutines of this scheduler, at most 1000; {@link #getLeakedGoroutines} is
   *     their number
   * @throws IllegalStateException if the garbage collector does not run on request
   *     ({@code -XX:+DisableExplicitGC}), if the JVM does not enqueue references, or if Heddle is
   *     off ({@code HEDDLE=off})
   */
  List<StuckGoroutine> findLeaked();

  /**
   * Lists the goroutines that have waited long, by the place that started them. They may well be
   * woken later.
   *
   * @param seconds how long they must have waited
   * @return one entry for each place and wait reason, the longest wait first
   * @throws IllegalArgumentException if {@code seconds} is negative
   * @throws IllegalStateException if Heddle is off ({@code HEDDLE=off})
   */
  List<StuckSite> findStuck(long seconds);

  /**
   * Returns the number of goroutines that wait for each other, as the last check has found: those
   * in cycles that contain a goroutine of this scheduler. A check is a call of {@link
   * #findDeadlocked} or {@link #dump}. The setting {@code heddle.leakcheck} makes checks at
   * intervals.
   *
   * @return the number of goroutines; 0 if there was no check
   */
  int getDeadlockedGoroutines();

  /**
   * Returns the number of goroutines of this scheduler that nothing can wake, as the last check has
   * found. A check is a call of {@link #findLeaked}. The setting {@code heddle.leakcheck} makes
   * checks at intervals.
   *
   * @return the number of goroutines; 0 if there was no check
   */
  int getLeakedGoroutines();
}
