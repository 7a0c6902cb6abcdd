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
 * The monitors that an unmounted virtual thread holds while it is parked or blocked, and the
 * monitor that it waits to enter. Nothing is known of a mounted thread, and thus of a pinned one.
 */
final class MonitorOwners {
  /*
   * The JDK's thread dumps read a thread with jdk.internal.vm.ThreadSnapshot. In JDK 25 the VM
   * crashes there if the thread mounts or unmounts meanwhile (JDK-8364343). So this class suspends
   * the thread first, with the protocol of VirtualThread.tryGetStackTrace:
   *   1. CAS the state word to the same state with SUSPENDED. A run of the continuation then does
   *      nothing.
   *   2. Take the snapshot.
   *   3. Write the old state word back.
   *   4. Read the permit. If the thread was unparked or unblocked meanwhile, CAS it to runnable and
   *      submit it.
   * No wake-up is lost. A waker writes the permit and then reads the word; step 3 writes the word
   * and step 4 reads the permit; all accesses are volatile. So at least one side sees the other's
   * write, and the CAS lets only one submit.
   *
   * The snapshot lists for each frame the monitors that the frame has entered, is about to enter,
   * or has released for the time of an Object.wait. Hence:
   *   - A parked thread holds all listed monitors, because park() neither enters nor releases any.
   *   - A thread that is blocked at an entry, or at the re-entry after a wait, holds all but the
   *     monitor that it wants, if the snapshot names the wanted monitor. The snapshot does not name
   *     it if the thread set a park blocker itself, or waited in a compiled Object.wait0. If only
   *     one monitor is listed in that case, it counts as wanted, and not as held. Should the thread
   *     hold it after all, no other thread does, and no holder is found.
   *   - A thread in Object.wait, or with a time limit, is not examined, because it cannot be part
   *     of a deadlock that BlockedOn reports.
   * Monitors that native code entered are not listed.
   *
   * With -XX:-DoJVMTIVirtualThreadTransitions a snapshot of a blocked thread never returns, so no
   * snapshot is taken with that flag.
   *
   * Checked by: BlockedOnMonitorTest, BlockedOnRacesTest.
   */
  private static final @Nullable MonitorHandles HANDLES = MonitorHandles.tryOpen();

  private static final MonitorOwners UNKNOWN = new MonitorOwners(null, List.of());

  private final @Nullable Object wanted;
  private final List<Object> held;

  private MonitorOwners(@Nullable Object wanted, List<Object> held) {
    this.wanted = wanted;
    this.held = held;
  }

  /**
   * The object at whose monitor {@code thread} is blocked; null if the thread is not blocked, or
   * the object is not known.
   */
  static @Nullable Object wantedBy(Thread thread) {
    return HANDLES == null ? null : HANDLES.look(thread).wanted;
  }

  /**
   * Whether {@code thread} is parked or blocked, and certainly holds the monitor of {@code
   * monitor}.
   */
  static boolean isHeldBy(Thread thread, Object monitor) {
    return HANDLES != null && HANDLES.look(thread).held.stream().anyMatch(held -> held == monitor);
  }

  /** The handles for snapshots, and for suspending a thread. */
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
        MonitorHandles handles = open();
        return hasTransitions() ? handles : null;
      } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
        return null; // a JDK with other internals: nothing is known
      }
    }

    private static MonitorHandles open() throws ReflectiveOperationException {
      Class<?> virtual = Class.forName("java.lang.VirtualThread");
      Class<?> snapshot = Class.forName(SNAPSHOT);
      Class<?> blocker = Class.forName(SNAPSHOT + "$ThreadBlocker");
      Class<?> lock = Class.forName(SNAPSHOT + "$ThreadLock");
      MethodHandles.Lookup inThread = JdkLookup.in(virtual);
      MethodHandles.Lookup inSnapshot = JdkLookup.in(snapshot);
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
        case StateWord.PARKED, StateWord.BLOCKED -> look(thread, parkedOrBlocked);
        default -> UNKNOWN;
      };
    }

    private MonitorOwners look(Thread thread, int expected) {
      try {
        Object taken = takeSuspended(thread, expected);
        if (taken == null) {
          return UNKNOWN;
        }
        return expected == StateWord.PARKED
            ? new MonitorOwners(null, listed(taken, null))
            : ofBlocked(taken);
      } catch (UnsupportedOperationException e) {
        return UNKNOWN; // this VM takes no snapshots
      } catch (Throwable t) {
        throw VirtualThreads.rethrow(t);
      }
    }

    private @Nullable Object takeSuspended(Thread thread, int expected) throws Throwable {
      if (!state.compareAndSet(thread, expected, expected | StateWord.SUSPENDED)) {
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
      boolean parked = was == StateWord.PARKED;
      boolean woken = (boolean) (parked ? parkPermit : blockPermit).getVolatile(thread);
      int runnable = parked ? StateWord.UNPARKED : StateWord.UNBLOCKED;
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
