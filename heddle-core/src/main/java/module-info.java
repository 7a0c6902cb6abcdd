/**
 * Heddle: Go's G-P-M scheduler under JDK virtual threads.
 *
 * <p>Only {@code io.heddle} is exported; the rooms below {@code io.heddle.internal} are for this module alone.
 */
module io.heddle {
  requires static transitive org.jspecify;
  requires static java.instrument;
  requires static java.management;
  requires static jdk.jfr;
  requires static jdk.httpserver; // for the dashboard, if somebody asks for it

  exports io.heddle;
}
