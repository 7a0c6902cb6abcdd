package io.heddle.agent;

import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The agent: {@code -javaagent:heddle.jar}, or {@code Launcher-Agent-Class: io.heddle.agent.Agent} in the manifest of an
 * executable jar. It opens {@code java.lang} to Heddle, so that no other flag is needed, and has goroutines wait for sockets
 * and for time in their scheduler, if the jar says {@code Can-Retransform-Classes: true}. With {@code =adopt} the virtual threads of
 * the program become goroutines of the shared scheduler; with {@code =preempt} its loops yield.
 *
 * <p>Whatever goes wrong here is said on standard error, and the program runs on as if the agent were not there.
 */
public final class Agent {
  private Agent() {}

  /** Called by the JVM before {@code main}. */
  public static void premain(@Nullable String options, Instrumentation instrumentation) {
    start(options, instrumentation);
  }

  /** Called by the JVM for {@code Launcher-Agent-Class}, and when the agent is attached to a running program. */
  public static void agentmain(@Nullable String options, Instrumentation instrumentation) {
    start(options, instrumentation);
  }

  private static void start(@Nullable String text, Instrumentation instrumentation) {
    openJavaLang(instrumentation);
    try {
      Options options = Options.parse(text);
      options.settings().forEach(System::setProperty);
      if (instrumentation.isRetransformClassesSupported()) { // not if the jar does not ask for it
        TimedParkHook.begin(instrumentation); // first: it changes what the others look at
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
      System.err.println("heddle: " + e.getMessage() + "; the program runs without");
    }
  }

  private static void openJavaLang(Instrumentation instrumentation) {
    try {
      instrumentation.redefineModule(
          Object.class.getModule(),
          Set.of(),
          Map.of(),
          Map.of("java.lang", Set.of(Agent.class.getModule())),
          Set.of(),
          Map.of());
    } catch (RuntimeException e) {
      System.err.println("heddle: the agent cannot open java.lang: " + e);
    }
  }
}
