package io.heddle;

import java.util.Arrays;

/**
 * A snapshot of what a {@link Scheduler} is doing and has done: see {@link Scheduler#stats}.
 *
 * {@snippet :
 * Stats stats = Scheduler.shared().stats();
 * System.out.println(stats.goroutines() + " goroutines on " + stats.threads() + " threads");
 * }
 *
 * <p>A P is a processor, the right to run one goroutine at a time; an M is an OS thread that runs
 * goroutines. The figures are read one after the other while the scheduler runs, so they need not
 * be consistent with each other.
 *
 * @param procs the number of Ps
 * @param idleProcs the number of Ps that no M uses
 * @param threads the number of Ms
 * @param idleThreads the number of Ms that sleep
 * @param spinningThreads the number of Ms that search for a goroutine to run
 * @param goroutines the number of goroutines alive
 * @param globalQueue the number of goroutines in the global run queue
 * @param localQueues for each P the number of goroutines in its run queue
 * @param started the number of goroutines ever started
 * @param finished the number of goroutines that have ended
 * @param switches how often an M began to run a goroutine
 * @param steals how often an M took goroutines from the run queue of another P
 * @param stolen the number of goroutines that these steals took
 * @param handoffs how often a goroutine gave up or lost its P to other goroutines because it
 *     blocked or computed for too long: see {@link HandOffs}
 * @param preemptions how often a goroutine that had used up its time slice was asked to yield
 * @param threadParks how often an M went to sleep
 * @param timersFired how often a timer has fired
 * @param netpolls how often the scheduler asked the network poller for ready connections
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

  /** Returns all figures on one line, with the length of each queue. */
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
