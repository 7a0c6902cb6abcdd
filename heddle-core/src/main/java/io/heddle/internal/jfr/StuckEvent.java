package io.heddle.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A goroutine that a check has found deadlocked or leaked. */
@Name("io.heddle.StuckGoroutine")
@Label("Stuck Goroutine")
@Description("A check has found a goroutine that can never continue")
@Category("Heddle")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // read by the flight recorder
final class StuckEvent extends Event {
  /** Tells whether such events are enabled. This object is never committed. */
  private static final StuckEvent ASKED = new StuckEvent();

  @Label("Scheduler")
  @Nullable String scheduler;

  @Label("Goroutine")
  long goroutine;

  @Label("Finding")
  @Nullable String finding;

  @Label("Waits For")
  @Nullable String waitsFor;

  static boolean isWanted() {
    return ASKED.isEnabled();
  }

  static void emit(String scheduler, long goroutine, String finding, String waitsFor) {
    StuckEvent event = new StuckEvent();
    event.scheduler = scheduler;
    event.goroutine = goroutine;
    event.finding = finding;
    event.waitsFor = waitsFor;
    event.commit();
  }
}
