package io.heddle.cluster.artemis;

import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.Handed;
import io.heddle.cluster.spi.LogSpec;
import io.heddle.cluster.spi.LogSpec.Storage;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A process that opens the engine, takes frames, renews them and holds them. It prints a line when
 * it has tapped the log, and one for each frame after its first renewal. At each line that it reads
 * it acknowledges what it holds, and prints what became of that.
 *
 * <p>Arguments: URI, cluster, lease in milliseconds.
 */
final class HolderProcess {
  static final int FRAMES = 10;

  private HolderProcess() {}

  static LogSpec spec(Duration lease) {
    return new LogSpec("work", 1_000, 1_000, Storage.FILES, 1, lease);
  }

  public static void main(String[] args) throws Exception {
    Duration lease = Duration.ofMillis(Long.parseLong(args[2]));
    List<Handed> held = new CopyOnWriteArrayList<>();
    try (Engine engine = EmbeddedEngineTest.connect(args[0], args[1], "holder", Map.of())) {
      engine
          .log(spec(lease))
          .tap(
              FRAMES,
              frame -> {
                held.add(frame);
                var _ = frame.renew().thenRun(() -> System.out.println("held " + frame.sequence()));
              });
      System.out.println("tapped");
      Thread.ofPlatform().daemon().start(() -> renew(held, lease));
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      while (in.readLine() != null) {
        for (Handed each : held) {
          System.out.println(acknowledge(each));
        }
      }
    }
  }

  private static void renew(List<Handed> held, Duration lease) {
    try {
      while (true) {
        held.forEach(Handed::renew);
        TimeUnit.MILLISECONDS.sleep(lease.toMillis() / 5);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String acknowledge(Handed frame) throws InterruptedException {
    try {
      frame.ack().toCompletableFuture().get();
      return "acknowledged";
    } catch (ExecutionException e) {
      return "refused: " + e.getCause().getMessage();
    }
  }
}
