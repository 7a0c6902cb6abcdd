package io.heddle.bench.cluster;

import java.util.function.Consumer;

/** Carries values from one connection to a NATS server to another; a sent value is stored. */
interface Line {
  /** Returns the name of this line in the table. */
  String name();

  /** How many threads or goroutines send at the same time in the measurement of the throughput. */
  int senders();

  /** Gives each value that arrives to {@code taker}, and then acknowledges it. */
  void receive(Consumer<byte[]> taker) throws Exception;

  /** Sends a value and waits until the server has stored it. */
  void send(byte[] value) throws Exception;

  /** Runs {@code body} in as many threads as {@link #senders} says; returns when all have ended. */
  void inAllSenders(Body body) throws Exception;

  /** Ends both connections, and deletes what the server has stored. */
  void close() throws Exception;

  /** What a sender does. */
  @FunctionalInterface
  interface Body {
    void run() throws Exception;
  }
}
