/** The figures of Heddle's schedulers, and of watch mode, as meters of Micrometer. */
module io.heddle.micrometer {
  requires transitive io.heddle;
  requires static io.heddle.cluster; // for ClusterMetrics
  requires static org.jspecify;
  requires java.management;
  requires transitive micrometer.core;

  exports io.heddle.micrometer;
}
