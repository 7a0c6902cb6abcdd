package io.heddle.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/**
 * A wait for a primitive of Heddle. For all other waits of a goroutine the JDK has its own events.
 */
@Name("io.heddle.LongWait")
@Label("Long Wait")
@Description("A goroutine or a thread waited for a channel, a lock or another primitive of Heddle")
@Category("Heddle")
@Threshold("20 ms")
@SuppressWarnings("UnusedVariable") // read by the flight recorder
public final class LongWait extends Event {
  /** Tells whether such events are enabled. This object is never committed. */
  private static final LongWait ASKED = new LongWait();

  @Label("Scheduler")
  @Nullable String scheduler;

  @Label("Goroutine")
  @Description("0 for a thread that is not a goroutine")
  long goroutine;

  @Label("Reason")
  @Nullable String reason;

  private LongWait() {}

  static boolean isWanted() {
    return ASKED.isEnabled();
  }

  /** Begins an event, or returns null if the event is disabled or there is no memory. */
  static @Nullable LongWait beginIfWanted() {
    if (!isWanted()) {
      return null;
    }
    try {
      LongWait event = new LongWait();
      event.begin();
      return event;
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  /**
   * Ends the wait. Returns whether the event must be recorded, because the wait was long enough.
   */
  public boolean isLong() {
    end();
    return shouldCommit();
  }

  /**
   * Records the event, after {@link #isLong} has returned true. Does not throw if there is no
   * memory. If the thread that waited is no goroutine, {@code scheduler} is null and {@code
   * goroutine} is 0.
   */
  public void tell(@Nullable String scheduler, long goroutine, String reason) {
    this.scheduler = scheduler;
    this.goroutine = goroutine;
    this.reason = reason;
    try {
      commit();
    } catch (OutOfMemoryError e) {
      // There is no memory for the event, so the event is lost. The wait has ended nevertheless.
    }
  }
}
