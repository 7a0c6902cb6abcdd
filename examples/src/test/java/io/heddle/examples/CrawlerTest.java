package io.heddle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CrawlerTest {
  private static final Map<String, String> SITE =
      Map.of(
          "/", "<a href=\"a/b\">down</a> <a href=\"http://127.0.0.1:1/elsewhere\">out</a>",
          "/a/b",
              "<a href=\"../#top\">up</a> <a href=\"c?d=e\">on</a> <a href=\"mailto:x@y\">mail</a>",
          "/a/c", "<a href=\"/gone\">gone</a> <a href=\"/\">home</a>");

  @Test
  void findsEveryPageOfTheBuiltInSiteOnce() throws Exception {
    assertThat(paths(Example.of("Crawler").run().lines()))
        .containsExactlyInAnyOrder(
            "200 /",
            "200 /loom",
            "200 /warp",
            "200 /weft",
            "200 /heddle",
            "200 /shuttle",
            "404 /bobbin",
            "7 addresses");
  }

  @Test
  void staysOnTheGivenSite() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress("localhost", 0), 0, "/", CrawlerTest::answer);
    server.start();
    try {
      String start = "http://localhost:" + server.getAddress().getPort() + "/";
      assertThat(paths(Example.of("Crawler", start).run().lines()))
          .containsExactlyInAnyOrder(
              "200 /", "200 /a/b", "200 /a/c?d=e", "404 /gone", "4 addresses");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void refusesAWrongArgument() throws Exception {
    Example.of("Crawler", "home")
        .run()
        .isRefused("Which site? Something like http://localhost:8000/, not: home");
  }

  private static List<String> paths(List<String> lines) {
    return lines.stream().map(line -> line.replaceFirst("http://localhost:[0-9]+", "")).toList();
  }

  private static void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String page = SITE.get(exchange.getRequestURI().getPath());
      byte[] bytes = (page == null ? "?" : page).getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(page == null ? 404 : 200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }
}
