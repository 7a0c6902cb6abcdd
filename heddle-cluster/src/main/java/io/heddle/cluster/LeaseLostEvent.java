package io.heddle.cluster;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** This node has lost what it held: it was paused or cut off for too long. */
@Name("io.heddle.cluster.LeaseLost")
@Label("Lease Lost")
@Description("This node has lost what it held: it was paused or cut off for too long")
@Category({"Heddle", "Cluster"})
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // read by the flight recorder
final class LeaseLostEvent extends Event {
  @Label("What was Held")
  @Nullable String held;

  static void emit(String what) {
    LeaseLostEvent event = new LeaseLostEvent();
    event.held = what;
    event.commit();
  }
}
