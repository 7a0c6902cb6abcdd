package io.heddle.internal.jfr;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The facade of the events of the JDK's flight recorder (JFR).
 *
 * <p>This class refers to no class of {@code jdk.jfr}, because a JVM may lack that module. Before
 * the first recording each method only reads a flag.
 */
public final class JfrEvents {
  /*
   * Before the first recording the JDK takes a quarter of a second to load an event class.
   * Therefore none is loaded before a recording starts, which JfrListener detects. The field on is
   * plain: a thread that sees it late loses events at the beginning of a recording.
   *
   * If there is no memory for an event, the event is lost. The caller does not fail.
   */
  private static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private static final AtomicBoolean WATCHING = new AtomicBoolean();

  private static boolean on;

  private JfrEvents() {}

  /**
   * Called when the first scheduler is created: turns the events on if a recording exists. Takes
   * 0.1 ms.
   */
  public static void look() {
    if (PRESENT && !on && JfrListener.isThere()) {
      turnOn();
    }
  }

  /**
   * Turns the events on at the first recording from now on. Takes 1 ms, so do not call it at
   * program start.
   */
  public static void watch() {
    if (PRESENT && WATCHING.compareAndSet(false, true)) {
      JfrListener.watch();
    }
  }

  static void turnOn() {
    JfrListener.loadEvents();
    on = true;
  }

  /**
   * Whether a recording has been started. The caller must check this before it calls {@link
   * #started} or {@link #ended}, because these methods load event classes.
   */
  public static boolean areOn() {
    return on;
  }

  /** Records the start of a goroutine. */
  public static void started(String scheduler, long goroutine, @Nullable Object site) {
    try {
      GoroutineStart.emit(scheduler, goroutine, site);
    } catch (OutOfMemoryError e) {
      // There is no memory for the event, so it is lost. The goroutine has started nevertheless.
    }
  }

  /** Records the end of a goroutine. */
  public static void ended(String scheduler, long goroutine) {
    try {
      GoroutineEnd.emit(scheduler, goroutine);
    } catch (OutOfMemoryError e) {
      // There is no memory for the event, so it is lost. The goroutine has ended nevertheless.
    }
  }

  /** Begins a run of a goroutine; null if the event is not recorded. */
  public static @Nullable GoroutineRun runBegins() {
    return on ? GoroutineRun.beginIfWanted() : null;
  }

  /** Begins a wait of the calling thread; null if the event is not recorded. */
  public static @Nullable LongWait waitBegins() {
    return on ? LongWait.beginIfWanted() : null;
  }

  /**
   * Whether an event is recorded for each P that sysmon hands off from an M whose goroutine blocks
   * or computes. If so, the caller must find the line of the program that held the P, for {@link
   * #handedOff}.
   */
  public static boolean wantsHandOffs() {
    return on && HandOffEvent.isWanted();
  }

  /** Records a hand-off. */
  public static void handedOff(String scheduler, long goroutine, String reason, Object site) {
    if (on) {
      HandOffEvent.emit(scheduler, goroutine, reason, site);
    }
  }

  /**
   * Records that no carrier of the JDK's scheduler was free for {@code nanos}, and what held
   * carriers longest in that time.
   */
  public static void starvation(long nanos, long queued, String kind, String place) {
    if (on) {
      StarvationEvent.emit(nanos, queued, kind, place);
    }
  }

  /** Records a deadlock. */
  public static void deadlock(String scheduler, String waits) {
    if (on) {
      DeadlockEvent.emit(scheduler, waits);
    }
  }

  /** Records that a check has found a goroutine that can never continue. */
  public static void stuck(String scheduler, long goroutine, String finding, String waitsFor) {
    if (on) {
      StuckEvent.emit(scheduler, goroutine, finding, waitsFor);
    }
  }
}
