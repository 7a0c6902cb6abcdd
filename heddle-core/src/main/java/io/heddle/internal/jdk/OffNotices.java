package io.heddle.internal.jdk;

import io.heddle.internal.base.ProcessStatus;
import io.heddle.internal.base.SystemThreadGroup;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tells users on standard error which features turned out not to fit this JDK, one line each. */
public final class OffNotices {
  /*
   * How add writes a line. The caller may be sysmon, which must not wait, and a goroutine may hold
   * the lock of the stream. So the caller does not write the line itself. The program may end at
   * any time.
   *   Caller: 1. Registers a shutdown hook. 2. Starts the writer, a daemon.
   *   Writer: 1. Writes the line. 2. Counts the latch down. 3. Removes the hook.
   *   Hook:   waits for the latch.
   * The JVM ends after its hooks. If the end begins before step 1 of the caller, the registration
   * fails, and the line may be lost; the feature was off for the last moments of the program only.
   * If the end begins later, the hook runs, and the line is written before the JVM ends, because
   * the caller still starts the writer. The hook has a time limit: the thread that ends the program
   * may hold the lock of the stream.
   *
   * Checked by: OffFeaturesTest.
   */
  private static final long LIMIT_SECONDS = 5;

  private static final Set<JdkFeature> SAID = ConcurrentHashMap.newKeySet();

  private OffNotices() {}

  /** Publishes that {@code feature} is off, for {@code heddle doctor}; writes no line. */
  public static void publish(JdkFeature feature, Object cause) {
    ProcessStatus.featureOff(feature.title(), cause);
  }

  /**
   * Tells users that {@code feature} is off. Only the first call for a feature writes a line. On an
   * unknown JDK no call does, because {@link JdkRelease#warnIfUnknown} lists all features.
   *
   * <p>A separate thread writes the line. The end of the program waits for it, for at most 5 s.
   */
  public static void add(JdkFeature feature, Object cause) {
    publish(feature, cause);
    if (!JdkRelease.current().isKnown() || !SAID.add(feature)) {
      return;
    }
    String line = feature.offBecause(cause);
    try {
      CountDownLatch written = new CountDownLatch(1);
      Thread hook = builder().unstarted(() -> await(written));
      addHook(hook);
      builder().daemon().start(() -> write(line, written, hook));
    } catch (OutOfMemoryError e) {
      // There is no thread that could write the line: it is dropped.
    }
  }

  private static Thread.Builder.OfPlatform builder() {
    return Thread.ofPlatform()
        .group(SystemThreadGroup.get())
        .inheritInheritableThreadLocals(false)
        .name("heddle-notice");
  }

  private static void addHook(Thread hook) {
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The program ends already.
    }
  }

  private static void write(String line, CountDownLatch written, Thread hook) {
    try {
      System.err.println(line);
    } finally {
      written.countDown();
    }
    try {
      boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The program ends, and the hook has nothing to wait for.
    }
  }

  private static void await(CountDownLatch written) {
    try {
      boolean _ = written.await(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
