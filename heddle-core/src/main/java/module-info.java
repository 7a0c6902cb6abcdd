/**
 * Heddle: goroutines, channels and select for the JVM, with Go's scheduler under JDK virtual
 * threads.
 *
 * <p>Only package {@link io.heddle} is exported to programs. The packages below {@code
 * io.heddle.internal} are for this module alone and change without notice.
 */
module io.heddle {
  requires static org.jspecify; // not transitive: heddle.jar alone must do to compile against
  requires static java.instrument;
  requires static java.management;
  requires static jdk.jfr;
  requires static jdk.httpserver; // for the dashboard, only if it is on

  exports io.heddle;
  exports io.heddle.agent to
      java.instrument; // which calls the agent's entry class

  uses io.heddle.Carry;
}
