package io.heddle.cluster;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A remote goroutine ran on this node. */
@Name("io.heddle.cluster.RemoteGoroutine")
@Label("Remote Goroutine")
@Description("A remote goroutine ran on this node")
@Category({"Heddle", "Cluster"})
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // read by the flight recorder
final class RemoteGoroutineEvent extends Event {
  @Label("Function")
  @Nullable String function;

  @Label("Id")
  @Nullable String id;

  @Label("Node of the Caller")
  @Nullable String caller;

  @Label("Thrown")
  @Nullable String thrown;

  static ClusterEvents.TaskEnd begin(String function, String id, String caller) {
    RemoteGoroutineEvent event = new RemoteGoroutineEvent();
    event.function = function;
    event.id = id;
    event.caller = caller;
    event.begin();
    return thrown -> {
      event.thrown = thrown;
      event.commit();
    };
  }
}
