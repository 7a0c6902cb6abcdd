package io.heddle.internal.dashboard;

import com.sun.net.httpserver.Headers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Creates responses, and the security headers that restrict the browser. */
final class Responses {
  private static final Map<String, String> FILES =
      Map.of(
          "/", "index.html",
          "/style.css", "style.css",
          "/app.js", "app.js",
          "/stage.js", "stage.js",
          "/dots.js", "dots.js",
          "/charts.js", "charts.js",
          "/table.js", "table.js",
          "/tables.js", "tables.js",
          "/format.js", "format.js",
          "/icon.svg", "icon.svg");

  private Responses() {}

  /** Sets the security headers, which every response has. */
  static void harden(Headers headers) {
    headers.set(
        "Content-Security-Policy",
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Cache-Control", "no-store");
  }

  static Response text(int status, String text) {
    return new Response(
        status, "text/plain; charset=utf-8", (text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  static Response json(String json) {
    return new Response(200, "application/json", json.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns a file of the page, or a response with status 404 if the page has no such file. */
  static Response file(String path) throws IOException {
    String name = FILES.get(path);
    if (name == null) {
      return text(404, "There is nothing here.");
    }
    try (InputStream in = Responses.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException(name + " is missing from the jar");
      }
      return new Response(200, typeOf(name), in.readAllBytes());
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
