package io.heddle.agent;

import io.heddle.internal.jdk.ClassChanges;
import io.heddle.internal.jdk.ThreadBuilderPatch;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Turns the virtual threads of an unchanged program into goroutines. */
final class Adoption {
  private static final String PROPERTY = "heddle.adopt";
  private static final String VARIABLE = "HEDDLE_ADOPT";
  private static final String LIMIT_PROPERTY = "heddle.limit";
  private static final String LIMIT_VARIABLE = "HEDDLE_LIMIT";

  /**
   * Whether prepare was called. Further calls do nothing. There is a second call if the agent
   * starts twice: from the command line and from JAVA_TOOL_OPTIONS.
   */
  private static final AtomicBoolean PREPARED = new AtomicBoolean();

  /** Null before {@link #begin}. Written once, by the thread that starts the agent or launcher. */
  private static volatile @Nullable AdoptionPlan plan;

  private Adoption() {}

  /** Whether {@code heddle.adopt} or the environment variable {@code HEDDLE_ADOPT} is set. */
  static boolean isSet() {
    return System.getProperty(PROPERTY, System.getenv(VARIABLE)) != null;
  }

  /**
   * Returns the filter from {@code heddle.adopt}, or else from {@code HEDDLE_ADOPT}. Returns null
   * if neither is set, or if the text says that no thread is adopted.
   */
  static @Nullable Filter asked() {
    String text = System.getProperty(PROPERTY, System.getenv(VARIABLE));
    return text == null ? null : Options.adopt(text);
  }

  /** Returns the limits from {@code heddle.limit}, or else from {@code HEDDLE_LIMIT}. */
  static List<ThreadLimit> askedLimits() {
    String text = System.getProperty(LIMIT_PROPERTY, System.getenv(LIMIT_VARIABLE));
    return text == null ? List.of() : Options.limits(text);
  }

  /**
   * Patches the JDK, so that {@link #begin} can adopt threads. Must be called before the first
   * scheduler is made, which would load the class that the patch changes. Only the first call has
   * an effect.
   *
   * @throws ReflectiveOperationException if Heddle does not know the internals of this JDK
   */
  static void prepare(ClassChanges classes) throws ReflectiveOperationException {
    if (PREPARED.compareAndSet(false, true)) {
      ThreadBuilderPatch.open(classes, Adoption::choose);
    }
  }

  /**
   * Adopts the virtual threads that are created from now on and that {@code filter} selects, with
   * these limits. Threads that an adopted goroutine creates are adopted, too. Only the first call
   * has an effect.
   */
  static void begin(Filter filter, List<ThreadLimit> limits) {
    if (plan == null) {
      AdoptionPlan made = new AdoptionPlan(filter, limits);
      plan = made;
      if (!filter.patterns().isEmpty()) {
        made.reportAtExit();
      }
    }
  }

  /**
   * Returns the result of {@link AdoptionPlan#choose}. Returns null before {@link #begin}, and if
   * {@code choose} fails. The thread is then not adopted.
   */
  private static @Nullable Executor choose(@Nullable String name) {
    AdoptionPlan plan = Adoption.plan;
    try {
      return plan == null ? null : plan.choose(name);
    } catch (Throwable t) { // no memory or no stack left: the thread is not adopted
      return null;
    }
  }
}
