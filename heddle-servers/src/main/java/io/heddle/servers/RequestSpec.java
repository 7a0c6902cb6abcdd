package io.heddle.servers;

import java.nio.charset.StandardCharsets;
import java.util.function.LongFunction;

/**
 * The kind of request sent to a server, and its expected answer.
 *
 * @param path without the number
 * @param n the number in each request; {@link #COUNTING}: a different one each time
 * @param answer the expected answer for a number
 * @param isLast whether each request asks the server to close the connection after the answer
 */
record RequestSpec(String path, long n, LongFunction<String> answer, boolean isLast) {
  static final long COUNTING = -1;

  /** Almost no work, so that the server itself is measured. */
  static final RequestSpec SQUARE =
      new RequestSpec("/square", COUNTING, n -> Long.toString(n * n), false);

  /** Waits {@code millis} milliseconds, as for a back end. */
  static RequestSpec waiting(long millis) {
    return new RequestSpec("/wait", millis, n -> "waited for " + n + " ms", false);
  }

  /** Computes for {@code millis} milliseconds without waiting. */
  static RequestSpec computing(long millis) {
    return new RequestSpec("/compute", millis, n -> "computed for " + n + " ms", false);
  }

  /** A copy with a new connection for each request. */
  RequestSpec onceEach() {
    return new RequestSpec(path, n, answer, true);
  }

  /** The number of the {@code i}th request. */
  long number(long i) {
    return n == COUNTING ? i : n;
  }

  byte[] request(long number) {
    String end = isLast ? "Connection: close\r\n\r\n" : "\r\n";
    String text = "GET " + path + "?n=" + number + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + end;
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
