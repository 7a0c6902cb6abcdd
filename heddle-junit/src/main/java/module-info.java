/** JUnit tests of concurrent code that run under many schedules. Each schedule can be repeated. */
module io.heddle.junit {
  requires transitive io.heddle;
  requires static org.jspecify;
  requires transitive org.junit.jupiter.api;

  exports io.heddle.junit;
}
