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
 * {@code -javaagent:heddle.jar}.
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
 *   <li>{@link io.heddle.Select} and {@link io.heddle.Case}: the first of several sends, receives
 *       and time limits.
 *   <li>{@link io.heddle.ClosedChanException}: a send or close after the close.
 *   <li>{@link io.heddle.CancelledException}: an interrupt in a method without checked exceptions.
 * </ul>
 *
 * Groups of goroutines:
 * <ul>
 *   <li>{@link io.heddle.WaitGroup}: waits until a number of tasks are done.
 *   <li>{@link io.heddle.Group}: as a wait group, and the first failure cancels the others.
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
 *   <li>{@link io.heddle.Stats} and {@link io.heddle.HandOffs}: its figures.
 *   <li>{@link io.heddle.SchedulerMXBean}: its view in JMX.
 *   <li>{@link io.heddle.Trace}: its events in a file.
 *   <li>{@link io.heddle.DeadlockException}: the main goroutine can never continue.
 *   <li>{@link io.heddle.LeakedGoroutine}: a goroutine that can never continue.
 * </ul>
 *
 * Tests:
 * <ul>
 *   <li>{@link io.heddle.Bubble}: runs code in an order that a seed decides; {@code @HeddleTest}
 *       of module {@code io.heddle.junit} uses it.
 *   <li>{@link io.heddle.BubbleException}: a run in a bubble failed.
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
