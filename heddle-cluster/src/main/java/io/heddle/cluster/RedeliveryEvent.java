package io.heddle.cluster;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A value was delivered to this node that had been delivered before. */
@Name("io.heddle.cluster.Redelivery")
@Label("Redelivery")
@Description("A value was delivered to this node that had been delivered before")
@Category({"Heddle", "Cluster"})
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // read by the flight recorder
final class RedeliveryEvent extends Event {
  @Label("Channel")
  @Nullable String channel;

  @Label("Id of the Value")
  @Nullable String id;

  @Label("Attempt")
  int attempt;

  static void emit(String channel, String id, int attempt) {
    RedeliveryEvent event = new RedeliveryEvent();
    event.channel = channel;
    event.id = id;
    event.attempt = attempt;
    event.commit();
  }
}
