package io.heddle.agent;

import io.heddle.Scheduler;
import io.heddle.internal.jdk.ThreadBuilderPatch;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.Sched;
import java.lang.instrument.Instrumentation;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Turns the virtual threads of an unchanged program into goroutines of the shared scheduler. */
final class Adoption {
  private static final String PROPERTY = "heddle.adopt";
  private static final String VARIABLE = "HEDDLE_ADOPT";

  /**
   * Set by the first call of begin, because the agent may start twice: from the command line and
   * from JAVA_TOOL_OPTIONS.
   */
  private static final AtomicBoolean BEGUN = new AtomicBoolean();

  private Adoption() {}

  /**
   * Returns the filter from the system property or the environment variable, or null if neither is
   * set.
   */
  static @Nullable Filter asked() {
    String text = System.getProperty(PROPERTY, System.getenv(VARIABLE));
    return text == null ? null : Options.adopt(text);
  }

  /**
   * Adopts the threads that {@code filter} wants and that are created from now on. Only the first
   * call has an effect.
   *
   * @throws ReflectiveOperationException if Heddle does not know the internals of this JDK
   */
  static void begin(Instrumentation instrumentation, Filter filter)
      throws ReflectiveOperationException {
    if (!BEGUN.compareAndSet(false, true)) {
      return;
    }
    Executor adopter = Sched.of(Scheduler.shared()).adopter();
    ThreadBuilderPatch.open(instrumentation, name -> choose(adopter, filter, name));
  }

  private static boolean isOfTheJdk(@Nullable String name) {
    return name != null && VirtualThreads.isOfTheJdk(name);
  }

  /**
   * Returns the executor for a new virtual thread, or null for the JDK's default. The result is
   * also null if the creating thread has its own scheduler: a goroutine has one, or the program
   * supplied it. The JDK passes that scheduler on to the new thread.
   */
  private static @Nullable Executor choose(Executor adopter, Filter filter, @Nullable String name) {
    try {
      boolean inherits = VirtualThreads.hasOwnScheduler(Thread.currentThread());
      boolean isOurs = !inherits && !isOfTheJdk(name) && filter.wants(name);
      return isOurs ? adopter : null;
    } catch (Throwable t) { // no memory or no stack left: the thread is not adopted
      return null;
    }
  }
}
