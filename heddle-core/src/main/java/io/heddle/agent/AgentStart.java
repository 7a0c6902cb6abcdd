package io.heddle.agent;

import io.heddle.internal.base.UnknownSettings;
import java.lang.instrument.Instrumentation;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the agent does before the program starts, on a JDK that Heddle supports.
 *
 * <ul>
 *   <li>It opens {@code java.lang} to Heddle, so that no other flag is needed.
 *   <li>If the manifest has {@code Can-Retransform-Classes: true}, goroutines wait for sockets and
 *       for time in their own scheduler.
 *   <li>With {@code =adopt} the virtual threads of the program become goroutines of the shared
 *       scheduler.
 *   <li>With {@code =preempt} the loops of the program yield at the end of a time slice.
 * </ul>
 *
 * <p>A failure is reported on standard error. The program then runs as if the agent were absent.
 * The settings among the agent's options are taken back, because the program may use the library.
 */
public final class AgentStart {
  private AgentStart() {}

  /** Called by {@code Agent}, the entry class, through reflection. */
  public static void start(@Nullable String text, Instrumentation instrumentation) {
    openJavaLang(instrumentation);
    UnknownSettings.warnOnce();
    Map<String, @Nullable String> before = new HashMap<>();
    try {
      Options options = Options.parse(text);
      options
          .settings()
          .forEach((name, value) -> before.put(name, System.setProperty(name, value)));
      if (instrumentation.isRetransformClassesSupported()) { // only if the manifest asks for it
        TimedParkHook.begin(instrumentation); // first: the later calls read the class it changes
        SocketWaits.begin(instrumentation);
        BubbleInstrumentation.offer(instrumentation);
      }
      Filter filter = options.adopt() == null ? Adoption.asked() : options.adopt();
      if (filter != null) {
        Adoption.begin(instrumentation, filter);
      }
      Filter classes = options.preempt() == null ? Weaving.asked() : options.preempt();
      if (classes != null) {
        Weaving.begin(instrumentation, classes);
      }
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      before.forEach(AgentStart::restore);
      System.err.println("heddle: " + e.getMessage() + "; the program runs without it");
    }
  }

  private static void restore(String property, @Nullable String value) {
    if (value == null) {
      System.clearProperty(property);
    } else {
      System.setProperty(property, value);
    }
  }

  private static void openJavaLang(Instrumentation instrumentation) {
    try {
      instrumentation.redefineModule(
          Object.class.getModule(),
          Set.of(),
          Map.of(),
          Map.of("java.lang", Set.of(AgentStart.class.getModule())),
          Set.of(),
          Map.of());
    } catch (RuntimeException e) {
      System.err.println("heddle: the agent cannot open java.lang: " + e);
    }
  }
}
