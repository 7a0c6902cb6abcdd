package io.heddle.bench.cluster;

import java.util.function.Consumer;

/**
 * One way to carry values from one process to another. A line has no state; {@code place} is a name
 * that both processes of one run know and that no other run has.
 */
@SuppressWarnings("try") // an interrupt ends the run
interface Line {
  /** How many values may be under way, where a line has such a limit. */
  int CAPACITY = 50_000;

  /** The name of the queue, the channel or the address. */
  String VALUES = "values";

  /** Returns the name of this line in the table. */
  String name();

  /** Returns what is certain when a send has returned, for the table. */
  String promise();

  /** Opens the end that sends. The end that receives is opened after it. */
  SendingEnd send(String server, String place) throws Exception;

  /** Opens the end that receives: each value goes to {@code taker}, and is then acknowledged. */
  AutoCloseable receive(String server, String place, Consumer<byte[]> taker) throws Exception;

  /** What a sender does. */
  @FunctionalInterface
  interface Body {
    void run() throws Exception;
  }

  /** The end in the process that sends. */
  interface SendingEnd extends AutoCloseable {
    /** Sends a value and waits until the promise of the line holds. */
    void send(byte[] value) throws Exception;

    /** Runs {@code body} in all senders at the same time; returns when all have ended. */
    void inAllSenders(Body body) throws Exception;

    /** Waits until the other end can receive. */
    default void awaitReceiver() throws Exception {}
  }
}
