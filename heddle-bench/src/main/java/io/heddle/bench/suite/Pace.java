package io.heddle.bench.suite;

/** How long things take. */
enum Pace {
  QUICK(1_100, 200, 1_200, 1_500),
  FULL(2_000, 1_000, 5_000, 5_000);

  /** Enough for what is compiled before the program starts: caches, and memory from the system. */
  private static final int NATIVE_WARM_MILLIS = 200;

  /** A server is many times slower in its first seconds. */
  private static final int LOAD_WARM_MILLIS = 6_000;

  /** At 16 procs on two CPUs pairs take 231 ms after 1.2 s, and 62 after 3. */
  private static final int CROWDED_WARM_MILLIS = 3_000;

  /** Repeated a hundred times in a second, since it fills its array anew: 2.3 ms after 1.2 s, 1.3 after 4. */
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
   * The work is repeated for so long before the clock starts: what is repeated at all is, at least once. With more procs
   * than CPUs the JVM's compiler is one thread among many that want one.
   */
  int warmMillis(Row row, Contender contender, int procs) {
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

  /** And for so long while it is measured, at least once. */
  int measureMillis(Row row) {
    return row.runsOnce() ? 0 : row.isGrowth() ? measure / 3 : measure;
  }

  /** Of load before the clock starts: a server has more to warm up than a loop, and the load is a JVM itself. */
  int loadWarmMillis(Contender contender) {
    return contender.isJvm() ? LOAD_WARM_MILLIS : LOAD_WARM_MILLIS / 3;
  }

  /** Of load. */
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
