package child;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;

/**
 * Starves the virtual threads of the JDK's scheduler, first by a thread that computes and then by
 * one that waits in a class initialiser, each until watch mode has seen it. Needs one carrier.
 */
public final class Starved {
  static final CountDownLatch PIN_IS_SEEN = new CountDownLatch(1);
  private static volatile boolean hogIsSeen;

  private Starved() {}

  /** The initialiser waits, so the thread that runs it stays on its carrier. */
  static final class SlowInit {
    static final boolean DONE = waitUntilSeen();

    private static boolean waitUntilSeen() {
      try {
        PIN_IS_SEEN.await();
        return true;
      } catch (InterruptedException e) {
        return false;
      }
    }
  }

  public static void main(String[] args) throws Exception {
    Thread hog = Thread.ofVirtual().name("hog").start(Starved::hog);
    List<Thread> victims = startVictims();
    awaitHolder("computing", "child.Starved.hog");
    hogIsSeen = true;
    hog.join();
    Thread pinner =
        Thread.ofVirtual().name("pinner").start(() -> System.out.println(SlowInit.DONE));
    victims.addAll(startVictims());
    awaitHolder("pinned", "child.Starved$SlowInit");
    PIN_IS_SEEN.countDown();
    pinner.join();
    for (Thread victim : victims) {
      victim.join();
    }
    System.out.println("carriers " + Set.of(carrier()));
    printFigures();
    if (args.length > 0) {
      System.out.println("ready");
      int _ = System.in.read();
    }
  }

  private static void hog() {
    while (!hogIsSeen) {
      Thread.onSpinWait();
    }
  }

  private static List<Thread> startVictims() {
    List<Thread> victims = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      victims.add(Thread.ofVirtual().name("victim-" + i).start(() -> {}));
    }
    return victims;
  }

  /** The beginning of the name of the platform thread that runs a new virtual thread. */
  private static String carrier() throws InterruptedException {
    String[] name = {""};
    Thread.startVirtualThread(
            () -> name[0] = Thread.currentThread().toString().replaceAll(".*@([A-Za-z]*).*", "$1"))
        .join();
    return name[0];
  }

  /**
   * Prints the figures that a JMX tool can turn into metrics. A starvation is counted at the first
   * look of the watch after it has ended.
   */
  private static void printFigures() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName watch = new ObjectName("io.heddle:type=Watch");
    while ((double) server.getAttribute(watch, "StarvedSeconds") == 0) {
      Thread.yield();
    }
    System.out.println("starved " + server.getAttribute(watch, "StarvedSeconds"));
    CompositeData held = (CompositeData) server.getAttribute(watch, "HeldSeconds");
    CompositeData waits = (CompositeData) server.getAttribute(watch, "Waits");
    System.out.println("held " + held.values());
    System.out.println("waits " + waits.values());
  }

  private static void awaitHolder(String kind, String place) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName watch = new ObjectName("io.heddle:type=Watch");
    while (true) {
      if (server.isRegistered(watch)) {
        for (CompositeData each : (CompositeData[]) server.getAttribute(watch, "Holders")) {
          if (each.get("kind").equals(kind) && ((String) each.get("place")).startsWith(place)) {
            return;
          }
        }
      }
      Thread.yield();
    }
  }
}
