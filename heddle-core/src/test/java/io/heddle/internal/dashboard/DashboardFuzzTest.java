package io.heddle.internal.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import io.heddle.Fuzz;
import io.heddle.HangGuard;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Malformed and hostile requests: none reveals protected data, and the page still works afterwards.
 */
class DashboardFuzzTest {
  private static final RefreshRate QUICK = new RefreshRate(20_000_000, 300_000_000);
  private static final String TOKEN = "right-token";

  private static final String[] METHODS = {
    "GET", "HEAD", "POST", "PUT", "OPTIONS", "get", "", "G\tET", "TRACE"
  };
  private static final String[] PATHS = {
    "/",
    "/app.js",
    "/api/stream",
    "/api/goroutines",
    "/api/sample",
    "/api/trace",
    "/api/dump",
    "/api/",
    "/../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "//",
    "*",
    "http://evil.example/",
    "/api/goroutines?limit=-1"
  };
  private static final String[] HOSTS = {
    "localhost",
    "127.0.0.1",
    "[::1]",
    "evil.example",
    "localhost.evil.example",
    "",
    "localhost:99999",
    "127.0.0.1.evil",
    "[::1"
  };
  private static final String[] WORDS = {
    "token=",
    TOKEN,
    "&",
    "?",
    "=",
    "scheduler=",
    "q=",
    "limit=",
    "%41",
    "seconds=",
    "#",
    "/",
    "Content-Length: ",
    "\r\n",
    ":"
  };

  private Dashboard dashboard;

  @BeforeEach
  void open() throws Exception {
    dashboard = Dashboard.open(new Address("", 0), TOKEN, QUICK, null);
  }

  @AfterEach
  @HangGuard
  void close() {
    dashboard.close();
  }

  @Test
  @Timeout(
      value = 1,
      unit = TimeUnit.HOURS,
      threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // as many cases as the property requests
  void hostileRequestsGetNoDataAndThePageStaysUp() throws Exception {
    int cases = Fuzz.cases(getClass(), 1_500);
    List<Socket> halves = new ArrayList<>();
    Map<String, Integer> statuses = new TreeMap<>();
    for (int i = 0; i < cases; i++) {
      Random random = Fuzz.random(i);
      byte[] request = request(random);
      if (random.nextInt(20) == 0) {
        halves.add(half(request, random));
      } else {
        String answer = answer(request);
        check(i, request, answer);
        statuses.merge(answer.substring(0, Math.min(12, answer.length())), 1, Integer::sum);
      }
      if (halves.size() == 20) {
        closeAll(halves);
      }
    }
    closeAll(halves);
    assertThat(statuses).containsKeys("HTTP/1.1 400", "HTTP/1.1 401", "HTTP/1.1 403");
    Await.until(() -> statusOf(rightRequest()) == 200);
  }

  /** Opens a flood of connections that send nothing or half a request and stay open. */
  @Tag("full")
  @Test
  @HangGuard
  void silentConnectionsDoNotBlockOthers() throws Exception {
    assertOthersAreServed(i -> half(request(Fuzz.random(i)), Fuzz.random(i)));
  }

  /** Each of these connections occupies a server thread, so the server limits their number. */
  @Tag("full")
  @ParameterizedTest
  @ValueSource(strings = {"", "Content-Length: 1000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n"})
  @HangGuard
  void unfinishedRequestsDoNotBlockOthers(String rest) throws Exception {
    assertOthersAreServed(_ -> send(bytes("POST / HTTP/1.1\r\nHost: localhost\r\n" + rest)));
  }

  private void assertOthersAreServed(Client client) throws Exception {
    List<Socket> silent = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      silent.add(client.connect(i));
    }
    Await.until(() -> statusOf(rightRequest()) == 200);
    closeAll(silent);
    Await.until(() -> statusOf(rightRequest()) == 200);
  }

  private interface Client {
    Socket connect(int number) throws IOException;
  }

  private static byte[] request(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> garbage(random);
      case 1 -> bytes(Fuzz.text(random, WORDS) + "\r\n\r\n");
      case 2 -> bytes(head(random) + hugeHeaders(random) + "\r\n");
      case 3, 4, 5 -> bytes(wellFormed(random));
      default -> bytes(head(random) + headers(random) + "\r\n" + Fuzz.text(random, WORDS));
    };
  }

  /** A request that is well-formed but not allowed. */
  private static String wellFormed(Random random) {
    return (random.nextInt(4) == 0 ? "POST " : "GET ")
        + (random.nextBoolean() ? "/" : "/api/sample")
        + (random.nextInt(3) == 0 ? "?token=" + random.nextInt() : "")
        + " HTTP/1.1\r\nHost: "
        + (random.nextInt(3) == 0 ? "evil.example" : "localhost")
        + (random.nextInt(3) == 0 ? "\r\nCookie: heddle-token=" + random.nextInt() : "")
        + (random.nextInt(3) == 0 ? "\r\nOrigin: http://evil.example" : "")
        + "\r\n\r\n";
  }

  private static byte[] garbage(Random random) {
    byte[] bytes = new byte[random.nextInt(2_000)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static String head(Random random) {
    String query = random.nextInt(3) == 0 ? "?" + Fuzz.text(random, WORDS) : "";
    String version = random.nextInt(10) == 0 ? Fuzz.text(random, WORDS) : "HTTP/1.1";
    return pick(random, METHODS) + " " + pick(random, PATHS) + query + " " + version + "\r\n";
  }

  private static String headers(Random random) {
    StringBuilder headers = new StringBuilder();
    if (random.nextInt(8) != 0) {
      headers.append("Host: ").append(pick(random, HOSTS)).append("\r\n");
    }
    for (int n = random.nextInt(4); n > 0; n--) {
      headers.append(
          switch (random.nextInt(7)) {
            case 0 -> "Host: " + pick(random, HOSTS);
            case 1 -> "Cookie: heddle-token=" + Fuzz.text(random, WORDS);
            case 2 -> "Content-Length: " + Fuzz.text(random, "1", "99999999999", "-5");
            case 3 -> "Transfer-Encoding: chunked";
            case 4 -> "Origin: http://" + pick(random, HOSTS);
            case 5 -> "Sec-Fetch-Site: cross-site";
            default -> Fuzz.text(random, WORDS);
          });
      headers.append("\r\n");
    }
    return headers.toString();
  }

  private static String hugeHeaders(Random random) {
    return random.nextBoolean()
        ? "X: " + "a".repeat(random.nextInt(1_000_000)) + "\r\n"
        : "X: a\r\n".repeat(random.nextInt(10_000));
  }

  private static String pick(Random random, String[] from) {
    return from[random.nextInt(from.length)];
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private byte[] rightRequest() {
    return bytes(
        "GET /?token=" + TOKEN + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  }

  /** Treats 302, the redirect that moves the token to a cookie, like 200: the page is there. */
  private int statusOf(byte[] request) {
    try {
      String answer = answer(request);
      return answer.startsWith("HTTP/1.1 200") || answer.startsWith("HTTP/1.1 30") ? 200 : 0;
    } catch (IOException e) {
      return 0;
    }
  }

  /** Without the token no request gets content; with it, only one that names the right host. */
  private static void check(int number, byte[] request, String answer) {
    String asked = new String(request, StandardCharsets.UTF_8);
    assertThat(answer)
        .as(Fuzz.describe(number))
        .doesNotContain(
            "\tat ",
            "io.heddle",
            "root:") // the JDK's server itself may report what it could not parse
        .doesNotContainIgnoringCase("Access-Control-Allow-Origin");
    if (!asked.contains(TOKEN)) {
      assertThat(answer).as(Fuzz.describe(number) + ": " + asked).doesNotStartWith("HTTP/1.1 200");
    }
  }

  private Socket half(byte[] request, Random random) throws IOException {
    return send(Arrays.copyOf(request, random.nextInt(request.length + 1)));
  }

  private Socket send(byte[] bytes) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), dashboard.port());
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException e) {
      // The part that was sent was enough for a rejection.
    }
    return socket;
  }

  private static void closeAll(List<Socket> sockets) throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }

  /** Returns the response until two seconds of silence, at most 2000 bytes. */
  private String answer(byte[] request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), dashboard.port())) {
      socket.setSoTimeout(2_000);
      try {
        OutputStream out = socket.getOutputStream();
        out.write(request);
        socket.shutdownOutput();
        return new String(socket.getInputStream().readNBytes(2_000), StandardCharsets.UTF_8);
      } catch (SocketTimeoutException e) {
        return "";
      } catch (IOException e) {
        return ""; // the server closed the connection before it read everything
      }
    }
  }
}
