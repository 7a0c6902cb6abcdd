package io.heddle.cluster.spi;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The state of a log, for all nodes.
 *
 * @param stored how many frames are stored and not acknowledged. Exact when it is 0 and the log is
 *     sealed
 * @param handed how many of them a tap holds
 * @param isSealed whether {@link Log#seal} was called
 * @param oldest how long the oldest of them has been stored; null if there is none, or if the
 *     engine does not know
 */
public record LogState(long stored, long handed, boolean isSealed, @Nullable Duration oldest) {
  /**
   * Makes the state of a log whose engine does not know how old its frames are.
   *
   * @param stored how many frames are stored and not acknowledged
   * @param handed how many of them a tap holds
   * @param isSealed whether {@link Log#seal} was called
   */
  public LogState(long stored, long handed, boolean isSealed) {
    this(stored, handed, isSealed, null);
  }
}
