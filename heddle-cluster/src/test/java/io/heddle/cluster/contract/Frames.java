package io.heddle.cluster.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.cluster.spi.Handed;
import io.heddle.cluster.spi.Log;
import io.heddle.cluster.spi.Tap;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A tap that keeps what it was handed, for a test to look at. */
public final class Frames implements AutoCloseable {
  /** How long a test waits for what must come. */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  private final BlockingQueue<Handed> handed = new LinkedBlockingQueue<>();
  private final Tap tap;

  /** Taps {@code log}. */
  public Frames(Log log, int window) throws InterruptedException {
    tap = log.tap(window, handed::add);
  }

  /** Returns the next frame; fails if none comes. */
  public Handed next() throws InterruptedException {
    Handed next = handed.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    assertThat(next).as("a frame that is handed out within %s", PATIENCE).isNotNull();
    return next;
  }

  /** Returns the next {@code n} frames. */
  public List<Handed> next(int n) throws InterruptedException {
    List<Handed> frames = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      frames.add(next());
    }
    return frames;
  }

  /** Returns how many frames have come and were not taken from here. */
  public int waiting() {
    return handed.size();
  }

  @Override
  public void close() {
    tap.close();
  }

  /** Returns the bytes of {@code text}. */
  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the text in a frame. */
  public static String text(Handed frame) {
    return new String(frame.frame(), StandardCharsets.UTF_8);
  }

  /** Waits for the engine's answer. */
  public static <T> T done(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }
}
