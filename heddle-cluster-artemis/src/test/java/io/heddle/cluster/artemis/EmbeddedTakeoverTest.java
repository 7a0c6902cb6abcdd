package io.heddle.cluster.artemis;

import static io.heddle.cluster.contract.Frames.bytes;
import static io.heddle.cluster.contract.Frames.done;
import static io.heddle.cluster.contract.Frames.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.cluster.artemis.HubStore.Found;
import io.heddle.cluster.artemis.HubStore.Kind;
import io.heddle.cluster.contract.Frames;
import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.Handed;
import io.heddle.cluster.spi.Log;
import io.heddle.cluster.spi.LogSpec;
import io.heddle.cluster.spi.LogSpec.Storage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What another hub knows of the frames that were handed out before it started. */
@Timeout(60)
class EmbeddedTakeoverTest {
  private static final LogSpec SPEC =
      new LogSpec("work", 100, 1_000, Storage.FILES, 1, Duration.ofMinutes(10));

  @TempDir private Path folder;

  /** Opens the only node, and so a hub that begins with what is in the files. */
  private Engine openAlone() throws Exception {
    return EmbeddedEngineTest.connect("embedded:" + folder, "takeover", "a", Map.of());
  }

  private static List<String> attempts(List<Handed> frames) {
    return frames.stream().map(each -> text(each) + ":" + each.attempt()).toList();
  }

  @Test
  void nextHubCountsOnAndKnowsWhichFramesAreNew() throws Exception {
    try (Engine a = openAlone()) {
      Log log = a.log(SPEC);
      for (int i = 0; i < 4; i++) {
        done(log.publish(bytes("" + i), "id-" + i));
      }
      try (Frames in = new Frames(log, 2)) {
        assertThat(attempts(in.next(2))).containsExactly("0:1", "1:1");
      }
      try (Frames in = new Frames(log, 1)) {
        assertThat(attempts(in.next(1))).containsExactly("0:2");
      }
    }
    try (Engine a = openAlone();
        Frames in = new Frames(a.log(SPEC), 3)) {
      assertThat(attempts(in.next(3))).containsExactly("0:3", "1:2", "2:1");
    }
    try (Engine a = openAlone();
        Frames in = new Frames(a.log(SPEC), 4)) {
      assertThat(attempts(in.next(4))).containsExactly("0:4", "1:3", "2:2", "3:1");
    }
  }

  @Test
  void attemptsOfFramesThatAreGoneAreNotKept() throws Exception {
    try (Engine a = openAlone()) {
      Log log = a.log(SPEC);
      for (int i = 0; i < 3; i++) {
        done(log.publish(bytes("" + i), "id-" + i));
      }
      for (int i = 0; i < 3; i++) {
        try (Frames in = new Frames(log, 3)) {
          Handed last = in.next(3 - i).getLast();
          done(last.ack());
        }
      }
      assertThat(log.state().stored()).isZero();
    }
    assertThat(records(Kind.ATTEMPTS)).isZero();
    assertThat(records(Kind.HANDED)).isEqualTo(1);
    try (Engine a = openAlone()) {
      a.delete("work");
    }
    assertThat(records(Kind.HANDED)).isZero();
  }

  private long records(Kind kind) throws Exception {
    HubStore store = new HubStore(folder.resolve("journal"), false, _ -> {});
    List<Found> found = store.start();
    store.stop();
    return found.stream().filter(each -> each.kind() == kind).count();
  }
}
