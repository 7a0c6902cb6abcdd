package io.heddle.internal.dashboard;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** How requests are answered: with the headers that keep a browser from doing more than it should. */
final class Answers {
  private static final Map<String, String> FILES =
      Map.of(
          "/", "index.html",
          "/style.css", "style.css",
          "/app.js", "app.js",
          "/stage.js", "stage.js",
          "/dots.js", "dots.js",
          "/charts.js", "charts.js",
          "/table.js", "table.js",
          "/format.js", "format.js",
          "/icon.svg", "icon.svg");

  private Answers() {}

  /** What all answers have. */
  static void harden(Headers headers) {
    headers.set(
        "Content-Security-Policy",
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Cache-Control", "no-store");
  }

  static void text(HttpExchange exchange, int status, String text) throws IOException {
    send(
        exchange,
        status,
        "text/plain; charset=utf-8",
        (text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  static void json(HttpExchange exchange, String json) throws IOException {
    send(exchange, 200, "application/json", json.getBytes(StandardCharsets.UTF_8));
  }

  /** One of the page's own files. */
  static void file(HttpExchange exchange) throws IOException {
    String name = FILES.get(exchange.getRequestURI().getPath());
    if (name == null) {
      text(exchange, 404, "There is nothing here.");
      return;
    }
    try (InputStream in = Answers.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException(name + " is missing from the jar");
      }
      send(exchange, 200, typeOf(name), in.readAllBytes());
    }
  }

  static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  private static String typeOf(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html" -> "text/html; charset=utf-8";
      case "css" -> "text/css; charset=utf-8";
      case "svg" -> "image/svg+xml";
      default -> "text/javascript; charset=utf-8";
    };
  }
}
