/**
 * Heddle: goroutines, channels and select for the JVM, with Go's scheduler under JDK virtual
 * threads.
 *
 * <p>Only package {@link io.heddle} is exported. The packages below {@code io.heddle.internal} are
 * for this module alone and change without notice.
 */
module io.heddle {
  requires static transitive org.jspecify;
  requires static java.instrument;
  requires static java.management;
  requires static jdk.jfr;
  requires static jdk.httpserver; // for the dashboard, only if it is on

  exports io.heddle;
}
