package io.heddle.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** One run of a goroutine on an M, from one switch to the next. */
@Name("io.heddle.GoroutineRun")
@Label("Goroutine Run")
@Description("A goroutine ran on a thread of its scheduler, until it blocked, yielded or ended")
@Category("Heddle")
@Enabled(false)
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // read by the flight recorder
public final class GoroutineRun extends Event {
  /** Tells whether such events are enabled. This object is never committed. */
  private static final GoroutineRun ASKED = new GoroutineRun();

  @Label("Scheduler")
  @Nullable String scheduler;

  @Label("Goroutine")
  long goroutine;

  private GoroutineRun() {}

  static boolean isWanted() {
    return ASKED.isEnabled();
  }

  /** Begins an event, or returns null if the event is disabled or there is no memory. */
  static @Nullable GoroutineRun beginIfWanted() {
    if (!isWanted()) {
      return null;
    }
    try {
      GoroutineRun event = new GoroutineRun();
      event.begin();
      return event;
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  /**
   * Ends the run, and commits the event if such events are enabled. Does not throw if there is no
   * memory.
   */
  public void ends(String scheduler, long goroutine) {
    try {
      end();
      if (shouldCommit()) {
        this.scheduler = scheduler;
        this.goroutine = goroutine;
        commit();
      }
    } catch (OutOfMemoryError e) {
      // There is no memory for the event, so the event is lost. The run has ended nevertheless.
    }
  }
}
