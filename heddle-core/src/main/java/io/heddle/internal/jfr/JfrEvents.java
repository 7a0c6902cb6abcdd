package io.heddle.internal.jfr;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The facade of the events of the JDK's flight recorder (JFR).
 *
 * <p>This class refers to no class of {@code jdk.jfr}, because a JVM may lack that module. Before
 * the first recording a method that records an event only reads a flag. {@link #started} and {@link
 * #ended} do not read it: their callers do, with {@link #areOn}.
 */
public final class JfrEvents {
  /*
   * Before the first recording the JDK takes a quarter of a second to load an event class.
   * Therefore no event class is loaded before a recording starts, which JfrListener detects. The
   * field on is plain. A thread that sees its change late loses events at the beginning of a
   * recording.
   *
   * If there is no memory for an event of a start, an end, a run or a wait, the event is lost and
   * the caller does not fail. The other events are rare, and their methods throw the error.
   */
  private static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private static final AtomicBoolean WATCHING = new AtomicBoolean();

  private static boolean on;

  private JfrEvents() {}

  /**
   * Turns the events on if a recording exists. Called when a scheduler is made, and when watch mode
   * begins. Takes 0.1 ms.
   */
  public static void look() {
    if (PRESENT && !on && JfrListener.isThere()) {
      turnOn();
    }
  }

  /**
   * Lets the first recording from now on turn the events on. Takes 1 ms, so it must not be called
   * at the start of a program.
   */
  public static void watch() {
    if (PRESENT && WATCHING.compareAndSet(false, true)) {
      JfrListener.watch();
    }
  }

  /** Turns the events on for the rest of the process. Loads the event classes, which takes time. */
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

  /**
   * Records the start of a goroutine. {@code site} is the creation site; null if it is not known.
   */
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

  /**
   * Begins the event of a run of a goroutine. Returns null if such events are not recorded, or if
   * there is no memory.
   */
  public static @Nullable GoroutineRun runBegins() {
    return on ? GoroutineRun.beginIfWanted() : null;
  }

  /**
   * Begins the event of a wait of the calling thread. Returns null if such events are not recorded,
   * or if there is no memory.
   */
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

  /** Records a hand-off. {@code site} is the line of the program that held the P. */
  public static void handedOff(String scheduler, long goroutine, String reason, Object site) {
    if (on) {
      HandOffEvent.emit(scheduler, goroutine, reason, site);
    }
  }

  /**
   * Records that no carrier of the JDK's scheduler was free for some time.
   *
   * @param nanos the length of that time
   * @param queued the largest number of virtual threads that waited for a carrier
   * @param kind how carriers were held for most of that time: {@code computing}, {@code pinned} or
   *     {@code native}; empty if this is not known
   * @param place the code that held carriers for most of that time; empty if it is not known
   */
  public static void starvation(long nanos, long queued, String kind, String place) {
    if (on) {
      StarvationEvent.emit(nanos, queued, kind, place);
    }
  }

  /** Records a deadlock. {@code waits} says which goroutine waits for which. */
  public static void deadlock(String scheduler, String waits) {
    if (on) {
      DeadlockEvent.emit(scheduler, waits);
    }
  }

  /**
   * Records that a check has found a goroutine that can never continue. {@code finding} says
   * whether it is deadlocked or leaked.
   */
  public static void stuck(String scheduler, long goroutine, String finding, String waitsFor) {
    if (on) {
      StuckEvent.emit(scheduler, goroutine, finding, waitsFor);
    }
  }
}
