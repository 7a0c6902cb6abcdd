package io.heddle.cluster.spi;

import java.util.concurrent.CompletionStage;

/**
 * A bounded queue of frames that the engine stores. Each frame is handed to one tap at a time,
 * until one acknowledges it.
 *
 * <ol>
 *   <li>Frames of one node are stored in the order of its {@link #publish} calls, and handed out
 *       for the first time in the order in which they were stored.
 *   <li>A frame whose publish has answered {@link PublishResult#STORED} is handed out until it is
 *       acknowledged. Nothing else removes it: no limit, no age, no number of attempts.
 *   <li>A frame that a tap holds counts as stored. There are never more than
 *       {@link LogSpec#capacity} of them.
 *   <li>A frame of a tap that has died, and one that was not renewed within the lease, is handed to
 *       another tap.
 * </ol>
 */
public interface Log {
  /**
   * Stores a frame. Does not wait: the result tells how it went. A frame may be published again
   * with the same id, if the result is not known; the engine then stores it once, and answers
   * {@link PublishResult#STORED} both times. It remembers an id for two minutes or longer, also
   * when the frame has been acknowledged.
   *
   * @param frame the bytes, not changed by the caller afterwards
   * @param id letters, digits, {@code _}, {@code -} and {@code .}, at most 128
   * @return the result. It completes exceptionally if it is not known whether the frame was stored
   *     (the connection was lost, the engine did not answer); the caller then publishes again
   */
  CompletionStage<PublishResult> publish(byte[] frame, String id);

  /**
   * Waits for room after {@link PublishResult#FULL}.
   *
   * @return completes when the log was seen to have room, or to be sealed, at latest 50 ms after it
   *     had; another node may have filled it again by then. Completes exceptionally only after
   *     close
   */
  CompletionStage<Void> room();

  /**
   * Begins to take frames.
   *
   * @param window how many frames may be handed to this tap and not be settled, 1 or more. The
   *     engine prefetches no more than that, so that frames stay available for other taps
   * @param to gets each frame, in order, one call at a time. Must return at once
   * @return the tap
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  Tap tap(int window, Tap.Taker to) throws InterruptedException;

  /**
   * Asks the engine how the log is.
   *
   * @return the state
   * @throws io.heddle.cluster.ClusterException if the log is gone, or the engine does not answer
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  LogState state() throws InterruptedException;

  /**
   * Refuses every later publish, on all nodes and for good. When this returns, no frame can be
   * stored any more; those that are stored stay and are handed out. Sealing again has no effect.
   *
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  void seal() throws InterruptedException;
}
