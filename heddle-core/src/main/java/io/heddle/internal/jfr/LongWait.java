package io.heddle.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** A wait for something of Heddle's; for what else a goroutine may wait, the JDK has events of its own. */
@Name("io.heddle.LongWait")
@Label("Long Wait")
@Description("A goroutine, or another thread, waited for a channel, a lock or the like of Heddle's")
@Category("Heddle")
@Threshold("20 ms")
@SuppressWarnings("UnusedVariable") // read by the flight recorder
public final class LongWait extends Event {
  private static final LongWait ASKED = new LongWait();

  @Label("Scheduler")
  @Nullable String scheduler;

  @Label("Goroutine")
  @Description("0 for a thread that is none")
  long goroutine;

  @Label("Reason")
  @Nullable String reason;

  private LongWait() {}

  static boolean isWanted() {
    return ASKED.isEnabled();
  }

  static @Nullable LongWait beginIfWanted() {
    if (!isWanted()) {
      return null;
    }
    LongWait event = new LongWait();
    event.begin();
    return event;
  }

  /** It is over: whether it was long enough to be told. */
  public boolean isLong() {
    end();
    return shouldCommit();
  }

  public void tell(@Nullable String scheduler, long goroutine, String reason) {
    this.scheduler = scheduler;
    this.goroutine = goroutine;
    this.reason = reason;
    commit();
  }
}
