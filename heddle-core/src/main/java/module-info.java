/**
 * Heddle: Go's G-P-M scheduler under JDK virtual threads.
 *
 * <p>Only {@code io.heddle} is exported to programs; the packages below {@code io.heddle.internal} are for this module alone.
 */
module io.heddle {
  requires static org.jspecify; // not transitive: heddle.jar alone must do to compile against
  requires static java.instrument;
  requires static java.management;
  requires static jdk.jfr;
  requires static jdk.httpserver; // for the dashboard, if somebody asks for it

  exports io.heddle;
  exports io.heddle.agent to
      java.instrument; // which calls the agent's entry class
}
