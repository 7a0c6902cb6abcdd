package io.heddle.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A hand-off: sysmon has retaken a P from a goroutine. */
@Name("io.heddle.HandOff")
@Label("Hand-off")
@Description("The monitor took the P from a goroutine that computed, was pinned or ran native code")
@Category("Heddle")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // read by the flight recorder
final class HandOffEvent extends Event {
  /** Tells whether such events are enabled. This object is never committed. */
  private static final HandOffEvent ASKED = new HandOffEvent();

  @Label("Scheduler")
  @Nullable String scheduler;

  @Label("Goroutine")
  long goroutine;

  @Label("Reason")
  @Nullable String reason;

  @Label("Location")
  @Nullable String site;

  static boolean isWanted() {
    return ASKED.isEnabled();
  }

  static void emit(String scheduler, long goroutine, String reason, Object site) {
    HandOffEvent event = new HandOffEvent();
    event.scheduler = scheduler;
    event.goroutine = goroutine;
    event.reason = reason;
    event.site = site.toString();
    event.commit();
  }
}
