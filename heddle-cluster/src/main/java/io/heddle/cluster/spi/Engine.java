package io.heddle.cluster.spi;

import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The connection of one node to an engine. */
public interface Engine extends AutoCloseable {
  /**
   * Returns the name of the engine, for messages.
   *
   * @return for example {@code nats}
   */
  String name();

  /**
   * Returns where this engine is connected, for messages.
   *
   * @return an address without credentials
   */
  String address();

  /**
   * Returns which settings of a log this engine can honour.
   *
   * @return the capabilities
   */
  Set<Capability> capabilities();

  /**
   * Returns whether the engine can be reached, as far as this node knows.
   *
   * @return false from the loss of a connection until it is there again
   */
  boolean isConnected();

  /**
   * Opens a log, and makes it if it does not exist.
   *
   * @param spec what it must be
   * @return the log
   * @throws io.heddle.cluster.ClusterException if it exists and {@code spec} differs from it, or if
   *     the engine stores it in a way that breaks a promise of {@link Log}
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  Log log(LogSpec spec) throws InterruptedException;

  /**
   * Reads the state of a log of which this node may send and receive nothing. Engines should not
   * make the log if it does not exist; the default does.
   *
   * @param spec what it is
   * @return the state; null if there is no such log
   * @throws io.heddle.cluster.ClusterException if the engine does not answer
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  default @Nullable LogState look(LogSpec spec) throws InterruptedException {
    return log(spec).state();
  }

  /**
   * Deletes a log with everything in it. Does nothing if there is none.
   *
   * @param name the name of the log
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  void delete(String name) throws InterruptedException;

  /**
   * Returns the keys of the cluster.
   *
   * @return the same object each time
   */
  Registry registry();

  /**
   * Returns the messages of the cluster.
   *
   * @return the same object each time
   */
  Wire wire();

  /**
   * Tells when this engine can never be used again.
   *
   * @return completes after {@link #close}; completes exceptionally, with the reason, if the engine
   *     has given up to reconnect or was refused
   */
  CompletionStage<Void> ended();

  /**
   * Ends the connection. Frames that this node holds are given back if the engine can do that;
   * otherwise their leases end. Later calls of this engine throw
   * {@link io.heddle.cluster.ClusterException}. Closing again has no effect.
   */
  @Override
  void close();

  /** Something that not every engine can do. */
  enum Capability {
    /** Stores logs in memory only. */
    MEMORY,
    /** Stores logs in files, so that they survive a restart of the engine. */
    FILES,
    /** Keeps copies of a log on several nodes of the engine. */
    REPLICAS
  }
}
