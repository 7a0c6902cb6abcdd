package io.heddle.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A deadlock: a main goroutine can never continue. */
@Name("io.heddle.Deadlock")
@Label("Deadlock")
@Description("A main goroutine can never continue")
@Category("Heddle")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // read by the flight recorder
final class DeadlockEvent extends Event {
  /** Tells whether such events are enabled. This object is never committed. */
  private static final DeadlockEvent ASKED = new DeadlockEvent();

  @Label("Scheduler")
  @Nullable String scheduler;

  @Label("Waiting Goroutines and Reasons")
  @Nullable String waits;

  static boolean isWanted() {
    return ASKED.isEnabled();
  }

  static void emit(String scheduler, String waits) {
    DeadlockEvent event = new DeadlockEvent();
    event.scheduler = scheduler;
    event.waits = waits;
    event.commit();
  }
}
