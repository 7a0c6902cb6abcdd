package io.heddle;

import java.util.Arrays;

/**
 * What a {@link Scheduler} is doing and has done. The figures are read one after the other while it runs, so they need
 * not add up to the last goroutine.
 *
 * @param procs how many Ps there are
 * @param idleProcs how many of them nobody uses
 * @param threads how many Ms (OS threads) it has
 * @param idleThreads how many of them sleep
 * @param spinningThreads how many of them look for work
 * @param goroutines how many goroutines live
 * @param globalQueue how many goroutines wait in the global queue
 * @param localQueues how many goroutines wait for each P
 * @param started how many goroutines were ever started
 * @param finished how many of them have ended
 * @param switches how often an M ran a goroutine for a stretch
 * @param steals how often an M took work from another P
 * @param stolen how many goroutines were taken that way
 * @param handoffs how often a P went from a goroutine that blocked or computed to others: see {@link HandOffs}
 * @param preemptions how often a goroutine had used up its time slice and was asked to make way
 * @param threadParks how often an M went to sleep
 * @param timersFired how many timers have fired
 * @param netpolls how often the network was asked for what is ready
 */
@SuppressWarnings("ArrayRecordComponent") // the API is fixed
public record Stats(
    int procs,
    int idleProcs,
    int threads,
    int idleThreads,
    int spinningThreads,
    int goroutines,
    int globalQueue,
    int[] localQueues,
    long started,
    long finished,
    long switches,
    long steals,
    long stolen,
    long handoffs,
    long preemptions,
    long threadParks,
    long timersFired,
    long netpolls) {

  /** On one line, the queues spelt out. */
  @Override
  public String toString() {
    return "procs=%d idleProcs=%d threads=%d idleThreads=%d spinningThreads=%d goroutines=%d globalQueue=%d localQueues=%s "
            .formatted(
                procs,
                idleProcs,
                threads,
                idleThreads,
                spinningThreads,
                goroutines,
                globalQueue,
                Arrays.toString(localQueues))
        + "started=%d finished=%d switches=%d steals=%d stolen=%d handoffs=%d preemptions=%d threadParks=%d timersFired=%d netpolls=%d"
            .formatted(
                started,
                finished,
                switches,
                steals,
                stolen,
                handoffs,
                preemptions,
                threadParks,
                timersFired,
                netpolls);
  }
}
