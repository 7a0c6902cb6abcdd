package openjdk;

import java.util.List;
import java.util.concurrent.FutureTask;

/**
 * The scheduler that virtual threads run on. The build runs the suite in each world, and tells it
 * which world that is.
 */
public enum World {
  /** The JDK's scheduler. */
  JDK("@ForkJoinPool-"),

  /**
   * Heddle's scheduler under a program that does not use it: {@code -javaagent:heddle.jar=adopt}.
   */
  ADOPTED("@heddle-shared-M");

  private static final String PROPERTY = "openjdk.world";
  private static final String AGENT = "openjdk.agent";

  private final String carrier;

  World(String carrier) {
    this.carrier = carrier;
  }

  /** The requested world; {@link #check} verifies it. */
  public static World current() {
    String asked = System.getProperty(PROPERTY);
    if (asked == null) {
      throw new IllegalStateException(
          "the world to run in is missing: mvn verify -pl heddle-conformance -am, or"
              + " -Dopenjdk.world=JDK or =ADOPTED, the latter with -javaagent:heddle.jar=adopt");
    }
    return valueOf(asked);
  }

  /** Fails unless virtual threads of this JVM run on carriers of the requested world. */
  public static void check() throws Exception {
    FutureTask<Thread> task = new FutureTask<>(World::checkCaller);
    Thread.startVirtualThread(task);
    task.get();
  }

  /** Checks the calling virtual thread. */
  public static Thread checkCaller() {
    Thread me = Thread.currentThread();
    if (!me.toString().contains(current().carrier)) {
      throw new AssertionError(me + " is not carried by " + current().carrier);
    }
    return me;
  }

  /** The prefix of the carriers' names. */
  public String carriers() {
    return carrier.substring(1);
  }

  /** The flags that put a child JVM into this world. */
  public List<String> flags() {
    return this == JDK ? List.of() : List.of("-javaagent:" + System.getProperty(AGENT) + "=adopt");
  }
}
