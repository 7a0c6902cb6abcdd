package io.heddle;

import org.jspecify.annotations.Nullable;

/**
 * Copies values that belong to a request, but are stored in a thread, to the goroutines that the
 * thread starts. Examples are a trace span, the logger's MDC and the security context.
 *
 * {@snippet :
 * class MdcCarry implements Carry {
 *   public Object capture() {
 *     return MDC.getCopyOfContextMap();               // null if it is empty: nothing to carry
 *   }
 *
 *   public AutoCloseable restore(Object captured) {
 *     MDC.setContextMap((Map<String, String>) captured);
 *     return MDC::clear;
 *   }
 * }
 * }
 *
 * <p>Modules {@code heddle-opentelemetry} and {@code heddle-context-propagation} have
 * implementations. When the first goroutine is started, {@link java.util.ServiceLoader} finds the
 * implementations on the class path or module path, and all schedulers use them.
 * {@link Scheduler.Builder#carry} sets other implementations for one scheduler.
 *
 * <p>{@link #capture} is called by the thread that calls {@link Go#go}, {@link Scheduler#go},
 * {@link Scheduler#run}, {@link WaitGroup#go}, {@link Group#go}, {@link Timer#schedule} or
 * {@link Context#onDone}, submits to a {@link Scheduler#executor}, or makes a thread with a
 * {@link Scheduler#threadFactory}. A thread that a factory makes for a
 * {@link java.util.concurrent.ThreadPoolExecutor} carries nothing, because it serves many tasks. A
 * virtual thread that the program makes with the JDK's own calls carries nothing, either.
 *
 * <p>{@link #restore} is called in the goroutine before its task. The object that it returned is
 * closed after the task, in the same goroutine. Both happen each time that the task runs: a timer
 * that is reset runs its task again, and a task that never runs has neither.
 *
 * <p>Implementations must be safe for use by several threads, and should be quick, because each
 * start of a goroutine waits for {@link #capture}. If one of these methods throws, the task runs
 * without the values of this implementation. A scheduler logs only the first such failure. The
 * failure of one implementation does not affect the others.
 */
public interface Carry {
  /**
   * Reads the values from the calling thread.
   *
   * @return the values, which another thread will use; null if there are none
   */
  @Nullable Object capture();

  /**
   * Sets the values in the calling goroutine.
   *
   * @param captured what {@link #capture} returned
   * @return an object whose {@code close} removes the values again
   */
  AutoCloseable restore(Object captured);
}
