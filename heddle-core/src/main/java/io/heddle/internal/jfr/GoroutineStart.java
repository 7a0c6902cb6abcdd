package io.heddle.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** The start of a goroutine. */
@Name("io.heddle.GoroutineStart")
@Label("Goroutine Start")
@Description("A goroutine was started")
@Category("Heddle")
@Enabled(false)
@SuppressWarnings("UnusedVariable") // read by the flight recorder
final class GoroutineStart extends Event {
  /** Tells whether such events are enabled. This object is never committed. */
  private static final GoroutineStart ASKED = new GoroutineStart();

  @Label("Scheduler")
  @Nullable String scheduler;

  @Label("Goroutine")
  long goroutine;

  @Label("Started At")
  @Nullable String site;

  static boolean isWanted() {
    return ASKED.isEnabled();
  }

  static void emit(String scheduler, long goroutine, @Nullable Object site) {
    if (isWanted()) {
      GoroutineStart event = new GoroutineStart();
      event.scheduler = scheduler;
      event.goroutine = goroutine;
      event.site = site == null ? null : site.toString();
      event.commit();
    }
  }
}
