package io.heddle.internal.dashboard;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A complete HTTP response.
 *
 * @param status the HTTP status
 * @param type the value of the header Content-Type
 * @param body the body; may be empty
 */
record Response(int status, String type, byte[] body) {
  /** Sends this response. A HEAD request gets no body. */
  void send(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    if (body.length == 0 || exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    exchange.sendResponseHeaders(status, body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }
}
