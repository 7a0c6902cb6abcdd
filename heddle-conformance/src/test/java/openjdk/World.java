package openjdk;

import java.util.List;
import java.util.concurrent.FutureTask;

/** On whose scheduler virtual threads run. The build says in which world the suite is to be run, and runs it in each. */
public enum World {
  /** That of the JDK. */
  JDK("@ForkJoinPool-"),

  /** Ours, under a program that knows nothing of it: {@code -javaagent:heddle.jar=adopt}. */
  ADOPTED("@heddle-shared-M");

  private static final String PROPERTY = "openjdk.world";
  private static final String AGENT = "openjdk.agent";

  private final String carrier;

  World(String carrier) {
    this.carrier = carrier;
  }

  /** The one asked for: whether it is, {@link #check} tells. */
  public static World current() {
    String asked = System.getProperty(PROPERTY);
    if (asked == null) {
      throw new IllegalStateException(
          "nobody says in which world this is to be run: mvn verify -pl heddle-conformance -am, or"
              + " -Dopenjdk.world=JDK or =ADOPTED, the latter with -javaagent:heddle.jar=adopt");
    }
    return valueOf(asked);
  }

  /** Fails unless virtual threads of this JVM are carried as the world asked for says. */
  public static void check() throws Exception {
    FutureTask<Thread> task = new FutureTask<>(World::checkCaller);
    Thread.startVirtualThread(task);
    task.get();
  }

  /** The same for the virtual thread that calls it. */
  public static Thread checkCaller() {
    Thread me = Thread.currentThread();
    if (!me.toString().contains(current().carrier)) {
      throw new AssertionError(me + " is not carried by " + current().carrier);
    }
    return me;
  }

  /** What begins the names of the carriers. */
  public String carriers() {
    return carrier.substring(1);
  }

  /** What a child JVM needs to be in this world, too. */
  public List<String> flags() {
    return this == JDK ? List.of() : List.of("-javaagent:" + System.getProperty(AGENT) + "=adopt");
  }
}
