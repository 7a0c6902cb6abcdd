package io.heddle.internal.jfr;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Tells the flight recorder, if there is one.
 *
 * <p>Names no class of {@code jdk.jfr}, which a JVM may lack. While nobody records, each of these is one look at a flag.
 */
public final class JfrEvents {
  /*
   * To load a class of events takes the JDK a quarter of a second if nobody has recorded before, so none is loaded until a
   * recorder is there: Recorder says so. The flag is plain: who sees it late misses an event at the beginning.
   *
   * An event that there is no memory for is lost, and nothing else: nobody fails because somebody looks on.
   */
  private static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private static final AtomicBoolean WATCHING = new AtomicBoolean();

  private static boolean on;

  private JfrEvents() {}

  /** When the first scheduler is made: from now on, if somebody records already. Takes a tenth of a millisecond. */
  public static void look() {
    if (PRESENT && !on && JfrListener.isThere()) {
      turnOn();
    }
  }

  /** Whenever somebody begins to record. Takes a millisecond: not at the start of a program. */
  public static void watch() {
    if (PRESENT && WATCHING.compareAndSet(false, true)) {
      JfrListener.watch();
    }
  }

  static void turnOn() {
    JfrListener.loadEvents();
    on = true;
  }

  /** Whether anybody has recorded yet: before a start or an end is told. */
  public static boolean areOn() {
    return on;
  }

  public static void started(String scheduler, long goroutine, @Nullable Object site) {
    try {
      GoroutineStart.emit(scheduler, goroutine, site);
    } catch (OutOfMemoryError e) {
      // It has started all the same.
    }
  }

  public static void ended(String scheduler, long goroutine) {
    try {
      GoroutineEnd.emit(scheduler, goroutine);
    } catch (OutOfMemoryError e) {
      // It has ended all the same.
    }
  }

  /** A goroutine is about to run for a stretch; null if nobody wants to know. */
  public static @Nullable GoroutineRun runBegins() {
    return on ? GoroutineRun.beginIfWanted() : null;
  }

  /** A thread is about to wait; null if nobody wants to know. */
  public static @Nullable LongWait waitBegins() {
    return on ? LongWait.beginIfWanted() : null;
  }

  /** Whether to find out where. */
  public static boolean wantsHandOffs() {
    return on && HandOffEvent.isWanted();
  }

  public static void handedOff(String scheduler, long goroutine, String reason, Object site) {
    if (on) {
      HandOffEvent.emit(scheduler, goroutine, reason, site);
    }
  }

  public static void deadlock(String scheduler, String waits) {
    if (on) {
      DeadlockEvent.emit(scheduler, waits);
    }
  }
}
