package io.heddle.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The end of a goroutine. */
@Name("io.heddle.GoroutineEnd")
@Label("Goroutine End")
@Description("A goroutine has ended")
@Category("Heddle")
@Enabled(false)
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // read by the flight recorder
final class GoroutineEnd extends Event {
  /** Tells whether such events are enabled. This object is never committed. */
  private static final GoroutineEnd ASKED = new GoroutineEnd();

  @Label("Scheduler")
  @Nullable String scheduler;

  @Label("Goroutine")
  long goroutine;

  static boolean isWanted() {
    return ASKED.isEnabled();
  }

  static void emit(String scheduler, long goroutine) {
    if (isWanted()) {
      GoroutineEnd event = new GoroutineEnd();
      event.scheduler = scheduler;
      event.goroutine = goroutine;
      event.commit();
    }
  }
}
