package io.heddle.internal.jdk;

/**
 * A feature of Heddle that depends on internals of the JDK. Each feature is on or off by itself: a
 * feature that does not fit this JDK never turns off another feature.
 */
public enum JdkFeature {
  OWN_MOUNT("the own mount", "goroutines are mounted by the JDK's methods"),
  STATE_WRITES("writing thread states", "goroutines are started and unparked by the JDK's methods"),
  LOCK_OWNERS("finding the owners of locks", "deadlocks at a ReentrantLock are not detected"),
  MONITOR_OWNERS("finding the owners of monitors", "deadlocks at monitors are not detected"),
  JOINS("finding joined threads", "deadlocks through Thread.join are not detected"),
  ADOPTION("adoption", "threads of the program are not adopted"),
  SOCKETS("the socket poller", "goroutines wait for sockets in the JDK's pollers"),
  TIMED_PARKS("the wake-up of timed parks", "the JDK's timers wake goroutines that sleep"),
  BUBBLES("exploring schedules in tests", "@HeddleTest and Bubble refuse to run"),
  CLOCK("the test clock", "timed waits of the JDK take real time in tests"),
  WEAVING("weaving", "loops of the program do not yield"),
  WATCH("watch mode", "the JDK's scheduler is not observed");

  private final String title;
  private final String withoutIt;

  JdkFeature(String title, String withoutIt) {
    this.title = title;
    this.withoutIt = withoutIt;
  }

  /** The name of this feature in messages to users. */
  public String title() {
    return title;
  }

  /** Returns the line that tells users that this feature is off, why, and what that means. */
  public String offBecause(Object cause) {
    return "heddle: " + title + " is off: " + cause + "; " + withoutIt;
  }
}
