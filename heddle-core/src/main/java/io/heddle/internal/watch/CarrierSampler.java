package io.heddle.internal.watch;

import io.heddle.internal.jdk.CpuTime;
import io.heddle.internal.jdk.JdkCarriers;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds out what each carrier runs at this moment, and which virtual threads wait for a carrier.
 */
final class CarrierSampler {
  private final JdkCarriers carriers;
  private final WatchProbe probe;
  private final CarrierIdleness idleness = new CarrierIdleness();

  CarrierSampler(JdkCarriers carriers, WatchProbe probe) {
    this.carriers = carriers;
    this.probe = probe;
  }

  int carriers() {
    return carriers.carriers().size();
  }

  /** Returns how many carriers there are, or how many the scheduler may start if that is more. */
  int mostCarriers() {
    return Math.max(carriers(), carriers.parallelism());
  }

  /** Returns what occupies each carrier. Idle carriers, and those of the probe, are left out. */
  List<CarrierHold> holds() {
    List<CarrierHold> holds = new ArrayList<>();
    for (Thread carrier : carriers.carriers()) {
      Thread mounted = carriers.mountedOn(carrier);
      if (mounted != null && !probe.isThread(mounted)) {
        Thread.State state = mounted.getState();
        boolean isBlocked =
            idleness.isBlocked(carrier.threadId(), CpuTime.of(carrier), System.nanoTime());
        StackTraceElement[] stack = mounted.getStackTrace();
        // If the thread has left its carrier meanwhile, the stack does not show what holds it.
        if (stack.length > 0 && carriers.mountedOn(carrier) == mounted) {
          holds.add(CarrierHold.of(mounted.getName(), state, isBlocked, stack));
        }
      }
    }
    return holds;
  }

  /**
   * Returns an estimate of the number of virtual threads that wait for a carrier, without the
   * probe.
   */
  long queued() {
    return Math.max(0, carriers.queued() - 1);
  }

  /**
   * Returns at most {@code most} of the virtual threads that wait for a carrier, without the probe.
   */
  List<Thread> queued(int most) {
    List<Thread> threads = new ArrayList<>();
    carriers.forEachQueued(
        most,
        thread -> {
          if (!probe.isThread(thread)) {
            threads.add(thread);
          }
        });
    return threads;
  }
}
