package io.heddle.internal.inspect;

import io.heddle.internal.jdk.BlockedOn;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.jdk.WaitIndex;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.RunWitness;
import io.heddle.internal.sched.Sched;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds cycles of goroutines, of all schedulers, while the program runs. Each goroutine of a cycle
 * waits for the next one: for a lock or a monitor that the next one holds, or for its end.
 */
final class WaitCycles {
  /*
   * The waits of a cycle are read one after the other, and goroutines run meanwhile. Steps:
   *   1. Take a witness of each goroutine that waits long enough (RunWitness).
   *   2. Read for each of them which other one it waits for, and follow these links to cycles.
   *   3. For each cycle: read the waits of its members once more; they must be the same.
   *   4. All witnesses of its members must still hold.
   * Why a cycle is never reported wrongly: by 4, no member has run since 1. A member that does not
   * run neither leaves its wait, nor releases a lock, nor ends. So all waits that 2 and 3 have read
   * were there at one moment, the end of 2. Each can be ended only by the next member, and none of
   * the members can run.
   *
   * Why the index is enough (WaitIndex): a holder that could be part of a cycle is itself one of
   * the goroutines of step 1.
   *
   * Not found: a cycle through a platform thread, or through a virtual thread of the JDK's
   * scheduler.
   *
   * Checked by: DeadlockedProgramsTest, WakeableProgramsTest.
   */
  private final Map<Thread, WaitLink> links = new LinkedHashMap<>();

  private WaitCycles() {}

  /** A goroutine that waits for another one. */
  record WaitLink(G g, RunWitness witness, BlockedOn.Wait on) {
    @Override
    public String toString() {
      return nameOf(g.thread()) + " waits for " + holder();
    }

    /** Returns what {@code g} waits for, and of which goroutine. */
    String holder() {
      Sched other = VirtualThreads.executorOf(on.holder()) instanceof G h ? h.sched() : g.sched();
      String where = other == g.sched() ? "" : " of scheduler " + other.name();
      return on.what() + " of " + nameOf(on.holder()) + where;
    }
  }

  /** Reads the waits of all goroutines that have not run for about {@code minNanos}. */
  static WaitCycles read(long minNanos) {
    Map<G, RunWitness> witnesses = new LinkedHashMap<>();
    StuckChecks.schedulers()
        .forEach(sched -> sched.registry().forEach(g -> witness(g, minNanos, witnesses)));
    WaitIndex index = new WaitIndex(witnesses.keySet().stream().map(G::thread).toList());
    WaitCycles cycles = new WaitCycles();
    witnesses.forEach(
        (g, witness) -> {
          BlockedOn.Wait wait = index.waitOf(g.thread());
          if (wait != null) {
            cycles.links.put(g.thread(), new WaitLink(g, witness, wait));
          }
        });
    return cycles;
  }

  private static void witness(G g, long minNanos, Map<G, RunWitness> witnesses) {
    if (g.nanosSinceLastRun() >= minNanos) {
      RunWitness witness = RunWitness.of(g);
      if (witness != null && BlockedOn.mayWaitForOne(g.thread())) {
        witnesses.put(g, witness);
      }
    }
  }

  /** Returns the cycles: steps 2 to 4. */
  List<List<WaitLink>> cycles() {
    List<List<WaitLink>> cycles = new ArrayList<>();
    Set<Thread> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Thread first : links.keySet()) {
      Map<Thread, WaitLink> path = new LinkedHashMap<>();
      Thread at = first;
      while (links.containsKey(at) && seen.add(at)) {
        path.put(at, links.get(at));
        at = links.get(at).on().holder();
      }
      Thread entry = at;
      List<WaitLink> cycle =
          path.values().stream().dropWhile(l -> l.g().thread() != entry).toList();
      if (!cycle.isEmpty() && isSame(cycle)) {
        cycles.add(cycle);
      }
    }
    return cycles;
  }

  /**
   * Returns the waits from {@code first} on if they lead to a cycle and have not changed since they
   * were read; else null.
   */
  @Nullable List<WaitLink> chainFrom(G first) {
    Map<Thread, WaitLink> path = new LinkedHashMap<>();
    Thread at = first.thread();
    while (!path.containsKey(at)) {
      WaitLink link = links.get(at);
      if (link == null) {
        return null;
      }
      path.put(at, link);
      at = link.on().holder();
    }
    List<WaitLink> chain = List.copyOf(path.values());
    return isSame(chain) ? chain : null;
  }

  /** Whether the members of {@code chain} wait as before and have not run: steps 3 and 4. */
  private static boolean isSame(List<WaitLink> chain) {
    List<Thread> threads = chain.stream().map(link -> link.g().thread()).toList();
    return chain.stream()
            .allMatch(link -> link.on().equals(BlockedOn.of(link.g().thread(), threads::stream)))
        && chain.stream().allMatch(link -> link.witness().holds(link.g()));
  }

  /** Returns one line for each link. */
  static String text(List<WaitLink> chain) {
    return chain.stream().map(WaitLink::toString).collect(Collectors.joining("\n"));
  }

  /** Returns what reports call {@code thread}: the number and name of its goroutine. */
  static String nameOf(Thread thread) {
    if (thread.isVirtual() && VirtualThreads.executorOf(thread) instanceof G g) {
      String name = thread.getName();
      return "goroutine " + g.id() + (name.isEmpty() ? "" : " \"" + name + "\"");
    }
    return thread.toString();
  }
}
