package io.heddle.bench.suite;

/** How long things take. */
enum Pace {
  QUICK(700, 300, 1_500, 2_000),
  FULL(2_000, 1_000, 5_000, 5_000);

  private final int warm;
  private final int measure;
  private final int load;
  private final int idle;

  Pace(int warm, int measure, int load, int idle) {
    this.warm = warm;
    this.measure = measure;
    this.load = load;
    this.idle = idle;
  }

  /** The work is repeated for so long before the clock starts: what is repeated at all is, at least once. */
  int warmMillis(Row row) {
    return row.isGrowth() ? warm / 5 : row.runsOnce() && row != Row.PARKED ? 1 : warm;
  }

  /** And for so long while it is measured, at least once. */
  int measureMillis(Row row) {
    return row.runsOnce() ? 0 : row.isGrowth() ? measure / 3 : measure;
  }

  /** Of load, after as long a time of warming up. */
  int loadMillis() {
    return load;
  }

  int idleMillis() {
    return idle;
  }

  /** After which a process has failed. */
  int limitSeconds(Row row) {
    return row.isGrowth() ? 300 : 90;
  }
}
