package io.heddle.cluster.spi;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * A frame that a tap holds until it calls {@link #ack} or {@link #giveBack}, or until the lease
 * ends. None of the methods waits. Their results complete exceptionally if the engine has refused
 * them, as it must if the frame was handed to another tap, or if the engine has not answered. An
 * engine that cannot tell may complete them when the message was written to a live connection.
 */
public interface Handed {
  /**
   * Returns the bytes that were published.
   *
   * @return the same array each time
   */
  byte[] frame();

  /**
   * Returns the place of this frame in the log.
   *
   * @return grows from frame to frame in the order in which they were stored
   */
  long sequence();

  /**
   * Returns how often this frame has been handed out, as far as the engine knows.
   *
   * @return 1 for the first time
   */
  int attempt();

  /**
   * Removes the frame from the log: it has been dealt with.
   *
   * @return when the engine has done so
   */
  CompletionStage<Void> ack();

  /**
   * Gives the frame back, to be handed out again.
   *
   * @param delay how long the engine keeps it back; zero or less means not at all
   * @return when the engine has done so
   */
  CompletionStage<Void> giveBack(Duration delay);

  /**
   * Begins the lease anew.
   *
   * @return when the engine has done so
   */
  CompletionStage<Void> renew();
}
