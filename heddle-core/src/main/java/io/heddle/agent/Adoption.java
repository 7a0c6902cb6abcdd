package io.heddle.agent;

import io.heddle.Scheduler;
import io.heddle.internal.jdk.ThreadBuilderPatch;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.Sched;
import java.lang.instrument.Instrumentation;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Makes the virtual threads of a program goroutines of the shared scheduler. */
final class Adoption {
  private static final String PROPERTY = "heddle.adopt";
  private static final String VARIABLE = "HEDDLE_ADOPT";

  /** The agent may be asked for twice: on the command line, and in JAVA_TOOL_OPTIONS. */
  private static final AtomicBoolean BEGUN = new AtomicBoolean();

  private Adoption() {}

  /** What a system property or an environment variable asks for; null if none does. */
  static @Nullable Filter asked() {
    String text = System.getProperty(PROPERTY, System.getenv(VARIABLE));
    return text == null ? null : Options.adopt(text);
  }

  /**
   * From now on, those that {@code filter} wants; the first time.
   *
   * @throws ReflectiveOperationException if this JDK is not as we know it
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

  /** Those that a goroutine makes follow it by themselves, and so do those of a scheduler that the program has brought along. */
  private static @Nullable Executor choose(Executor adopter, Filter filter, @Nullable String name) {
    try {
      boolean inherits = VirtualThreads.hasOwnScheduler(Thread.currentThread());
      boolean isOurs = !inherits && !isOfTheJdk(name) && filter.wants(name);
      return isOurs ? adopter : null;
    } catch (Throwable t) { // no memory, or no room on the stack: as if nobody had asked
      return null;
    }
  }
}
