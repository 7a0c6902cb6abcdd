package child;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Prints what a debugger and what Java code see of virtual threads in every kind of wait: their
 * frames, a local variable, and the threads whose start was reported. Native methods: {@code
 * src/test/native/debugger_view.c}.
 */
public final class DebuggerView {
  /** VirtualThread.RUNNING: claimed by a carrier. */
  private static final int RUNNING = 2;

  private static final Object MONITOR = new Object();
  private static final Map<String, Thread> THREADS = new LinkedHashMap<>();
  private static volatile boolean over;
  private static volatile List<String> walked = List.of();
  private static volatile int wakeUps;

  private DebuggerView() {}

  static native int suspendAll();

  static native int resumeAll();

  static native String frames(Thread thread);

  private static native int local(Thread thread, int depth);

  private static native int instanceOnCarrier(Thread thread);

  private static native String started();

  public static void main(String[] args) throws Exception {
    System.loadLibrary("debugger_view");
    start("parks", () -> DebuggerView.parks(11));
    start("sleeps", () -> DebuggerView.sleeps(12));
    start("waits", () -> DebuggerView.waits(13));
    synchronized (MONITOR) {
      start("enters", () -> DebuggerView.enters(14));
      start("yields", () -> DebuggerView.yields(15));
      await("parks", Thread.State.WAITING);
      await("sleeps", Thread.State.TIMED_WAITING);
      await("enters", Thread.State.BLOCKED);
      start("computes", () -> DebuggerView.computes(16));
      print();
      over = true;
    }
    for (Thread thread : THREADS.values()) {
      thread.interrupt();
      thread.join();
    }
    System.out.println("started: " + started().lines().sorted().toList());
    walked.forEach(frame -> System.out.println("walker " + frame));
  }

  private static void start(String name, Runnable task) throws InterruptedException {
    Thread thread = Thread.ofVirtual().name(name).start(task);
    THREADS.put(name, thread);
    if (name.equals("waits")) {
      await(name, Thread.State.WAITING); // before the main thread takes the monitor
    }
  }

  private static void await(String name, Thread.State state) {
    while (THREADS.get(name).getState() != state) {
      Thread.onSpinWait();
    }
  }

  private static void print() throws Exception {
    Map<String, List<String>> seen = new LinkedHashMap<>();
    boolean seenAll = false;
    while (!seenAll) {
      check(suspendAll());
      THREADS.forEach((name, thread) -> seen.put(name, frames(thread).lines().toList()));
      seenAll =
          isAt("yieldContinuation", seen.get("yields")) && isAt("computes", seen.get("computes"));
      if (seenAll) {
        System.out.println("carrier: " + instanceOnCarrier(THREADS.get("computes")));
        THREADS.forEach((name, thread) -> printDebugger(name, thread, seen.get(name)));
      }
      check(resumeAll());
    }
    printWakeUpOfSuspended();
    THREADS.forEach(DebuggerView::printJava);
  }

  /**
   * Wakes a suspended thread, which must not run before it is resumed. A scheduler that lets it run
   * does so at once after it has claimed the thread, so a moment after that the thread has run.
   */
  private static void printWakeUpOfSuspended() throws Exception {
    Thread thread = THREADS.get("parks");
    await("parks", Thread.State.WAITING);
    VarHandle state =
        MethodHandles.privateLookupIn(thread.getClass(), MethodHandles.lookup())
            .findVarHandle(thread.getClass(), "state", int.class);
    int before = wakeUps;
    check(suspendAll());
    LockSupport.unpark(thread);
    while ((int) state.getVolatile(thread) != RUNNING) {
      Thread.onSpinWait();
    }
    Thread.sleep(50);
    System.out.println("wake-ups while suspended: " + (wakeUps - before));
    check(resumeAll());
    while (wakeUps == before) {
      Thread.onSpinWait();
    }
    await("parks", Thread.State.WAITING);
  }

  private static boolean isAt(String method, List<String> frames) {
    return !frames.isEmpty() && frames.getFirst().endsWith("." + method);
  }

  static void check(int error) {
    if (error != 0) {
      throw new IllegalStateException("error " + error);
    }
  }

  private static void printDebugger(String name, Thread thread, List<String> frames) {
    List<String> lines = new ArrayList<>();
    for (int depth = 0; depth < frames.size(); depth++) {
      String frame = frames.get(depth);
      boolean isOurs = frame.equals("child/DebuggerView." + name);
      lines.add(frame + (isOurs ? " " + local(thread, depth) : ""));
    }
    lines.forEach(line -> System.out.println("debugger " + name + ": " + line));
  }

  private static void printJava(String name, Thread thread) {
    if (!name.equals("yields") && !name.equals("computes")) { // are at another place each time
      System.out.println(
          "java "
              + name
              + ": "
              + Arrays.stream(thread.getStackTrace())
                  .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                  .collect(Collectors.joining(", ")));
    }
  }

  private static void parks(int number) {
    walked =
        StackWalker.getInstance(StackWalker.Option.SHOW_HIDDEN_FRAMES)
            .walk(
                frames ->
                    frames
                        .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                        .map(frame -> frame.replaceAll("\\$\\$Lambda[^.]*", "\\$\\$Lambda"))
                        .map(frame -> frame.replaceAll("/0x[0-9a-f]*", ""))
                        .toList());
    while (!over) {
      LockSupport.park();
      wakeUps++;
    }
    use(number);
  }

  private static void sleeps(int number) {
    try {
      Thread.sleep(1_000_000);
    } catch (InterruptedException e) {
      use(number);
    }
  }

  private static void waits(int number) {
    synchronized (MONITOR) {
      try {
        while (!over) {
          MONITOR.wait();
        }
      } catch (InterruptedException e) {
        use(number);
      }
    }
  }

  private static void enters(int number) {
    synchronized (MONITOR) {
      use(number);
    }
  }

  private static void yields(int number) {
    while (!over) {
      Thread.yield();
    }
    use(number);
  }

  private static void computes(int number) {
    long sum = number;
    while (!over) {
      sum += sum >> 3;
    }
    use((int) sum | 1);
  }

  private static void use(int number) {
    if (number == 0) {
      throw new AssertionError();
    }
  }
}
