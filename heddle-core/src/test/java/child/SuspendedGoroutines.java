package child;

import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.internal.jdk.Mounter;

/**
 * Suspends goroutines that wait, yield and compute, as a debugger does, and prints the mounter, the
 * frames of one that waits, and how many values it received while it was suspended and after that.
 */
public final class SuspendedGoroutines {
  private static volatile int received;
  private static volatile boolean computing;
  private static volatile boolean over;

  private SuspendedGoroutines() {}

  public static void main(String[] args) throws Exception {
    System.loadLibrary("debugger_view");
    Chan<Integer> values = Chan.make();
    Goroutine receiver = Go.go(() -> receive(values));
    Goroutine yielder = Go.go(SuspendedGoroutines::yield);
    Goroutine computer = Go.go(SuspendedGoroutines::yieldOnceAndCompute);
    while (receiver.state() != Goroutine.State.WAITING || !computing) {
      Thread.onSpinWait();
    }
    DebuggerView.check(DebuggerView.suspendAll());
    System.out.println(Mounter.current().name());
    DebuggerView.frames(receiver.thread()).lines().forEach(System.out::println);
    values.send(1);
    Thread.sleep(50);
    System.out.println("suspended: " + received);
    DebuggerView.check(DebuggerView.resumeAll());
    while (received == 0) {
      Thread.onSpinWait();
    }
    System.out.println("resumed: " + received);
    over = true;
    receiver.join();
    yielder.join();
    computer.join();
  }

  private static void receive(Chan<Integer> values) throws InterruptedException {
    received = values.receive();
  }

  private static void yield() {
    while (!over) {
      Go.gosched();
    }
  }

  /**
   * Stays on its thread after a yield: a debugger could not suspend it if that yield had not told
   * the JVM of its end.
   */
  private static void yieldOnceAndCompute() {
    Go.gosched();
    computing = true;
    while (!over) {
      Thread.onSpinWait();
    }
  }
}
