package io.heddle.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Called, in a child JVM, before each instruction of Heddle that allocates ({@link InjectAgent} puts the call there): counts,
 * or throws what a JVM without memory would.
 */
public final class Inject {
  /** Who allocates: a goroutine, an M in the scheduler, the monitor, or anybody else. */
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

  /** How many more allocations of the thread that failed are to fail, wherever they are. */
  private static volatile int storm;

  private static volatile Thread inStorm;

  private Inject() {}

  /** The fault, told from a real one. */
  static final class Injected extends OutOfMemoryError {
    Injected(String site) {
      super("injected at " + site);
    }
  }

  /** Before an allocation. */
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

  /** For the agent: a number for a site. */
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
   * The {@code nth} time from now that a thread of that kind is at the site, it fails there, once, and after that so often
   * where it comes next.
   */
  static void arm(String site, Kind kind, int nth, int more) {
    int id;
    synchronized (SITES) {
      id = SITES.indexOf(site);
    }
    if (id < 0) {
      throw new IllegalStateException("no site " + site);
    }
    LEFT.set(nth);
    inStorm = null;
    storm = more;
    thrown = false;
    armedKind = kind;
    armed = id;
  }

  /** Whether it has failed. */
  static boolean disarm() {
    rest();
    return thrown;
  }

  /** No more faults from here on. */
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

  /** What was reached while it counted: site, kind, how often. */
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
