package io.heddle.agent;

import io.heddle.internal.base.OldJdk;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;

/**
 * The entry points of the agent. It is started by {@code -javaagent:heddle.jar}, or by {@code
 * Launcher-Agent-Class: io.heddle.agent.Agent} in the manifest of an executable jar.
 *
 * <p>On a JDK older than 25 the agent prints one line, and the program runs as if the agent were
 * absent. Otherwise the agent calls {@code AgentStart}.
 *
 * <p>This class is compiled for Java 8, because {@code JAVA_TOOL_OPTIONS} gives the agent to every
 * Java program of a machine, and a JVM that cannot load the class of an agent aborts. So this class
 * names no other class of Heddle but {@link OldJdk}, and uses nothing that Java 8 lacks.
 */
public final class Agent {
  private Agent() {}

  /** Called by the JVM before {@code main}. */
  public static void premain(String options, Instrumentation instrumentation) {
    start(options, instrumentation);
  }

  /**
   * Called by the JVM for {@code Launcher-Agent-Class}, and when the agent is attached to a running
   * program.
   */
  public static void agentmain(String options, Instrumentation instrumentation) {
    start(options, instrumentation);
  }

  private static void start(String options, Instrumentation instrumentation) {
    String tooOld = OldJdk.message();
    if (tooOld != null) {
      System.err.println("heddle: " + tooOld + "; the program runs without it");
      return;
    }
    try {
      Class.forName("io.heddle.agent.AgentStart")
          .getMethod("start", String.class, Instrumentation.class)
          .invoke(null, options, instrumentation);
    } catch (InvocationTargetException e) {
      complain(e.getCause());
    } catch (ReflectiveOperationException e) {
      complain(e);
    } catch (LinkageError e) {
      complain(e);
    }
  }

  private static void complain(Throwable cause) {
    System.err.println(
        "heddle: the agent cannot start: " + cause + "; the program runs without it");
  }
}
