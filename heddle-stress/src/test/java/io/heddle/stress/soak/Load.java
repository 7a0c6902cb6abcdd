package io.heddle.stress.soak;

/** One kind of work, done in steps again and again by several workers at once. */
interface Load {
  /** Which threads do it. */
  enum Where {
    /** Goroutines of both schedulers. */
    GOROUTINES,
    /** Virtual threads of the JDK, which the agent makes goroutines of the shared scheduler. */
    PLAIN,
    /** Platform threads. */
    OUTSIDE,
    /** All of these. */
    EVERYWHERE
  }

  default String name() {
    return getClass().getSimpleName();
  }

  /**
   * Does some of it, for well under a second, and waits for whatever it started. Fails if something was lost, came twice,
   * or in the wrong order.
   */
  void step(Worker me) throws Exception;

  default Where where() {
    return Where.GOROUTINES;
  }

  /** How many do it in each place. */
  default int workers() {
    return 1;
  }
}
