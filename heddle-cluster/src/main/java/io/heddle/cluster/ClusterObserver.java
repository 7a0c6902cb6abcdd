package io.heddle.cluster;

import io.heddle.Scheduler;
import io.heddle.cluster.spi.Engine;

/**
 * Looks at a cluster without being one of its nodes: for tools. See {@link Cluster#status} for a
 * look from a node.
 *
 * {@snippet :
 * try (ClusterObserver observer = ClusterObserver.open("nats://localhost:4222")) {
 *   observer.status().channels().forEach(System.out::println);
 * }
 * }
 *
 * <p>Any thread may use it.
 */
public final class ClusterObserver implements AutoCloseable {
  private final Node node;
  private final StatusReader reader;

  private ClusterObserver(Engine engine, ClusterOptions options) {
    Scheduler current = Scheduler.current();
    node =
        new Node(engine, options, current == null ? Scheduler.shared() : current, LeaseTime::now);
    node.endWith(engine);
    reader = new StatusReader(node);
  }

  /**
   * Connects to the engine of a cluster.
   *
   * @param uri where the engine is, as of {@link Cluster#open(String)}
   * @return the observer
   * @throws ClusterException as of {@link Cluster#open(String, ClusterOptions)}
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  public static ClusterObserver open(String uri) throws InterruptedException {
    return open(uri, ClusterOptions.defaults());
  }

  /**
   * Connects to the engine of a cluster.
   *
   * @param uri where the engine is, as of {@link Cluster#open(String)}
   * @param options the name of the cluster, and how to connect
   * @return the observer
   * @throws ClusterException as of {@link Cluster#open(String, ClusterOptions)}
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  public static ClusterObserver open(String uri, ClusterOptions options)
      throws InterruptedException {
    Engine engine = Cluster.connect(uri, options);
    boolean isOpen = false;
    try {
      ClusterObserver observer = new ClusterObserver(engine, options);
      isOpen = true;
      return observer;
    } finally {
      if (!isOpen) {
        engine.close();
      }
    }
  }

  /**
   * Looks at the cluster. Takes about as long as the engine needs for two answers per channel, and
   * a second if a member does not answer.
   *
   * @return how it is
   * @throws ClusterException if the engine does not answer
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  public ClusterStatus status() throws InterruptedException {
    return reader.read();
  }

  /** Ends the connection. Closing again has no effect. */
  @Override
  public void close() {
    node.end(new ClusterException("this observer was closed"));
    node.engine().close();
  }
}
