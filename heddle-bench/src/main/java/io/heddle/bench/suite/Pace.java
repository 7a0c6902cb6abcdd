package io.heddle.bench.suite;

/** The durations of warm-ups and measurements. */
enum Pace {
  QUICK(1_100, 200, 1_200, 1_500),
  FULL(2_000, 1_000, 5_000, 5_000);

  /**
   * The warm-up of programs that are compiled ahead of time: fills caches and gets memory from the
   * operating system.
   */
  private static final int NATIVE_WARM_MILLIS = 200;

  /** The warm-up of a server, which is many times slower in its first seconds. */
  private static final int LOAD_WARM_MILLIS = 6_000;

  /**
   * A longer warm-up for pairs: at 16 procs on two CPUs they take 231 ms after 1.2 s of warm-up,
   * and 62 ms after 3 s.
   */
  private static final int CROWDED_WARM_MILLIS = 3_000;

  /**
   * A longer warm-up for a row that runs only a hundred times per second, because it fills its
   * array anew: 2.3 ms after 1.2 s of warm-up, 1.3 ms after 4 s.
   */
  private static final int SUM_WARM_MILLIS = 4_000;

  private static final int CPUS = Runtime.getRuntime().availableProcessors();

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

  /**
   * The time for which the workload is repeated before the measurement, at least once if at all.
   * With more procs than CPUs the JIT compiler is one of many threads that compete for a CPU.
   */
  int warmMillis(Row row, Contender contender, int procs) {
    if (row == Row.BACKGROUND || row == Row.OVERLOAD) {
      return 0; // each warms up by itself, because it is long
    }
    if (!contender.isJvm()) {
      return row.runsOnce() ? 1 : NATIVE_WARM_MILLIS;
    }
    if (row.isGrowth()) {
      return procs > CPUS ? CROWDED_WARM_MILLIS : warm / 2;
    }
    if (row == Row.SUM) {
      return SUM_WARM_MILLIS;
    }
    return row.runsOnce() && row != Row.PARKED ? 1 : warm;
  }

  /** The time for which the workload is measured, at least one run. */
  int measureMillis(Row row) {
    return row.runsOnce() ? 0 : row.isGrowth() ? measure / 3 : measure;
  }

  /**
   * The time of load before the measurement: a server has more to warm up than a loop, and the load
   * generator is a JVM itself.
   */
  int loadWarmMillis(Contender contender) {
    return contender.isJvm() ? LOAD_WARM_MILLIS : LOAD_WARM_MILLIS / 3;
  }

  /** The measured time of load. */
  int loadMillis() {
    return load;
  }

  int idleMillis() {
    return idle;
  }

  /** The time limit of a process. */
  int limitSeconds(Row row) {
    return row.isGrowth() ? 300 : row == Row.OVERLOAD ? 200 : 90;
  }
}
