package io.heddle.servers;

import java.nio.charset.StandardCharsets;
import java.util.function.LongFunction;

/**
 * What is asked of a server, and what it must answer.
 *
 * @param path without the number
 * @param n asked each time; {@link #COUNTING}: another one each time
 * @param answer to a number
 */
record Work(String path, long n, LongFunction<String> answer) {
  static final long COUNTING = -1;

  /** Next to nothing, so that what is measured is the server. */
  static final Work SQUARE = new Work("/square", COUNTING, n -> Long.toString(n * n));

  /** Waits, as for a back end. */
  static Work waiting(long millis) {
    return new Work("/wait", millis, n -> "waited for " + n + " ms");
  }

  /** Computes for so long, and never waits. */
  static Work computing(long millis) {
    return new Work("/compute", millis, n -> "computed for " + n + " ms");
  }

  /** The number to ask with, the {@code i}th time. */
  long number(long i) {
    return n == COUNTING ? i : n;
  }

  byte[] request(long number) {
    String text = "GET " + path + "?n=" + number + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
