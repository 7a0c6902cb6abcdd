package openjdk.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import openjdk.VirtualTest;
import openjdk.World;
import org.junit.jupiter.api.Test;

/**
 * The frames that a virtual thread sees of its own stack, and the depth of the stack:
 * StackTraces.java, StackFrames.java, BigStackChunk.java.
 */
class StackFramesTest extends VirtualTest {
  private static final String SPIN = "openjdk.thread.StackFramesTest.spin";

  @Test
  void noFrameOfTheCarrierIsSeenInAnException() throws Exception {
    virtually(
        () -> {
          StackTraceElement[] stack = new Exception().getStackTrace();
          assertThat(Stream.of(stack).map(StackTraceElement::getClassName))
              .noneMatch(name -> name.startsWith("io.heddle") || name.contains("ForkJoin"));
          assertThat(stack[stack.length - 1].toString()).contains("VirtualThread.run");
        });
  }

  @Test
  void noFrameOfTheCarrierIsSeenByAWalker() throws Exception {
    virtually(
        () -> {
          List<String> names =
              StackWalker.getInstance(StackWalker.Option.SHOW_HIDDEN_FRAMES)
                  .walk(frames -> frames.map(StackWalker.StackFrame::getClassName).toList());
          assertThat(names)
              .noneMatch(name -> name.startsWith("io.heddle") || name.contains("ForkJoin"))
              .contains("jdk.internal.vm.Continuation");
        });
  }

  /** Asked for by another thread, while the thread computes. */
  @Test
  void stackOfAMountedThreadEndsInItsOwnRun() throws Exception {
    AtomicBoolean runs = new AtomicBoolean();
    AtomicBoolean done = new AtomicBoolean();
    Thread thread = Thread.startVirtualThread(() -> spin(runs, done));
    try {
      while (!runs.get()) {
        Thread.onSpinWait();
      }
      List<String> frames =
          Stream.of(thread.getStackTrace())
              .map(frame -> frame.getClassName() + "." + frame.getMethodName())
              .toList();
      assertThat(frames).contains(SPIN).last().isEqualTo("java.lang.VirtualThread.run");
      assertThat(frames)
          .noneMatch(name -> name.startsWith("io.heddle") || name.contains("HeddleMount"));
    } finally {
      done.set(true);
      thread.join();
    }
  }

  @Test
  void onlyTheCarriersNameIsVisible() throws Exception {
    virtually(
        () -> {
          assertThat(Thread.currentThread().toString()).contains(World.current().carriers());
          assertThat(Thread.currentThread().getThreadGroup().getName()).isEqualTo("VirtualThreads");
        });
  }

  @Test
  void aDeepStackIsKeptOverParks() throws Exception {
    virtually(() -> assertThat(descend(2_000)).isEqualTo(2_000));
  }

  @Test
  void aStackThatIsTooDeepIsAnErrorThatCanBeCaught() throws Exception {
    for (int i = 0; i < 3; i++) {
      virtually(
          () -> {
            assertThatExceptionOfType(StackOverflowError.class)
                .isThrownBy(StackFramesTest::forEver);
            LockSupport.parkNanos(1);
            Thread.yield();
          });
    }
  }

  @Test
  void aStackThatIsTooDeepEndsTheThreadAndNoOther() throws Exception {
    Throwable[] seen = new Throwable[1];
    Thread.ofVirtual()
        .uncaughtExceptionHandler((_, e) -> seen[0] = e)
        .start(StackFramesTest::forEver)
        .join();
    assertThat(seen[0]).isInstanceOf(StackOverflowError.class);
    virtually(Thread::yield);
  }

  @Test
  void aStackThatOverflowsWhileItParks() throws Exception {
    virtually(
        () ->
            assertThatExceptionOfType(StackOverflowError.class)
                .isThrownBy(StackFramesTest::parkForEver));
    virtually(Thread::yield);
  }

  private static void spin(AtomicBoolean runs, AtomicBoolean done) {
    while (!done.get()) {
      runs.set(true);
    }
  }

  private static int descend(int depth) {
    if (depth == 0) {
      LockSupport.parkNanos(1_000);
      return 0;
    }
    if (depth % 500 == 0) {
      Thread.yield();
    }
    return 1 + descend(depth - 1);
  }

  private static int forEver() {
    return 1 + forEver();
  }

  private static int parkForEver() {
    LockSupport.unpark(Thread.currentThread());
    LockSupport.park();
    return 1 + parkForEver();
  }
}
