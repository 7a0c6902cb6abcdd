package io.heddle.stress.soak;

/** One kind of work, done in repeated steps by several workers at once. */
interface Load {
  /** The threads that run the workers. */
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
   * Runs one step, which takes well under a second, and waits for everything it started. Fails if
   * something was lost, came twice, or came in the wrong order.
   */
  void step(Worker me) throws Exception;

  default Where where() {
    return Where.GOROUTINES;
  }

  /** The number of workers in each place. */
  default int workers() {
    return 1;
  }
}
