package io.heddle.stress.soak;

import io.heddle.Go;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Calls that block the thread: marked by {@code Go.blocking}, marked by the JDK, or unmarked; and
 * goroutines locked to threads.
 */
final class Blockers implements Load {
  private static final MethodHandle POLL =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("poll"),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT,
                  ValueLayout.ADDRESS,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_INT));

  @Override
  public void step(Worker me) throws Exception {
    Crew crew = new Crew(me);
    for (int i = me.between(1, 6); i > 0; i--) {
      int millis = me.oneIn(10) ? 30 : me.between(0, 4);
      int kind = me.between(0, 5);
      long seed = me.random.nextLong();
      crew.go(() -> block(me.world.folder, kind, millis, seed));
    }
    crew.await();
    me.did(crew.members().size());
  }

  @Override
  public int workers() {
    return 2;
  }

  private static void block(Path folder, int kind, int millis, long seed) throws Exception {
    switch (kind) {
      case 0 -> Expect.same("answer of a call", Go.blocking(() -> nativeSleep(millis)), 0);
      case 1 -> Expect.same("answer of a call", nativeSleep(millis), 0);
      case 2 -> file(folder, seed);
      case 3 -> tied(millis);
      case 4 -> Expect.that(InetAddress.getByName("localhost").isLoopbackAddress(), "localhost");
      default -> Go.blocking(() -> Go.blocking(() -> nativeSleep(millis / 2)));
    }
  }

  /** Blocks in native code for the given time. */
  private static int nativeSleep(int millis) {
    try {
      return (int) POLL.invokeExact(MemorySegment.NULL, 0L, millis);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static void file(Path folder, long seed) throws IOException {
    byte[] bytes = new byte[20_000];
    Arrays.fill(bytes, (byte) seed);
    Path file = Files.createTempFile(folder, "block", ".bin");
    try {
      try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
        out.write(ByteBuffer.wrap(bytes));
        if (seed % 8 == 0) {
          out.force(false);
        }
      }
      Expect.that(Arrays.equals(Files.readAllBytes(file), bytes), "what was read from the file");
    } finally {
      Files.delete(file);
    }
  }

  /** The thread of a goroutine that is locked to it never changes. */
  private static void tied(int millis) throws Exception {
    Go.lockThread();
    long id = osThread();
    Go.gosched();
    Expect.same("thread after a yield", osThread(), id);
    Go.blocking(() -> nativeSleep(millis));
    Expect.same("thread after a call", osThread(), id);
    Thread.sleep(0, 100_000);
    Expect.same("thread after a sleep", osThread(), id);
    if (millis % 2 == 0) {
      Go.unlockThread();
    }
  }

  private static final MethodHandle SELF =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("pthread_self"),
              FunctionDescriptor.of(ValueLayout.JAVA_LONG));

  private static long osThread() {
    try {
      return (long) SELF.invokeExact();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
