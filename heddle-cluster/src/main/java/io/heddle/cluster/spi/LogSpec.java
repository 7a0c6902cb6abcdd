package io.heddle.cluster.spi;

import java.time.Duration;

/**
 * What a {@link Log} must be.
 *
 * @param name letters, digits, {@code _}, {@code -} and {@code .} between them, at most 128; upper
 *     and lower case differ
 * @param capacity how many frames may be stored and not acknowledged, 1 or more
 * @param maxFrameBytes the largest frame that will be published
 * @param storage where the frames are
 * @param replicas how many copies the engine keeps, 1 or more
 * @param lease after this time without {@link Handed#renew} a frame is handed to another tap. An
 *     engine that notices the death of a consumer in another way may do that earlier or later
 */
public record LogSpec(
    String name, int capacity, int maxFrameBytes, Storage storage, int replicas, Duration lease) {
  /** Where the frames of a log are. */
  public enum Storage {
    /** They survive a restart of the engine. */
    FILES,
    /** They do not. */
    MEMORY,
    /** In files, if the engine can; otherwise in memory. */
    ANY
  }
}
