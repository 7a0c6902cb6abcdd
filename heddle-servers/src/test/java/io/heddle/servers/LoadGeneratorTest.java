package io.heddle.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The load generator detects errors, and counts late answers. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LoadGeneratorTest {
  private static final LoadGenerator LOAD =
      LoadGenerator.of(RequestSpec.SQUARE, 4).lasting(Duration.ZERO, Duration.ofMillis(300));

  private HttpServer server;

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void correctAnswersAreCounted() throws IOException {
    AtomicInteger requests = new AtomicInteger();
    LoadGenerator.Outcome outcome =
        LOAD.against(
            answering(
                exchange -> {
                  requests.incrementAndGet();
                  answer(exchange, 200, square(exchange));
                }));
    assertThat(outcome.answers()).isPositive().isLessThanOrEqualTo(requests.get());
    assertThat(outcome.millis(50)).isPositive().isLessThanOrEqualTo(outcome.millis(99));
  }

  @Test
  void wrongAnswerIsDetected() throws IOException {
    InetSocketAddress address = answering(exchange -> answer(exchange, 200, "-1"));
    assertThatIOException()
        .isThrownBy(() -> LOAD.against(address))
        .withMessageMatching("(?s)the answer to /square\\?n=\\d is wrong: http/1.1 200 .*\n-1");
  }

  @Test
  void wrongStatusIsDetected() throws IOException {
    InetSocketAddress address = answering(exchange -> answer(exchange, 500, square(exchange)));
    assertThatIOException()
        .isThrownBy(() -> LOAD.against(address))
        .withMessageContaining("http/1.1 500");
  }

  @Test
  void missingAnswerIsDetected() throws IOException {
    InetSocketAddress address = answering(HttpExchange::close);
    assertThatIOException()
        .isThrownBy(() -> LOAD.against(address))
        .withMessageContaining("the server closed the connection");
  }

  @Test
  void properlyClosedConnectionIsReopened() throws IOException {
    InetSocketAddress address =
        answering(
            exchange -> {
              exchange.getResponseHeaders().set("Connection", "close");
              answer(exchange, 200, square(exchange));
            });
    long answers = 0;
    // Repeats on a busy machine until each connection has had more than one request.
    while (answers <= LOAD.connections() && !Thread.interrupted()) {
      answers = LOAD.lasting(Duration.ZERO, Duration.ofSeconds(1)).against(address).answers();
    }
    assertThat(answers).isGreaterThan(LOAD.connections());
  }

  @Test
  void everyRequestMayUseANewConnection() throws IOException {
    Set<InetSocketAddress> clients = ConcurrentHashMap.newKeySet();
    LoadGenerator load =
        LoadGenerator.of(RequestSpec.SQUARE.onceEach(), 4)
            .lasting(Duration.ZERO, Duration.ofMillis(300));
    LoadGenerator.Outcome outcome =
        load.against(
            answering(
                exchange -> {
                  clients.add(exchange.getRemoteAddress());
                  answer(exchange, 200, square(exchange));
                }));
    assertThat(outcome.answers()).isGreaterThan(load.connections());
    assertThat(clients).hasSizeGreaterThan(load.connections());
  }

  @Test
  void unansweredRequestCountsWithItsWaitingTime() throws IOException {
    LoadGenerator.Outcome outcome = LOAD.perSecond(100).against(answering(exchange -> {}));
    assertThat(outcome.answers()).isZero();
    assertThat(outcome.nanos().getTotalCount()).isEqualTo(30);
    assertThat(outcome.millis(100)).isBetween(299.0, 301.0);
  }

  @Test
  void hogsAreNotCounted() throws IOException {
    AtomicInteger hogs = new AtomicInteger();
    LoadGenerator.Outcome outcome =
        LOAD.perSecond(100)
            .hogs(2, RequestSpec.computing(1))
            .against(
                answering(
                    exchange -> {
                      boolean isHog = exchange.getRequestURI().getPath().equals("/compute");
                      hogs.addAndGet(isHog ? 1 : 0);
                      answer(exchange, 200, isHog ? "computed for 1 ms" : square(exchange));
                    }));
    assertThat(hogs.get()).isGreaterThan(2);
    assertThat(outcome.nanos().getTotalCount()).isEqualTo(30);
  }

  private InetSocketAddress answering(HttpHandler handler) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", handler);
    server.start();
    return server.getAddress();
  }

  private static String square(HttpExchange exchange) {
    long n = Long.parseLong(exchange.getRequestURI().getQuery().substring(2));
    return Long.toString(n * n);
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
