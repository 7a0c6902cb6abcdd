package openjdk.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import openjdk.VirtualTest;
import openjdk.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An HTTP server and an HTTP client, each with virtual threads: HttpALot.java, InterruptHttp.java.
 */
class HttpTest extends VirtualTest {
  private static final int REQUESTS = 400;

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch mayAnswer = new CountDownLatch(1);
  private ExecutorService handlers;
  private HttpServer server;

  @BeforeEach
  void serve() throws IOException {
    handlers = Executors.newVirtualThreadPerTaskExecutor();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 500);
    server.setExecutor(handlers);
    server.createContext("/hello", exchange -> answer(exchange, "hello"));
    server.createContext(
        "/never",
        exchange -> {
          asked.countDown();
          try {
            mayAnswer.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          answer(exchange, "at last");
        });
    server.start();
  }

  @AfterEach
  @Timeout(60)
  void stop() {
    mayAnswer.countDown();
    server.stop(0);
    handlers.close();
  }

  @Test
  void manyRequests() throws Exception {
    try (HttpClient client = client()) {
      List<Started<String>> all = new ArrayList<>();
      for (int i = 0; i < REQUESTS; i++) {
        all.add(call(() -> client.send(request("/hello"), BodyHandlers.ofString()).body()));
      }
      for (Started<String> each : all) {
        assertThat(each.result()).isEqualTo("hello");
      }
    }
  }

  @Test
  void manyRequestsByUrl() throws Exception {
    List<Started<String>> all = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      all.add(
          call(
              () -> {
                try (var in = uri("/hello").toURL().openStream()) {
                  return new String(in.readAllBytes());
                }
              }));
    }
    for (Started<String> each : all) {
      assertThat(each.result()).isEqualTo("hello");
    }
  }

  @Test
  void anInterruptEndsARequest() throws Exception {
    try (HttpClient client = client()) {
      Started<Void> started =
          start(
              () ->
                  assertThatExceptionOfType(InterruptedException.class)
                      .isThrownBy(() -> client.send(request("/never"), BodyHandlers.ofString())));
      asked.await();
      started.thread().interrupt();
      started.result();
      client.shutdownNow();
    }
  }

  private static HttpClient client() {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  private HttpRequest request(String path) {
    return HttpRequest.newBuilder(uri(path)).build();
  }

  private URI uri(String path) {
    InetSocketAddress address = server.getAddress();
    return URI.create(
        "http://" + address.getAddress().getHostAddress() + ":" + address.getPort() + path);
  }

  private static void answer(HttpExchange exchange, String text) throws IOException {
    World.checkCaller();
    try (exchange) {
      exchange.sendResponseHeaders(200, text.length());
      exchange.getResponseBody().write(text.getBytes());
    }
  }
}
