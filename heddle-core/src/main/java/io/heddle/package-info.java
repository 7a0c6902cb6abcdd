/**
 * Goroutines, channels and select for the JVM: Go's scheduler under JDK virtual threads.
 *
 * {@snippet :
 * import static io.heddle.Go.go;
 *
 * import io.heddle.Chan;
 * import io.heddle.Go;
 *
 * class Squares {
 *   public static void main(String[] args) throws Exception {
 *     Go.main(() -> {
 *       Chan<Integer> squares = Chan.make();
 *       go(() -> {
 *         for (int i = 1; i <= 3; i++) {
 *           squares.send(i * i);
 *         }
 *         squares.close();
 *       });
 *       for (int square : squares) {
 *         System.out.println(square);
 *       }
 *     });
 *   }
 * }
 * }
 *
 * <p>A <i>goroutine</i> is a virtual thread that a {@link io.heddle.Scheduler} of this library
 * runs. A scheduler has a number of <i>Ps</i> (processors): each is the right to run one goroutine
 * at a time. Its OS threads are called <i>Ms</i> (machines). An M needs a P to run goroutines, and
 * gives it up when its goroutine blocks the thread or computes for too long.
 *
 * <p>Start Java with {@code --add-opens java.base/java.lang=ALL-UNNAMED} or with Heddle's agent,
 * {@code -javaagent:heddle.jar}. An unchanged program is started by {@code java -jar heddle.jar}
 * (class {@code Launch}).
 *
 * <h2>The classes, in reading order</h2>
 *
 * Goroutines:
 * <ul>
 *   <li>{@link io.heddle.Go}: starts goroutines, sleeps, yields. Start here.
 *   <li>{@link io.heddle.Task}: the code of a goroutine; may throw checked exceptions.
 *   <li>{@link io.heddle.Goroutine}: what a goroutine does now, and a way to wait for its end.
 * </ul>
 *
 * Channels:
 * <ul>
 *   <li>{@link io.heddle.Chan}: hands values from goroutine to goroutine.
 *   <li>{@link io.heddle.Sender} and {@link io.heddle.Receiver}: its two sides.
 *   <li>{@link io.heddle.Select} and {@link io.heddle.Case}: wait for the first of several sends,
 *       receives and time limits.
 *   <li>{@link io.heddle.ClosedChanException}: thrown by a send to, or a second close of, a closed
 *       channel.
 *   <li>{@link io.heddle.CancelledException}: reports an interrupt from a method that cannot throw
 *       {@link java.lang.InterruptedException}.
 * </ul>
 *
 * Groups of goroutines:
 * <ul>
 *   <li>{@link io.heddle.WaitGroup}: waits until a number of tasks are done.
 *   <li>{@link io.heddle.Group}: waits for its tasks; the first one that fails cancels the others.
 *   <li>{@link io.heddle.Context}: carries cancellation, deadlines and values to tasks.
 *   <li>{@link io.heddle.SingleFlight}: merges concurrent calls for the same key into one.
 * </ul>
 *
 * Locks and time:
 * <ul>
 *   <li>{@link io.heddle.Mutex} and {@link io.heddle.RWMutex}: locks that behave like Go's.
 *   <li>{@link io.heddle.Semaphore}: a limit on a total weight.
 *   <li>{@link io.heddle.Once}: runs one task once.
 *   <li>{@link io.heddle.Timer} and {@link io.heddle.Ticker}: events at a time, or at intervals.
 * </ul>
 *
 * Schedulers and what they show:
 * <ul>
 *   <li>{@link io.heddle.Scheduler}: runs goroutines; most programs use the shared scheduler.
 *   <li>{@link io.heddle.Stats}: figures of a scheduler, such as the length of its queues.
 *   <li>{@link io.heddle.HandOffs}: how often goroutines gave up or lost their P, by reason.
 *   <li>{@link io.heddle.HandOffPlace}: a place where goroutines lose their P.
 *   <li>{@link io.heddle.CpuUsage}: CPU time by creation site and by label.
 *   <li>{@link io.heddle.ProfiledStack}: goroutines with the same stack in a profile.
 *   <li>{@link io.heddle.Latency}: how long goroutines waited for a P.
 *   <li>{@link io.heddle.GoroutineCounts}: how many goroutines run or wait, and for what.
 *   <li>{@link io.heddle.Limit} and {@link io.heddle.LimitStats}: how many goroutines an executor
 *       starts at a time, and what has happened there.
 *   <li>{@link io.heddle.OverloadException} and {@link io.heddle.OverloadStats}: new work is
 *       refused while goroutines wait too long for a P.
 *   <li>{@link io.heddle.ContainerStats} and {@link io.heddle.ContainerMXBean}: the limits of the
 *       container, and how long the program stood still because of its CPU quota.
 *   <li>{@link io.heddle.Carry}: carries the context of other libraries to goroutines.
 *   <li>{@link io.heddle.SchedulerMXBean}: the figures and dumps of a scheduler in JMX.
 *   <li>{@link io.heddle.WatchMXBean}: the results of watch mode in JMX. In watch mode the agent
 *       only observes how long virtual threads wait for a carrier of the JDK's own scheduler.
 *   <li>{@link io.heddle.FigureTable}: a table of another library on the dashboard.
 *   <li>{@link io.heddle.Trace}: a running recording of a scheduler's events in a file.
 *   <li>{@link io.heddle.DeadlockException}: thrown if the main goroutine can never continue.
 *   <li>{@link io.heddle.LeakedGoroutine}: a goroutine that can never continue, as a check at the
 *       end of a test finds it.
 * </ul>
 *
 * Tests:
 * <ul>
 *   <li>{@link io.heddle.Bubble}: runs code in an order that a seed decides; {@code @HeddleTest}
 *       of module {@code io.heddle.junit} uses it.
 *   <li>{@link io.heddle.BubbleException}: tells why a run in a bubble failed.
 * </ul>
 *
 * <h2>Rules for all classes</h2>
 *
 * A null argument throws {@link java.lang.NullPointerException} unless the parameter is {@link
 * org.jspecify.annotations.Nullable}. Goroutines and all other threads, platform or virtual, can
 * use these classes, unless a class says otherwise. Memory-consistency promises use the
 * <i>happens-before</i> of the Java Language Specification, chapter 17.
 */
@NullMarked
package io.heddle;

import org.jspecify.annotations.NullMarked;
