package io.heddle.bench.rows;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.Executors;

/**
 * A server on virtual threads that knows nothing of Heddle: the JDK's own. {@code /hello} answers with some bytes, {@code
 * /hog?millis} after it has computed for so long.
 */
final class HttpTwin {
  private HttpTwin() {}

  static int start(int bytes) throws IOException {
    byte[] body = new byte[bytes];
    Arrays.fill(body, (byte) 'x');
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_024);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/hello", exchange -> answer(exchange, body));
    server.createContext(
        "/hog",
        exchange -> {
          compute(Long.parseLong(exchange.getRequestURI().getQuery()));
          answer(exchange, body);
        });
    server.start();
    return server.getAddress().getPort();
  }

  private static void compute(long millis) {
    long end = System.nanoTime() + millis * 1_000_000;
    while (System.nanoTime() < end) {}
  }

  private static void answer(HttpExchange exchange, byte[] body) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }
}
