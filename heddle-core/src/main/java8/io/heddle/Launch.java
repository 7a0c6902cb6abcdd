package io.heddle;

import io.heddle.internal.base.OldJdk;
import java.lang.reflect.InvocationTargetException;

/**
 * Starts an unchanged program whose virtual threads become goroutines, without an agent.
 *
 * <pre>
 * java -jar heddle.jar app.jar ARGUMENTS
 * java -jar heddle.jar -cp PATH com.acme.Main ARGUMENTS
 * java --add-opens java.base/java.lang=ALL-UNNAMED -cp heddle.jar:PATH io.heddle.Launch
 * com.acme.Main
 * </pre>
 *
 * <p>The effect is that of {@code -javaagent:heddle.jar=adopt}, except that goroutines switch
 * faster: a JVM with an agent reports each switch to its tool interface. The option {@code
 * --options=TEXT} before the program takes the options of the agent, but not {@code preempt}, which
 * needs the agent. Without it, all virtual threads are adopted, or those that the setting {@code
 * heddle.adopt} names.
 *
 * <p>A wrong command line ends with code 2 and a message that says what is allowed. Otherwise the
 * program runs as if {@code java} had started it: its exceptions and exit code are its own.
 *
 * <p>This class is compiled for Java 8, so that an older JVM can print a message.
 */
public final class Launch {
  private Launch() {}

  /** Called by the JVM. */
  public static void main(String[] arguments) throws Throwable {
    String tooOld = OldJdk.message();
    if (tooOld != null) {
      System.err.println("heddle: " + tooOld);
      System.exit(2);
    }
    try {
      Class.forName("io.heddle.agent.Launcher")
          .getMethod("main", String[].class)
          .invoke(null, (Object) arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
