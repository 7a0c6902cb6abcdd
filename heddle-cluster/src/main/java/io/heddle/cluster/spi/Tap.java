package io.heddle.cluster.spi;

/** One consumer of a log. */
public interface Tap extends AutoCloseable {
  /** Receives the frames of a tap. */
  @FunctionalInterface
  interface Taker {
    /**
     * Takes a frame, on a thread of the engine. Must not wait.
     *
     * @param frame the frame
     */
    void take(Handed frame);
  }

  /**
   * Ends the tap: no frame is handed to it any more when this returns. Frames that it has not
   * settled are given back to the log, without a delay if the engine can do that. Closing again has
   * no effect.
   */
  @Override
  void close();
}
