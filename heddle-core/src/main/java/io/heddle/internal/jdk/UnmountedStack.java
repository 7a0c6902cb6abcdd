package io.heddle.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import jdk.internal.vm.VMSupport;
import org.jspecify.annotations.Nullable;

/**
 * A copy of the stack of an unmounted virtual thread, with the monitors on it. The VM makes the
 * copy, as it does for the JDK's thread dumps.
 */
final class UnmountedStack {
  /*
   * The JDK reads a thread with jdk.internal.vm.ThreadSnapshot. A snapshot is used only if it says
   * itself that the thread was unmounted and in the expected state. The steps depend on the
   * release.
   *
   * JDK 25: the VM crashes if the thread mounts or unmounts while its stack is read (JDK-8364343).
   *   1. StackSuspension.begin: CAS the state word to the same state with SUSPENDED. No run of the
   *      continuation can begin then.
   *   2. Take the snapshot.
   *   3. StackSuspension.end: write the old state back, and submit the thread if it was woken.
   *
   * JDK 26 and later: nothing is written. SUSPENDED does not exist from JDK 27 on; a VM that reads
   * it in a state word ends the process.
   *   1. Read the state word, which must be the expected one.
   *   2. Take the snapshot. The VM keeps the thread from mounting and unmounting (26), or makes it
   *      part of a handshake (27).
   *   3. Compare the state in the snapshot with the expected one, and require that there is no
   *      carrier.
   * Between 1 and 2 the thread may run, and return to the same state with another stack. The
   * snapshot is then correct for a later moment. If the thread returns to another state, or is
   * mounted, step 3 sees that. If a waker changes the state word in the middle of 2, the thread
   * cannot mount, so the stack is still that of the state that step 3 has accepted.
   *
   * An unknown JDK: no snapshot is taken.
   *
   * With -XX:-DoJVMTIVirtualThreadTransitions the VM does not see threads mount and unmount, and in
   * JDK 25 the snapshot of a blocked thread never returns. No snapshot is taken with that flag.
   *
   * Checked by: BlockedOnMonitorTest, BlockedOnThreadTest, BlockedOnRacesTest.
   */
  private static final @Nullable SnapshotHandles HANDLES;
  private static final @Nullable StackSuspension SUSPENSION;

  /** Why no stack can be read on this JDK; null if it can. */
  static final @Nullable Object FAILURE;

  static {
    SnapshotHandles handles = null;
    StackSuspension suspension = null;
    Object failure = null;
    JdkRelease.Snapshots way = JdkRelease.current().snapshots();
    try {
      if (way == JdkRelease.Snapshots.NONE) {
        failure = "this JDK is not known";
      } else if (!hasTransitions()) {
        failure = "the flag -XX:-DoJVMTIVirtualThreadTransitions is set";
      } else {
        suspension = way == JdkRelease.Snapshots.OF_SUSPENDED ? StackSuspension.open() : null;
        handles = SnapshotHandles.open();
      }
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      failure = e;
    }
    HANDLES = handles;
    SUSPENSION = suspension;
    FAILURE = failure;
  }

  // The status of a thread in a snapshot: bits that JVM TI defines.
  private static final int ALIVE = 1;
  private static final int WAITING = 0x80;
  private static final int WITHOUT_LIMIT = 0x10;
  private static final int IN_PARK = 0x200;
  private static final int IN_OBJECT_WAIT = 0x100;
  private static final int AT_MONITOR = 0x400;

  private static final String OBJECT = "java.lang.Object";
  private static final String THREAD = "java.lang.Thread";

  private final StackTraceElement[] frames;
  private final List<Monitor> monitors;
  private final @Nullable Object blocker;

  private UnmountedStack(
      StackTraceElement[] frames, List<Monitor> monitors, @Nullable Object blocker) {
    this.frames = frames;
    this.monitors = monitors;
    this.blocker = blocker;
  }

  /** A monitor, and the index of the frame that has entered it or is about to enter it. */
  private record Monitor(int frame, Object object) {}

  /**
   * Returns the stack of {@code thread} in the state {@code word}, which is {@code PARKED}, {@code
   * BLOCKED} or {@code WAIT}; null if the thread is not in that state, or this JVM cannot read its
   * stack.
   */
  static @Nullable UnmountedStack of(Thread thread, int word) {
    if (HANDLES == null) {
      return null;
    }
    try {
      return SUSPENSION == null
          ? ofAny(HANDLES, thread, word)
          : ofSuspended(HANDLES, SUSPENSION, thread, word);
    } catch (UnsupportedOperationException e) {
      return null; // this VM takes no snapshots
    } catch (Throwable t) {
      throw VirtualThreads.rethrow(t);
    }
  }

  private static @Nullable UnmountedStack ofAny(SnapshotHandles handles, Thread thread, int word)
      throws Throwable {
    return VirtualThreads.state(thread) == word ? handles.read(thread, word) : null;
  }

  private static @Nullable UnmountedStack ofSuspended(
      SnapshotHandles handles, StackSuspension suspension, Thread thread, int word)
      throws Throwable {
    if (!suspension.begin(thread, word)) {
      return null;
    }
    try {
      return handles.read(thread, word);
    } finally {
      suspension.end(thread, word);
    }
  }

  /**
   * The object at whose monitor the thread is blocked, or in whose {@code wait} it is; null if the
   * snapshot does not name it.
   */
  @Nullable Object blocker() {
    return blocker;
  }

  /**
   * The objects whose monitors the frames have entered or are about to enter, without {@code
   * except}, which may be null. Up to JDK 27 a thread in {@code Object.wait} has released one of
   * them.
   */
  List<Object> monitors(@Nullable Object except) {
    return monitors.stream().map(Monitor::object).filter(object -> object != except).toList();
  }

  /**
   * The thread whose end this thread waits for at a monitor, in {@code Thread.join}; null if this
   * thread waits for anything else, such as a notify by the program. Also null if that thread is
   * not known, or is a platform thread.
   */
  @Nullable Thread joined() {
    int frame = 0;
    while (frame < frames.length && frames[frame].getClassName().equals(OBJECT)) {
      frame++;
    }
    if (frame == 0 || frame == frames.length || !isJoin(frames[frame])) {
      return null;
    }
    Object object = blocker == null ? enteredBy(frame) : blocker;
    return object instanceof Thread thread && thread.isVirtual() ? thread : null;
  }

  private static boolean isJoin(StackTraceElement frame) {
    return frame.getClassName().equals(THREAD) && frame.getMethodName().equals("join");
  }

  private @Nullable Object enteredBy(int frame) {
    return monitors.stream()
        .filter(monitor -> monitor.frame() == frame)
        .map(Monitor::object)
        .findFirst()
        .orElse(null);
  }

  private static boolean hasTransitions() {
    return !VMSupport.getAgentProperties()
        .getProperty("sun.jvm.args", "")
        .contains("-XX:-DoJVMTIVirtualThreadTransitions");
  }

  private static int statusOf(int word) {
    return switch (word) {
      case StateWord.PARKED -> ALIVE | WAITING | WITHOUT_LIMIT | IN_PARK;
      case StateWord.BLOCKED -> ALIVE | AT_MONITOR;
      case StateWord.WAIT -> ALIVE | WAITING | WITHOUT_LIMIT | IN_OBJECT_WAIT;
      default -> throw new IllegalArgumentException("state " + word);
    };
  }

  /** The handles with which a snapshot is taken and read. */
  private record SnapshotHandles(
      MethodHandle snapshot,
      MethodHandle status,
      MethodHandle carrier,
      MethodHandle frames,
      MethodHandle blocker,
      MethodHandle blockerType,
      MethodHandle blockerObject,
      MethodHandle locks,
      MethodHandle lockFrame,
      MethodHandle lockObject) {
    private static final String SNAPSHOT = "jdk.internal.vm.ThreadSnapshot";

    static SnapshotHandles open() throws ReflectiveOperationException {
      Class<?> type = Class.forName(SNAPSHOT);
      Class<?> blocker = Class.forName(SNAPSHOT + "$ThreadBlocker");
      Class<?> lock = Class.forName(SNAPSHOT + "$ThreadLock");
      MethodHandles.Lookup inside = JdkLookup.in(type);
      return new SnapshotHandles(
          inside
              .findStatic(type, "of", MethodType.methodType(type, Thread.class))
              .asType(MethodType.methodType(Object.class, Thread.class)),
          inside
              .findGetter(type, "threadStatus", int.class)
              .asType(MethodType.methodType(int.class, Object.class)),
          ofObject(inside.findGetter(type, "carrierThread", Thread.class)),
          inside
              .findGetter(type, "stackTrace", StackTraceElement[].class)
              .asType(MethodType.methodType(StackTraceElement[].class, Object.class)),
          ofObject(inside.findGetter(type, "blocker", blocker)),
          ofObject(
              inside.findGetter(blocker, "type", Class.forName(SNAPSHOT + "$BlockerLockType"))),
          ofObject(inside.findGetter(blocker, "obj", Object.class)),
          inside
              .findGetter(type, "locks", lock.arrayType())
              .asType(MethodType.methodType(Object[].class, Object.class)),
          inside
              .findVirtual(lock, "depth", MethodType.methodType(int.class))
              .asType(MethodType.methodType(int.class, Object.class)),
          ofObject(inside.findVirtual(lock, "lockObject", MethodType.methodType(Object.class))));
    }

    private static MethodHandle ofObject(MethodHandle getter) {
      return getter.asType(MethodType.methodType(Object.class, Object.class));
    }

    @Nullable UnmountedStack read(Thread thread, int word) throws Throwable {
      Object taken = (Object) snapshot.invokeExact(thread);
      if (taken == null
          || (int) status.invokeExact(taken) != statusOf(word)
          || (Object) carrier.invokeExact(taken) != null) {
        return null;
      }
      List<Monitor> monitors = new ArrayList<>();
      for (Object lock : (Object[]) locks.invokeExact(taken)) {
        Object object = (Object) lockObject.invokeExact(lock);
        if (object != null) {
          monitors.add(new Monitor((int) lockFrame.invokeExact(lock), object));
        }
      }
      return new UnmountedStack(
          (StackTraceElement[]) frames.invokeExact(taken), monitors, blockerOf(taken));
    }

    private @Nullable Object blockerOf(Object taken) throws Throwable {
      Object by = (Object) blocker.invokeExact(taken);
      return by == null || isParkBlocker((Object) blockerType.invokeExact(by))
          ? null
          : (Object) blockerObject.invokeExact(by);
    }

    private static boolean isParkBlocker(Object type) {
      return ((Enum<?>) type).name().equals("PARK_BLOCKER");
    }
  }
}
