package io.heddle.servers;

import java.nio.charset.StandardCharsets;
import java.util.function.LongFunction;

/**
 * What is asked of a server, and what it must answer.
 *
 * @param path without the number
 * @param n asked each time; {@link #COUNTING}: another one each time
 * @param answer to a number
 * @param isLast whether each request asks for its connection to be closed behind the answer
 */
record RequestSpec(String path, long n, LongFunction<String> answer, boolean isLast) {
  static final long COUNTING = -1;

  /** Next to nothing, so that what is measured is the server. */
  static final RequestSpec SQUARE =
      new RequestSpec("/square", COUNTING, n -> Long.toString(n * n), false);

  /** Waits, as for a back end. */
  static RequestSpec waiting(long millis) {
    return new RequestSpec("/wait", millis, n -> "waited for " + n + " ms", false);
  }

  /** Computes for so long, and never waits. */
  static RequestSpec computing(long millis) {
    return new RequestSpec("/compute", millis, n -> "computed for " + n + " ms", false);
  }

  /** The same over a connection of its own each time. */
  RequestSpec onceEach() {
    return new RequestSpec(path, n, answer, true);
  }

  /** The number to ask with, the {@code i}th time. */
  long number(long i) {
    return n == COUNTING ? i : n;
  }

  byte[] request(long number) {
    String end = isLast ? "Connection: close\r\n\r\n" : "\r\n";
    String text = "GET " + path + "?n=" + number + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + end;
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
