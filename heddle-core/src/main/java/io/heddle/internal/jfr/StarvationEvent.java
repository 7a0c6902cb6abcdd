package io.heddle.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** A starvation of the JDK's scheduler, found in watch mode: no carrier was free for some time. */
@Name("io.heddle.Starvation")
@Label("Starvation")
@Description("No carrier of the JDK's scheduler was free for a virtual thread")
@Category("Heddle")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // read by the flight recorder
final class StarvationEvent extends Event {
  /** Tells whether such events are enabled. This object is never committed. */
  private static final StarvationEvent ASKED = new StarvationEvent();

  @Label("Time")
  @Description("How long a virtual thread waited; the event is at the end of that time")
  @Timespan(Timespan.NANOSECONDS)
  long time;

  @Label("Queued Threads")
  long queued;

  @Label("Kind")
  @Description("What held most carriers: computing, pinned or native code")
  @Nullable String kind;

  @Label("Location")
  @Nullable String site;

  static boolean isWanted() {
    return ASKED.isEnabled();
  }

  static void emit(long nanos, long queued, String kind, String site) {
    StarvationEvent event = new StarvationEvent();
    event.time = nanos;
    event.queued = queued;
    event.kind = kind;
    event.site = site;
    event.commit();
  }
}
