package io.heddle.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import jdk.internal.vm.VMSupport;
import org.jspecify.annotations.Nullable;

/**
 * Which monitors a virtual thread holds, and which one it waits to enter, while it is parked or blocked off its carrier.
 * Of a thread that is on its carrier, and so of one that is pinned, nothing is known.
 */
final class MonitorOwners {
  /*
   * The JDK's thread dumps look at a thread with jdk.internal.vm.ThreadSnapshot. In JDK 25 the VM crashes in it if the
   * thread mounts or unmounts meanwhile (JDK-8364343). So the thread is suspended first, by the protocol with which
   * VirtualThread.tryGetStackTrace does it: its state word is exchanged for the same with SUSPENDED, and a run of its
   * continuation then does nothing. Afterwards the word is put back; if the thread was unparked or unblocked meanwhile,
   * its permit says so, and it is for us to submit it. Whoever wakes it writes the permit, then looks at the word; we
   * write the word, then read the permit, all volatile: one of us sees the other, and the exchange lets one submit.
   *
   * The snapshot lists for each frame the monitors that the frame entered, is about to enter, or gave up for the time of
   * an Object.wait. So
   *   parked: it holds all of them, since park() neither enters nor gives up any;
   *   blocked at the entry, or at the re-entry after a wait: it holds all but the one that it wants, if the snapshot names
   *     that. It does not if the thread set a park blocker itself, or waited in a compiled Object.wait0. If only one is
   *     listed then, we say that it wants it. Should it hold that one after all, nobody else does, and no holder is found;
   *     for a holder it is not taken;
   *   in Object.wait, or with a time limit: it is not looked at. It cannot be part of a deadlock we could tell.
   * Monitors that native code entered are not listed.
   *
   * With -XX:-DoJVMTIVirtualThreadTransitions a snapshot of a blocked thread never returns, so there are none then.
   *
   * Checked by: WaitsForMonitorsTest, WaitsInMotionTest.
   */
  private static final @Nullable MonitorHandles DOORS = MonitorHandles.tryOpen();

  private static final MonitorOwners UNKNOWN = new MonitorOwners(null, List.of());

  private final @Nullable Object wanted;
  private final List<Object> held;

  private MonitorOwners(@Nullable Object wanted, List<Object> held) {
    this.wanted = wanted;
    this.held = held;
  }

  /** The object at whose monitor {@code thread} is blocked, null if it is not or if that is not known. */
  static @Nullable Object wantedBy(Thread thread) {
    return DOORS == null ? null : DOORS.look(thread).wanted;
  }

  /** Whether {@code thread} is parked or blocked and certainly holds that monitor. */
  static boolean isHeldBy(Thread thread, Object monitor) {
    return DOORS != null && DOORS.look(thread).held.stream().anyMatch(held -> held == monitor);
  }

  /** The doors to snapshots, and to suspending a thread for one. */
  private record MonitorHandles(
      VarHandle state,
      VarHandle parkPermit,
      VarHandle blockPermit,
      MethodHandle submit,
      MethodHandle snapshot,
      MethodHandle blocker,
      MethodHandle blockerType,
      MethodHandle blockerObject,
      MethodHandle locks,
      MethodHandle lockObject) {
    private static final String SNAPSHOT = "jdk.internal.vm.ThreadSnapshot";

    static @Nullable MonitorHandles tryOpen() {
      try {
        MonitorHandles doors = open();
        return hasTransitions() ? doors : null;
      } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
        return null; // a JDK that differs: nothing is known
      }
    }

    private static MonitorHandles open() throws ReflectiveOperationException {
      Class<?> virtual = Class.forName("java.lang.VirtualThread");
      Class<?> snapshot = Class.forName(SNAPSHOT);
      Class<?> blocker = Class.forName(SNAPSHOT + "$ThreadBlocker");
      Class<?> lock = Class.forName(SNAPSHOT + "$ThreadLock");
      MethodHandles.Lookup inThread = BlockedOn.lookupIn(virtual);
      MethodHandles.Lookup inSnapshot = BlockedOn.lookupIn(snapshot);
      return new MonitorHandles(
          inThread.findVarHandle(virtual, "state", int.class),
          inThread.findVarHandle(virtual, "parkPermit", boolean.class),
          inThread.findVarHandle(virtual, "blockPermit", boolean.class),
          inThread
              .findVirtual(virtual, "submitRunContinuation", MethodType.methodType(void.class))
              .asType(MethodType.methodType(void.class, Thread.class)),
          inSnapshot
              .findStatic(snapshot, "of", MethodType.methodType(snapshot, Thread.class))
              .asType(MethodType.methodType(Object.class, Thread.class)),
          ofObject(inSnapshot.findGetter(snapshot, "blocker", blocker)),
          ofObject(
              inSnapshot.findGetter(blocker, "type", Class.forName(SNAPSHOT + "$BlockerLockType"))),
          ofObject(inSnapshot.findGetter(blocker, "obj", Object.class)),
          inSnapshot
              .findGetter(snapshot, "locks", lock.arrayType())
              .asType(MethodType.methodType(Object[].class, Object.class)),
          ofObject(
              inSnapshot.findVirtual(lock, "lockObject", MethodType.methodType(Object.class))));
    }

    private static boolean hasTransitions() {
      return !VMSupport.getAgentProperties()
          .getProperty("sun.jvm.args", "")
          .contains("-XX:-DoJVMTIVirtualThreadTransitions");
    }

    private static MethodHandle ofObject(MethodHandle getter) {
      return getter.asType(MethodType.methodType(Object.class, Object.class));
    }

    MonitorOwners look(Thread thread) {
      if (!thread.isVirtual()) {
        return UNKNOWN;
      }
      int parkedOrBlocked = (int) state.getVolatile(thread);
      return switch (parkedOrBlocked) {
        case ThreadState.PARKED_STATE, ThreadState.BLOCKED_STATE -> look(thread, parkedOrBlocked);
        default -> UNKNOWN;
      };
    }

    private MonitorOwners look(Thread thread, int expected) {
      try {
        Object taken = takeSuspended(thread, expected);
        if (taken == null) {
          return UNKNOWN;
        }
        return expected == ThreadState.PARKED_STATE
            ? new MonitorOwners(null, listed(taken, null))
            : ofBlocked(taken);
      } catch (UnsupportedOperationException e) {
        return UNKNOWN; // a VM that takes none
      } catch (Throwable t) {
        throw VirtualThreads.rethrow(t);
      }
    }

    private @Nullable Object takeSuspended(Thread thread, int expected) throws Throwable {
      if (!state.compareAndSet(thread, expected, expected | ThreadState.SUSPENDED)) {
        return null;
      }
      try {
        return (Object) snapshot.invokeExact(thread);
      } finally {
        resume(thread, expected);
      }
    }

    private void resume(Thread thread, int was) throws Throwable {
      state.setVolatile(thread, was);
      boolean parked = was == ThreadState.PARKED_STATE;
      boolean woken = (boolean) (parked ? parkPermit : blockPermit).getVolatile(thread);
      int runnable = parked ? ThreadState.UNPARKED_STATE : ThreadState.UNBLOCKED_STATE;
      if (woken && state.compareAndSet(thread, was, runnable)) {
        submit.invokeExact(thread);
      }
    }

    private MonitorOwners ofBlocked(Object taken) throws Throwable {
      Object by = (Object) blocker.invokeExact(taken);
      if (by == null || isParkBlocker((Object) blockerType.invokeExact(by))) {
        return wantsTheOnlyOne(listed(taken, null));
      }
      Object wanted = (Object) blockerObject.invokeExact(by);
      return new MonitorOwners(wanted, listed(taken, wanted));
    }

    private static MonitorOwners wantsTheOnlyOne(List<Object> listed) {
      Object only = listed.isEmpty() ? null : listed.getFirst();
      return listed.stream().allMatch(object -> object == only)
          ? new MonitorOwners(only, List.of())
          : UNKNOWN;
    }

    private static boolean isParkBlocker(Object type) {
      return ((Enum<?>) type).name().equals("PARK_BLOCKER");
    }

    private List<Object> listed(Object taken, @Nullable Object except) throws Throwable {
      List<Object> objects = new ArrayList<>();
      for (Object lock : (Object[]) locks.invokeExact(taken)) {
        Object object = (Object) lockObject.invokeExact(lock);
        if (object != null && object != except) {
          objects.add(object);
        }
      }
      return objects;
    }
  }
}
