package io.heddle.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Counts the allocations of Heddle, or lets one fail as in a JVM without memory. In a child JVM
 * {@link InjectAgent} inserts a call before each instruction of Heddle that allocates.
 */
public final class Inject {
  /**
   * The kind of the allocating thread: a goroutine, an M in the scheduler, the monitor, or another
   * thread.
   */
  enum Kind {
    G,
    M,
    SYSMON,
    OUTSIDE
  }

  private static final int MAX_SITES = 1 << 13;
  private static final Kind[] KINDS = Kind.values();
  private static final List<String> SITES = new ArrayList<>();
  private static final AtomicIntegerArray HITS = new AtomicIntegerArray(MAX_SITES * KINDS.length);
  private static final AtomicInteger LEFT = new AtomicInteger();

  private static volatile boolean counting;
  private static volatile int armed = -1;
  private static volatile Kind armedKind = Kind.G;
  private static volatile boolean thrown;

  /** How many further allocations of the failing thread fail, wherever they are. */
  private static volatile int storm;

  private static volatile Thread inStorm;

  private Inject() {}

  /** The injected error, which differs from a real one. */
  static final class Injected extends OutOfMemoryError {
    Injected(String site) {
      super("injected at " + site);
    }
  }

  /** Called before an allocation. */
  public static void site(int id) {
    if (id == armed && kind() == armedKind && LEFT.decrementAndGet() == 0) {
      armed = -1;
      thrown = true;
      inStorm = Thread.currentThread();
      throw new Injected(SITES.get(id));
    }
    if (storm > 0 && inStorm == Thread.currentThread()) {
      storm--;
      throw new Injected(SITES.get(id));
    }
    if (counting) {
      HITS.incrementAndGet(id * KINDS.length + kind().ordinal());
    }
  }

  /** Called by the agent: assigns a number to a site. */
  static int register(String site) {
    synchronized (SITES) {
      SITES.add(site);
      if (SITES.size() > MAX_SITES) {
        throw new IllegalStateException("more than " + MAX_SITES + " sites");
      }
      return SITES.size() - 1;
    }
  }

  static int sites() {
    synchronized (SITES) {
      return SITES.size();
    }
  }

  /**
   * Arms a fault: the {@code nth} time from now that a thread of that kind reaches the site, the
   * allocation fails there, and then the given number of the thread's next allocations, too.
   * Returns false, without an effect, if this JVM has not loaded the class of the site.
   */
  static boolean arm(String site, Kind kind, int nth, int more) {
    int id;
    synchronized (SITES) {
      id = SITES.indexOf(site);
    }
    if (id < 0) {
      return false;
    }
    LEFT.set(nth);
    inStorm = null;
    storm = more;
    thrown = false;
    armedKind = kind;
    armed = id;
    return true;
  }

  /** Whether the fault has occurred. */
  static boolean disarm() {
    rest();
    return thrown;
  }

  /** Disarms all faults. */
  static void rest() {
    armed = -1;
    storm = 0;
  }

  static boolean hasThrown() {
    return thrown;
  }

  static void count(boolean on) {
    counting = on;
  }

  /** The sites reached while counting: site, kind, number. */
  static List<String> counted() {
    List<String> lines = new ArrayList<>();
    for (int id = 0; id < sites(); id++) {
      for (Kind kind : KINDS) {
        int n = HITS.get(id * KINDS.length + kind.ordinal());
        if (n > 0) {
          lines.add(SITES.get(id) + "\t" + kind + "\t" + n);
        }
      }
    }
    return lines;
  }

  private static Kind kind() {
    Thread thread = Thread.currentThread();
    if (thread.isVirtual()) {
      return Kind.G;
    }
    String name = thread.getName();
    if (!name.startsWith("heddle-")) {
      return Kind.OUTSIDE;
    }
    return name.endsWith("-sysmon") ? Kind.SYSMON : name.contains("-M") ? Kind.M : Kind.OUTSIDE;
  }
}
