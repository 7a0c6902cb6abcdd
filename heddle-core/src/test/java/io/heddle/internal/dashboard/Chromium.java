package io.heddle.internal.dashboard;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.heddle.internal.base.JsonWriter;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A headless browser, controlled through chromedriver and the WebDriver protocol. */
final class Chromium implements AutoCloseable {
  /** A page that does not respond for that long has hung. */
  private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(40);

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process driver;
  private final String root;
  private final String session;

  private Chromium(Process driver, int port) throws Exception {
    this.driver = driver;
    this.root = "http://localhost:" + port;
    while (!isReady()) {
      Thread.yield();
    }
    Map<String, Object> made =
        map(
            ask(
                "POST",
                "/session",
                """
                {"capabilities":{"alwaysMatch":{"browserName":"chrome",
                "goog:loggingPrefs":{"browser":"ALL"},"goog:chromeOptions":
                {"args":["--headless=new","--no-sandbox","--disable-gpu","--window-size=1360,1000"]}}}}\
                """));
    this.session = "/session/" + made.get("sessionId");
  }

  /** Starts the browser. Without an installed browser the test is skipped. */
  static Chromium open() throws Exception {
    for (String needed : List.of("chromedriver", "chromium")) {
      assumeTrue(isInPath(needed), needed + " is not in PATH: the page is not tested in a browser");
    }
    int port = freePort();
    Process driver =
        new ProcessBuilder("chromedriver", "--port=" + port)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      return new Chromium(driver, port);
    } catch (Exception e) {
      driver.destroy();
      throw e;
    }
  }

  void go(String url) throws Exception {
    ask("POST", session + "/url", "{\"url\":" + quoted(url) + "}");
  }

  /** Sets the width of the window; below 600 pixels it emulates a phone. */
  void width(int pixels) throws Exception {
    ask(
        "POST",
        session + "/goog/cdp/execute",
        "{\"cmd\":\"Emulation.setDeviceMetricsOverride\",\"params\":{\"width\":"
            + pixels
            + ",\"height\":900,\"deviceScaleFactor\":1,\"mobile\":"
            + (pixels < 600)
            + "}}");
  }

  /** Throttles the CPU by that factor. */
  void slowDown(int times) throws Exception {
    ask(
        "POST",
        session + "/goog/cdp/execute",
        "{\"cmd\":\"Emulation.setCPUThrottlingRate\",\"params\":{\"rate\":" + times + "}}");
  }

  /** Returns the result of {@code script}. */
  Object run(String script) throws Exception {
    return ask(
        "POST", session + "/execute/sync", "{\"script\":" + quoted(script) + ",\"args\":[]}");
  }

  /** Returns the result of a script that cannot fail. */
  Object runUnchecked(String script) {
    try {
      return run(script);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the errors and warnings of the page since the last call. */
  List<String> complaints() throws Exception {
    List<?> log = (List<?>) ask("POST", session + "/se/log", "{\"type\":\"browser\"}");
    return log.stream()
        .filter(entry -> List.of("SEVERE", "WARNING").contains(map(entry).get("level")))
        .map(entry -> String.valueOf(map(entry).get("message")))
        .toList();
  }

  @Override
  public void close() throws Exception {
    try {
      ask("DELETE", session, null);
    } finally {
      driver.descendants().forEach(ProcessHandle::destroyForcibly);
      driver.destroyForcibly().waitFor();
    }
  }

  private boolean isReady() throws InterruptedException {
    try {
      return Boolean.TRUE.equals(map(ask("GET", "/status", null)).get("ready"));
    } catch (IOException e) {
      return false;
    }
  }

  private Object ask(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(root + path))
            .header("Content-Type", "application/json")
            .timeout(RESPONSE_TIMEOUT)
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    Object value = map(JsonReader.read(response.body().strip())).get("value");
    if (response.statusCode() != 200) {
      throw new AssertionError(method + " " + path + ": " + value);
    }
    return value;
  }

  private static boolean isInPath(String name) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(dir -> Files.isExecutable(Path.of(dir, name)));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static String quoted(String text) {
    return new JsonWriter().value(text).toString();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object value) {
    return (Map<String, Object>) value;
  }
}
