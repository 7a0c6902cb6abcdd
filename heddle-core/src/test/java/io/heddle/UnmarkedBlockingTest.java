package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.inspect.Invariants;
import io.heddle.internal.sched.HandOff;
import java.io.FileInputStream;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each P's goroutine blocks its thread in a call that is not marked as blocking. Other goroutines
 * still run (rules S2, S3).
 */
@HangGuard
class UnmarkedBlockingTest {
  private static final int PROCS = 2;
  private static final int PIECES = 1_000;

  /** Counts the goroutines that are about to block. */
  private final AtomicInteger entered = new AtomicInteger();

  @Test
  void s3_readFromFifoLosesItsP(@TempDir Path directory) throws Exception {
    Path fifo = directory.resolve("fifo");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    // Opened for reading and writing, the FIFO does not wait for a second process.
    try (RandomAccessFile writer = new RandomAccessFile(fifo.toFile(), "rw")) {
      try (FileInputStream in = new FileInputStream(fifo.toFile())) {
        Task read =
            () -> {
              entered.incrementAndGet();
              assertThat(in.read()).isEqualTo('x');
            };
        check(HandOff.Reason.NATIVE, List.of(read, read), () -> writer.writeBytes("xx"));
      }
    }
  }

  @Test
  void s3_foreignFunctionLosesItsP() throws Exception {
    try (Arena arena = Arena.ofShared();
        Pipe pipe = new Pipe(arena)) {
      Task read =
          () -> {
            entered.incrementAndGet();
            pipe.read();
          };
      check(
          HandOff.Reason.NATIVE,
          List.of(read, read),
          () -> {
            pipe.write();
            pipe.write();
          });
    }
  }

  @Test
  void s3_pinnedParkInClassInitializerLosesItsP() throws Exception {
    Task first = () -> assertThat(First.touched()).isTrue();
    Task second = () -> assertThat(Second.touched()).isTrue();
    Gate.open = false;
    Gate.entered = entered;
    check(HandOff.Reason.PINNED, List.of(first, second), Gate::open);
  }

  /** The later goroutines wait for the first one inside the JVM. */
  @Test
  void s3_waitForAnotherGoroutinesClassInitializerLosesItsP() throws Exception {
    Gate.open = false;
    Gate.entered = entered;
    List<Goroutine> late = new ArrayList<>();
    try (Scheduler scheduler = scheduler()) {
      Goroutine first = scheduler.go(() -> assertThat(Third.touched()).isTrue());
      Await.until(entered::get, 1);
      for (int i = 0; i < 2 * PROCS; i++) {
        late.add(scheduler.go(() -> assertThat(Third.touched()).isTrue()));
      }
      doPieces(scheduler);
      assertThat(first.thread().isAlive()).isTrue();
      assertThat(late).allMatch(g -> g.thread().isAlive());
      Gate.open();
      first.join();
      Await.idle(scheduler);
      Invariants.check(scheduler.sched());
    }
  }

  /** A P that comes free is idle if there is no work. */
  private void check(HandOff.Reason reason, List<Task> blockers, Task release) throws Exception {
    assertThat(blockers).hasSize(PROCS);
    AtomicInteger failed = new AtomicInteger();
    try (Scheduler scheduler = scheduler()) {
      List<Goroutine> blocked = new ArrayList<>();
      for (Task blocker : blockers) {
        blocked.add(
            scheduler.go(
                () -> {
                  try {
                    blocker.run();
                  } catch (Throwable t) {
                    failed.incrementAndGet();
                    throw t;
                  }
                }));
      }
      Await.until(entered::get, PROCS);
      Await.until(() -> scheduler.stats().idleProcs(), PROCS);
      assertThat(scheduler.sched().handOffs().count(reason)).isPositive();
      assertThat(scheduler.sched().handOffs().count(HandOff.Reason.MARKED)).isZero();
      assertThat(scheduler.stats().handoffs()).isGreaterThanOrEqualTo(PROCS);
      doPieces(scheduler);
      assertThat(blocked).as("still there").allMatch(g -> g.thread().isAlive());
      release.run();
      for (Goroutine g : blocked) {
        g.join();
      }
      Await.idle(scheduler);
      Invariants.check(scheduler.sched());
    }
    assertThat(failed).hasValue(0);
  }

  /** Runs goroutines that were already queued when the thread blocked. */
  @Test
  void s3_goroutinesQueuedBehindBlockedGoroutineRun() throws Exception {
    AtomicInteger done = new AtomicInteger();
    try (Arena arena = Arena.ofShared();
        Pipe pipe = new Pipe(arena);
        Scheduler scheduler = Scheduler.builder().procs(1).timeSlice(SLICE).build()) {
      Goroutine blocked =
          scheduler.go(
              () -> {
                for (int i = 0; i < 300; i++) { // more than the ring holds
                  Go.go(done::incrementAndGet);
                }
                pipe.read();
              });
      Await.until(done::get, 300);
      assertThat(blocked.thread().isAlive()).isTrue();
      assertThat(scheduler.stats().handoffs()).isPositive();
      assertThat(scheduler.stats().preemptions()).isPositive();
      pipe.write();
      blocked.join();
      Await.idle(scheduler);
      Invariants.check(scheduler.sched());
    }
  }

  @Test
  void s3_goroutinesQueuedBehindComputingGoroutineRun() throws Exception {
    AtomicInteger done = new AtomicInteger();
    try (Scheduler scheduler = Scheduler.builder().procs(1).timeSlice(SLICE).build()) {
      try (Busy _ =
          Busy.start(
              scheduler,
              1,
              () -> {
                for (int i = 0; i < 300; i++) {
                  Go.go(done::incrementAndGet);
                }
              })) {
        Await.until(done::get, 300);
        assertThat(scheduler.stats().handoffs()).isPositive();
        assertThat(scheduler.stats().preemptions()).isPositive();
      }
      Await.idle(scheduler);
      Invariants.check(scheduler.sched());
    }
  }

  private static final Duration SLICE = Duration.ofMillis(2);

  private static Scheduler scheduler() {
    return Scheduler.builder().procs(PROCS).timeSlice(SLICE).build();
  }

  private static void doPieces(Scheduler scheduler) throws Exception {
    AtomicInteger done = new AtomicInteger();
    scheduler.run(
        () -> {
          for (int i = 0; i < PIECES; i++) {
            Go.go(done::incrementAndGet);
            if (i % 100 == 0) {
              Go.sleep(Duration.ofNanos(1_000));
            }
          }
        });
    Await.until(done::get, PIECES);
  }

  /** A pipe of the C library: a read blocks until data is written. */
  private static final class Pipe implements AutoCloseable {
    private static final MethodHandle PIPE = function("pipe", ValueLayout.ADDRESS);
    private static final MethodHandle CLOSE = function("close", ValueLayout.JAVA_INT);
    private static final MethodHandle READ = transfer("read");
    private static final MethodHandle WRITE = transfer("write");

    private final MemorySegment ends;
    private final MemorySegment buffer;

    Pipe(Arena arena) {
      ends = arena.allocate(ValueLayout.JAVA_INT, 2);
      buffer = arena.allocate(1);
      try {
        assertThat((int) PIPE.invokeExact(ends)).isZero();
      } catch (Throwable t) {
        throw new AssertionError(t);
      }
    }

    void read() {
      move(READ, 0);
    }

    void write() {
      move(WRITE, 1);
    }

    private void move(MethodHandle function, int end) {
      try {
        assertThat((long) function.invokeExact(fd(end), buffer, 1L)).isEqualTo(1);
      } catch (Throwable t) {
        throw new AssertionError(t);
      }
    }

    private int fd(int end) {
      return ends.getAtIndex(ValueLayout.JAVA_INT, end);
    }

    @Override
    public void close() {
      try {
        assertThat((int) CLOSE.invokeExact(fd(0))).isZero();
        assertThat((int) CLOSE.invokeExact(fd(1))).isZero();
      } catch (Throwable t) {
        throw new AssertionError(t);
      }
    }

    private static MethodHandle function(String name, java.lang.foreign.MemoryLayout argument) {
      return handle(name, FunctionDescriptor.of(ValueLayout.JAVA_INT, argument));
    }

    private static MethodHandle transfer(String name) {
      return handle(
          name,
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_LONG));
    }

    private static MethodHandle handle(String name, FunctionDescriptor type) {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
    }
  }

  /** Blocks class initializers until it is opened. */
  private static final class Gate {
    static volatile boolean open;
    static volatile AtomicInteger entered;

    static boolean pass() {
      entered.incrementAndGet();
      while (!open) {
        LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
      }
      return true;
    }

    static void open() {
      open = true;
    }
  }

  private static final class First {
    static final boolean TOUCHED = Gate.pass();

    static boolean touched() {
      return TOUCHED;
    }
  }

  private static final class Second {
    static final boolean TOUCHED = Gate.pass();

    static boolean touched() {
      return TOUCHED;
    }
  }

  private static final class Third {
    static final boolean TOUCHED = Gate.pass();

    static boolean touched() {
      return TOUCHED;
    }
  }
}
