package io.heddle.cluster.spi;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Messages between nodes, which may be lost: at most once, nothing stored. Most are small; a
 * message and an answer have at most {@link #MAX_BYTES}. Subjects are written as keys of {@link
 * Registry}.
 */
public interface Wire {
  /** The largest message that an engine must carry, as large as the largest frame of a log. */
  int MAX_BYTES = 900_000;

  /** Gets the messages of a subject. */
  @FunctionalInterface
  interface Listener {
    /**
     * Takes a message, on a thread of the engine. Must not wait.
     *
     * @param message the bytes
     * @param reply answers the message, now or later, from any thread; does nothing if the sender
     *     does not wait for an answer
     */
    void hear(byte[] message, Reply reply);
  }

  /** Answers a message. */
  @FunctionalInterface
  interface Reply {
    /**
     * Sends the answer. Does not wait.
     *
     * @param answer the bytes
     */
    void send(byte[] answer);
  }

  /**
   * Sends a message to all listeners of a subject, those of this node included. Does not wait.
   *
   * @param subject the subject
   * @param message the bytes
   */
  void tell(String subject, byte[] message);

  /**
   * Sends a message to all listeners of a subject and takes the first answer. Does not wait.
   *
   * @param subject the subject
   * @param message the bytes
   * @param limit how long to wait for the answer
   * @return the answer; null if none came in time, or if it is known that nothing listens
   */
  CompletionStage<byte @Nullable []> ask(String subject, byte[] message, Duration limit);

  /**
   * Listens to a subject.
   *
   * @param subject the subject
   * @param listener gets its messages, one call at a time
   * @return ends the listening when it is closed
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  Registry.Ended listen(String subject, Listener listener) throws InterruptedException;
}
