package io.heddle.cluster;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A value became a dead letter on this node. */
@Name("io.heddle.cluster.DeadLetter")
@Label("Dead Letter")
@Description("A value became a dead letter on this node")
@Category({"Heddle", "Cluster"})
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // read by the flight recorder
final class DeadLetterEvent extends Event {
  @Label("Channel")
  @Nullable String channel;

  @Label("Id of the Value")
  @Nullable String id;

  @Label("Reason")
  @Nullable String reason;

  @Label("Attempts")
  int attempts;

  static void emit(DeadLetter letter) {
    DeadLetterEvent event = new DeadLetterEvent();
    event.channel = letter.channel();
    event.id = letter.id();
    event.reason = letter.reason();
    event.attempts = letter.attempts();
    event.commit();
  }
}
