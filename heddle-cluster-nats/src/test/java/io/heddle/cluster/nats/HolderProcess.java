package io.heddle.cluster.nats;

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
 * A process that takes frames, renews them and holds them. It prints a line for each, after the
 * first renewal. At each line that it reads it acknowledges what it holds, and prints what became
 * of that.
 */
final class HolderProcess {
  static final Duration LEASE = Duration.ofSeconds(4);
  static final int FRAMES = 10;

  private HolderProcess() {}

  static LogSpec spec() {
    return new LogSpec("work", 1_000, 1_000, Storage.FILES, 1, LEASE);
  }

  public static void main(String[] args) throws Exception {
    List<Handed> held = new CopyOnWriteArrayList<>();
    try (Engine engine = NatsEngineTest.connect(args[0], args[1], "holder", Map.of())) {
      engine
          .log(spec())
          .tap(
              FRAMES,
              frame -> {
                held.add(frame);
                var _ = frame.renew().thenRun(() -> System.out.println("held " + frame.sequence()));
              });
      Thread.ofPlatform().daemon().start(() -> renew(held));
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      while (in.readLine() != null) {
        for (Handed each : held) {
          System.out.println(acknowledge(each));
        }
      }
    }
  }

  private static void renew(List<Handed> held) {
    try {
      while (true) {
        held.forEach(Handed::renew);
        TimeUnit.MILLISECONDS.sleep(LEASE.toMillis() / 5);
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
