package io.heddle.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** From a switch to the next: one stretch of a goroutine on its M. */
@Name("io.heddle.GoroutineRun")
@Label("Goroutine Run")
@Description("A goroutine ran on a thread of its scheduler, until it blocked, yielded or ended")
@Category("Heddle")
@Enabled(false)
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // read by the flight recorder
public final class GoroutineRun extends Event {
  private static final GoroutineRun ASKED = new GoroutineRun();

  @Label("Scheduler")
  @Nullable String scheduler;

  @Label("Goroutine")
  long goroutine;

  private GoroutineRun() {}

  static boolean isWanted() {
    return ASKED.isEnabled();
  }

  static @Nullable GoroutineRun beginIfWanted() {
    if (!isWanted()) {
      return null;
    }
    GoroutineRun event = new GoroutineRun();
    event.begin();
    return event;
  }

  public void ends(String scheduler, long goroutine) {
    end();
    if (shouldCommit()) {
      this.scheduler = scheduler;
      this.goroutine = goroutine;
      commit();
    }
  }
}
