package io.heddle.cluster.spi;

/** The engine's answer to {@link Log#publish}. */
public enum PublishResult {
  /** The frame is stored, as safely as the log's settings say. */
  STORED,
  /** The log holds as many frames as it may. The frame is not stored. */
  FULL,
  /** The log is sealed. The frame is not stored. */
  SEALED
}
