package io.heddle.cluster.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.EngineConfig;
import io.heddle.cluster.spi.EngineProvider;
import io.heddle.cluster.spi.Handed;
import io.heddle.cluster.spi.LogSpec;
import io.heddle.cluster.spi.LogSpec.Storage;
import io.heddle.testkit.ChildJvm;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A process that opens an engine, takes frames of the log {@code work}, renews them and holds them,
 * until a test stops or kills it.
 */
public final class HolderProcess implements AutoCloseable {
  /** How many frames it holds. */
  public static final int FRAMES = 10;

  private final Process process;
  private final BufferedReader out;

  /** Starts the process, and waits until it has tapped the log. */
  public HolderProcess(String uri, String cluster, Duration lease) throws Exception {
    process =
        ChildJvm.bare()
            .flags("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"))
            .builder(HolderProcess.class.getName(), uri, cluster, "" + lease.toMillis())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    out = process.inputReader();
    assertThat(out.readLine()).isEqualTo("tapped");
  }

  /** Returns what the log is, of which the process takes frames. */
  public static LogSpec spec(Duration lease) {
    return new LogSpec("work", 1_000, 1_000, Storage.FILES, 1, lease);
  }

  /** Waits until it holds all frames. */
  public void awaitHeld() throws Exception {
    for (int i = 0; i < FRAMES; i++) {
      assertThat(out.readLine()).startsWith("held");
    }
  }

  /** Sends a signal, for example {@code STOP}. */
  public void signal(String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor();
  }

  /** Kills the process, as {@code kill -9} does. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Lets the process acknowledge all that it holds; returns what became of that. */
  public List<String> acknowledge() throws Exception {
    process.outputWriter().append("ack\n").flush();
    List<String> results = new ArrayList<>();
    for (int i = 0; i < FRAMES; i++) {
      results.add(out.readLine());
    }
    return results;
  }

  @Override
  public void close() {
    kill();
  }

  // The process. It prints a line when it has tapped the log, and one for each frame after its
  // first renewal. At each line that it reads it acknowledges what it holds.

  public static void main(String[] args) throws Exception {
    Duration lease = Duration.ofMillis(Long.parseLong(args[2]));
    List<Handed> held = new CopyOnWriteArrayList<>();
    try (Engine engine = connect(args[0], args[1])) {
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

  private static Engine connect(String uri, String cluster) throws InterruptedException {
    String scheme = uri.substring(0, uri.indexOf(':'));
    for (EngineProvider each : ServiceLoader.load(EngineProvider.class)) {
      if (each.schemes().contains(scheme)) {
        return each.open(
            new EngineConfig(uri, cluster, "holder", Duration.ofSeconds(30), null, Map.of()));
      }
    }
    throw new IllegalArgumentException(uri);
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
