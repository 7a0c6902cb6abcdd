package io.heddle.cluster.contract;

/** An engine in a process of its own, which a test can kill. */
public interface EngineServer extends AutoCloseable {
  /** Returns where nodes reach it. */
  String uri();

  /** Returns its port on the loopback address. */
  int port();

  /** Kills the process, as {@code kill -9} does. */
  void kill();

  /** Starts the process again, with the same port and the same files. */
  void restart() throws Exception;

  @Override
  void close() throws Exception;
}
