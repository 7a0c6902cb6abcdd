package io.heddle;

import java.util.List;
import java.util.Map;

/**
 * The results of watch mode, in JMX. In watch mode ({@code -javaagent:heddle.jar=watch}) Heddle
 * schedules nothing. It only observes the JDK's scheduler: how long virtual threads wait for a
 * carrier, and what holds the carriers meanwhile. The bean is registered as
 * {@code io.heddle:type=Watch}, a second after the start. {@code heddle watch PID} reads it.
 *
 * <p>To measure, Heddle wakes a virtual thread of its own, the <i>probe</i>, once per interval. A
 * <i>starvation</i> is a wait of the probe for a carrier that lasted at least one interval.
 *
 * <p>All methods can be called from any thread. The figures count from the start of the program.
 */
public interface WatchMXBean {
  /**
   * Code that held carriers during starvations. In each starvation, Heddle samples the stacks of
   * the carriers' virtual threads.
   *
   * @param kind {@code computing}: Java code ran; {@code pinned}: the virtual thread waited and
   *     could not unmount; {@code native}: it was in native code
   * @param place the innermost frame of the stack that does not belong to the JDK
   * @param heldMillis how long carriers were held there, estimated from the samples
   * @param samples the number of samples that found a carrier there
   */
  record Holder(String kind, String place, long heldMillis, long samples) {}

  /**
   * How long carriers were held during starvations, as plain numbers from which any JMX tool can
   * make metrics. Estimated from the samples, like {@link Holder#heldMillis}.
   *
   * @param computing in Java code, in seconds
   * @param pinned by virtual threads that waited and could not unmount, in seconds
   * @param inNative in native code, in seconds
   */
  record HeldSeconds(double computing, double pinned, double inNative) {}

  /**
   * Returns how long the probe, and so any virtual thread, waited for a carrier. The keys are the
   * percentiles {@code p50}, {@code p90}, {@code p99} and {@code p99.9}, and {@code longest}.
   *
   * @return for each key the wait in microseconds
   */
  Map<String, Long> getWaitMicros();

  /**
   * Returns how long the probe, and so any virtual thread, waited for a carrier. The probe is not
   * woken again during a wait that is longer than an interval. The waits that it would have had
   * then are counted, too. Otherwise the figures would contain too few long waits.
   *
   * @return the number of waits, their sum, and how many stayed within some limits
   */
  SchedulerMXBean.LatencySummary getWaits();

  /**
   * Returns how long the probe waited for a carrier, as a cumulative histogram. Each key is a wait
   * in seconds, for example {@code 0.005}; the last one is {@code +Inf}.
   *
   * @return for each key the number of waits that were at most this long
   */
  Map<String, Long> getWaitBuckets();

  /**
   * Returns how often no carrier was free for the probe for at least one interval.
   *
   * @return the number of starvations
   */
  long getStarvations();

  /**
   * Returns how long all starvations together lasted.
   *
   * @return the sum in milliseconds
   */
  long getStarvedMillis();

  /**
   * Returns how long all starvations together lasted.
   *
   * @return the sum in seconds
   */
  double getStarvedSeconds();

  /**
   * Returns how long carriers were held during starvations, for each kind of hold.
   *
   * @return the sums over all carriers
   */
  HeldSeconds getHeldSeconds();

  /**
   * Returns the largest number of virtual threads that waited for a carrier at the same time,
   * during a starvation.
   *
   * @return the number of threads
   */
  long getMostQueued();

  /**
   * Returns the code that held the carriers during the starvations.
   *
   * @return one element per method and kind of hold, the longest hold first
   */
  List<Holder> getHolders();

  /**
   * Returns all results as text, as watch mode prints them when the program ends.
   *
   * @return the report, with line breaks
   */
  String report();

  /**
   * Returns all results as one self-contained HTML page.
   *
   * @return the page
   */
  String page();
}
