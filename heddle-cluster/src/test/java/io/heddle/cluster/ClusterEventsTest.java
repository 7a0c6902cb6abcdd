package io.heddle.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the flight recorder is told. */
@Timeout(60)
class ClusterEventsTest {
  private static final String PREFIX = "io.heddle.cluster.";

  @TempDir private Path folder;

  @Test
  void recordingHasRedeliveriesDeadLettersAndRemoteGoroutines() throws Exception {
    Path file = folder.resolve("cluster.jfr");
    try (Recording recording = new Recording();
        Cluster cluster = Cluster.open("local:events")) {
      recording.start();
      RemoteChan<String> orders = cluster.chan("orders", String.class).open();
      orders.send("one");
      orders.receive().retry();
      orders.receive().reject("not an order");
      cluster.register(
          "fail",
          String.class,
          String.class,
          (_, text) -> {
            throw new IllegalStateException(text);
          });
      Remote<String> remote = cluster.go("fail", "no", String.class);
      assertThatThrownBy(remote::await).isInstanceOf(RemoteFailureException.class);
      assertThat(orders.dead().receive().value().reason()).isEqualTo("not an order");
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> events = RecordingFile.readAllEvents(file);
    RecordedEvent again = only(events, "Redelivery");
    assertThat(again.getString("channel")).isEqualTo("orders");
    assertThat(again.getInt("attempt")).isEqualTo(2);
    assertThat(only(events, "DeadLetter").getString("reason")).isEqualTo("not an order");
    RecordedEvent ran = only(events, "RemoteGoroutine");
    assertThat(ran.getString("function")).isEqualTo("fail");
    assertThat(ran.getString("thrown")).contains("IllegalStateException: no");
  }

  private static RecordedEvent only(List<RecordedEvent> events, String name) {
    List<RecordedEvent> found =
        events.stream().filter(e -> e.getEventType().getName().equals(PREFIX + name)).toList();
    assertThat(found).as(name).hasSize(1);
    return found.getFirst();
  }
}
