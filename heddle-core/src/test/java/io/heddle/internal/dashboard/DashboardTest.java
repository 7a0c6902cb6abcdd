package io.heddle.internal.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import io.heddle.Chan;
import io.heddle.HangGuard;
import io.heddle.Scheduler;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The dashboard's HTTP interface, tested without a browser. The file is long because each path of
 * the server, and each refusal, has a test.
 */
@HangGuard
class DashboardTest {
  /** Refreshes often and drops slow readers soon. */
  private static final RefreshRate QUICK = new RefreshRate(20_000_000, 300_000_000);

  private final Scheduler scheduler =
      Scheduler.builder().name("watched").procs(2).uncaught((_, _) -> {}).build();
  private final Chan<String> never = Chan.make();
  private Dashboard dashboard;
  private int port;

  @BeforeEach
  void open() throws Exception {
    dashboard = Dashboard.open(new Address("", 0), null, QUICK, null);
    port = dashboard.port();
  }

  @AfterEach
  @HangGuard
  void close() {
    dashboard.close();
    scheduler.shutdownNow();
  }

  @Test
  void pageAndItsFilesAreServed() throws Exception {
    String page = get("/").body();
    List<String> files = new ArrayList<>(List.of("/"));
    Matcher names = Pattern.compile("(?:href|src)=\"([a-z]+\\.[a-z]+)\"").matcher(page);
    while (names.find()) {
      files.add("/" + names.group(1));
    }
    assertThat(files).contains("/app.js", "/style.css", "/icon.svg");
    for (int i = 0; i < files.size(); i++) { // files that modules import are added
      RawHttpClient.Reply file = get(files.get(i));
      assertThat(file.status()).as(files.get(i)).isEqualTo(200);
      assertThat(file.headers().get("content-security-policy")).startsWith("default-src 'self';");
      assertThat(file.headers()).doesNotContainKey("access-control-allow-origin");
      Matcher imports = Pattern.compile("from '\\./([a-z]+\\.js)'").matcher(file.body());
      while (imports.find()) {
        if (!files.contains("/" + imports.group(1))) {
          files.add("/" + imports.group(1));
        }
      }
    }
    assertThat(files)
        .contains("/stage.js", "/dots.js", "/charts.js", "/table.js", "/tables.js", "/format.js");
  }

  @Test
  void pageNeedsNoExternalResource() throws Exception {
    for (String file : List.of("/", "/style.css", "/app.js", "/stage.js", "/dots.js")) {
      assertThat(get(file).body().replace("http://www.w3.org/2000/svg", ""))
          .as(file)
          .doesNotContain("http:", "https:", "//cdn", "style=\"");
    }
  }

  @Test
  void sampleShowsRunningAndWaitingGoroutines() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    scheduler.procs(1);
    scheduler.go("hog-7", () -> spin(running));
    running.await();
    scheduler.go("later", () -> {});
    Await.until(() -> scheduler.stats().goroutines() >= 1);
    Map<String, Object> sample = sampleOf(scheduler);
    assertThat(sample).containsEntry("name", "watched").containsEntry("procs", 1L);
    assertThat(list(sample, "ps")).hasSize(1);
    assertThat((List<?>) sample.get("labelNames")).asString().contains("hog");
  }

  @Test
  void streamSendsHelloThenEvents() throws Exception {
    scheduler.go("waiter", never::receive);
    try (RawHttpClient stream = stream()) {
      Map<String, Object> hello = stream.next().json();
      assertThat(hello).containsEntry("canTrace", false).containsKey("started");
      RawHttpClient.Event census = stream.next("census");
      Await.until(() -> reasonsIn(stream).containsKey("chan receive"));
      assertThat(census.json()).containsKeys("states", "reasons", "labels", "waiting", "runnable");
      long first = time(stream);
      assertThat(time(stream)).isGreaterThan(first);
    }
  }

  @Test
  void latencyIsMeasuredWhileAStreamIsOpen() throws Exception {
    Chan<Integer> ping = Chan.make();
    scheduler.go(
        () -> {
          for (int i = 0; ; i++) {
            ping.send(i);
          }
        });
    scheduler.go(
        () -> {
          for (int _ : ping) {}
        });
    try (RawHttpClient stream = stream()) {
      Await.until(() -> latencyIn(stream) != null);
      Map<String, Object> minute = map(latencyIn(stream), "minute");
      assertThat((long) minute.get("p50")).isPositive();
      assertThat((long) minute.get("p99")).isGreaterThanOrEqualTo((long) minute.get("p50"));
    }
  }

  @Test
  void dashboardObservesOnlyWhileAStreamIsOpen() throws Exception {
    assertThat(dashboard.isLooking()).isFalse();
    try (RawHttpClient stream = stream()) {
      stream.next("sample");
      assertThat(dashboard.isLooking()).isTrue();
    }
    Await.until(() -> !dashboard.isLooking() && dashboard.watchers() == 0);
    try (RawHttpClient stream = stream()) {
      stream.next("sample");
    }
  }

  @Test
  void closedSchedulerEndsItsStream() throws Exception {
    Scheduler brief = Scheduler.builder().name("brief").build();
    try (RawHttpClient stream =
        RawHttpClient.openStream(port, "/api/stream?scheduler=" + idOf("brief"))) {
      stream.next("sample");
      brief.close();
      stream.next("gone");
    }
  }

  @Test
  void everySchedulerCanBeSampled() throws Exception {
    try (Scheduler other = Scheduler.builder().name("other").procs(3).build()) {
      assertThat(sampleOf(other)).containsEntry("name", "other").containsEntry("procs", 3L);
      assertThat(sampleOf(scheduler)).containsEntry("name", "watched").containsEntry("procs", 2L);
    }
  }

  @Test
  void tableIsFilteredAndPaged() throws Exception {
    for (int i = 0; i < 120; i++) {
      scheduler.go("worker-" + i, never::receive);
    }
    scheduler.go("other", () -> Thread.sleep(Duration.ofDays(1)));
    Await.until(() -> table("reason=chan+receive").get("matched"), 120L);
    List<Object> seen = new ArrayList<>();
    Object after = "";
    for (int pages = 0; after != null; pages++) {
      Map<String, Object> page = table("q=WORKER&state=waiting&size=50&after=" + after);
      assertThat(page).containsEntry("total", 121L).containsEntry("matched", 120L);
      list(page, "rows").forEach(row -> seen.add(row.get("id")));
      after = page.get("next");
      assertThat(seen).hasSize(Math.min(120, 50 * (pages + 1)));
    }
    assertThat(seen).doesNotHaveDuplicates();
    assertThat(table("q=worker-119").get("matched")).isEqualTo(1L);
    Await.until(() -> table("reason=sleep").get("matched"), 1L);
    assertThat(table("state=running").get("matched")).isEqualTo(0L);
    assertThat(table("q=" + DashboardTest.class.getSimpleName()).get("matched")).isEqualTo(121L);
  }

  @Test
  void tableCanBeSortedByAge() throws Exception {
    for (int i = 0; i < 5; i++) {
      scheduler.go("sleeper", never::receive);
    }
    Await.until(() -> table("state=waiting").get("matched"), 5L);
    List<Long> ages = new ArrayList<>();
    for (Map<String, Object> row : list(table("sort=age&size=3"), "rows")) {
      ages.add((Long) row.get("age"));
    }
    assertThat(ages).hasSize(3);
    assertThat(list(table("sort=age&size=2&after=" + table("sort=age&size=3").get("next")), "rows"))
        .hasSize(2);
  }

  @Test
  void stackOfOneGoroutineIsServed() throws Exception {
    long id = scheduler.go("stuck", never::receive).id();
    Await.until(() -> table("state=waiting").get("matched"), 1L);
    Map<String, Object> one = json("/api/goroutine?scheduler=" + idOf("watched") + "&id=" + id);
    assertThat(one)
        .containsEntry("name", "stuck")
        .containsEntry("state", "waiting")
        .containsEntry("reason", "chan receive");
    assertThat((String) one.get("createdBy")).contains("DashboardTest");
    assertThat(one.get("stack").toString()).contains("io.heddle.Chan.receive");
    assertThat(get("/api/goroutine?id=999999").status()).isEqualTo(404);
  }

  @Test
  void goroutineNameIsEscapedAndTruncated() throws Exception {
    String name = "</script><img src=x onerror=alert(1)>\"\\\n\ud800 " + "x".repeat(5_000);
    scheduler.go(name, never::receive);
    Await.until(() -> table("state=waiting").get("matched"), 1L);
    String shown = (String) list(table("q=onerror"), "rows").getFirst().get("name");
    assertThat(shown).startsWith(name.substring(0, 40)).hasSizeLessThan(300);
  }

  @ParameterizedTest
  @CsvSource({
    "/api/goroutines?state=asleep, 'state is \"asleep\": allowed is runnable'",
    "/api/goroutines?size=0, 'size is \"0\": allowed is a whole number from 1 to 500'",
    "/api/goroutines?size=many, 'size is \"many\"'",
    "/api/goroutines?sort=name, 'sort is \"name\": allowed is id or age'",
    "/api/goroutines?after=x, 'after is \"x\"'",
    "/api/sample?scheduler=12345, There is no scheduler 12345 any more.",
    "/api/stream?scheduler=-1, 'scheduler is \"-1\"'",
  })
  void invalidParameterIsReported(String path, String message) throws Exception {
    RawHttpClient.Reply answer = get(path);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body()).contains(message);
  }

  @Test
  void hundredStreamsAreServedAndExcessStreamsRejected() throws Exception {
    List<RawHttpClient> streams = new ArrayList<>();
    try {
      for (int i = 0; i < EventStreams.MAX_STREAMS; i++) {
        streams.add(stream());
      }
      assertThat(streams).hasSizeGreaterThanOrEqualTo(100);
      for (int round = 0; round < 3; round++) {
        for (RawHttpClient each : streams) {
          each.next("sample");
        }
      }
      Await.until(() -> dashboard.watchers() == EventStreams.MAX_STREAMS);
      RawHttpClient.Reply refused = get("/api/stream");
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.body()).contains("128 open streams already");
      assertThat(get("/api/sample").status()).as("others are served").isEqualTo(200);
    } finally {
      for (RawHttpClient each : streams) {
        each.close();
      }
    }
    Await.until(() -> dashboard.watchers() == 0);
    try (RawHttpClient stream = stream()) {
      stream.next("sample");
    }
  }

  @Test
  void streamThatIsNotReadIsDroppedAndOthersContinue() throws Exception {
    scheduler.procs(1024); // so that each event is large
    String path = "/api/stream?scheduler=" + idOf("watched");
    try (RawHttpClient deaf = RawHttpClient.openWithoutReading(port, path);
        RawHttpClient stream = stream()) {
      Await.until(() -> dashboard.watchers() == 2);
      while (dashboard.watchers() == 2) {
        stream.next("sample");
      }
      stream.next("sample");
      assertThat(deaf.isEnded()).isTrue();
    }
  }

  @Test
  void foreignHostNameIsRejected() throws Exception {
    for (String host :
        List.of(
            "evil.example",
            "evil.example:80",
            "localhost.evil.example",
            "1.2.3.4",
            "127.evil.example",
            ":80",
            "")) {
      RawHttpClient.Reply answer = get("/api/sample", "Host", host);
      assertThat(answer.status()).as(host).isEqualTo(403);
    }
    for (String host : List.of("localhost", "LOCALHOST:1", "127.0.0.1:9", "[::1]:9")) {
      assertThat(get("/", "Host", host).status()).as(host).isEqualTo(200);
    }
  }

  @Test
  void crossSiteRequestIsRejected() throws Exception {
    assertThat(get("/api/stream", "Sec-Fetch-Site", "cross-site").status()).isEqualTo(403);
    assertThat(get("/api/sample", "Sec-Fetch-Site", "same-site").status()).isEqualTo(403);
    assertThat(get("/api/sample", "Sec-Fetch-Site", "same-origin").status()).isEqualTo(200);
    assertThat(get("/", "Sec-Fetch-Site", "cross-site").status()).as("a link").isEqualTo(200);
  }

  @Test
  void traceNeedsPostFromTheSameOrigin() throws Exception {
    dashboard.close();
    CountDownLatch ended = new CountDownLatch(1);
    TraceStarter tracer =
        (owner, file) -> {
          Files.writeString(file, "trace of " + owner);
          return ended::countDown;
        };
    dashboard = Dashboard.open(new Address("", 0), null, QUICK, tracer);
    port = dashboard.port();
    String path = "/api/trace?seconds=1&scheduler=" + idOf("watched");
    String self = "http://localhost:" + port;
    assertThat(post(path).status()).as("no origin").isEqualTo(403);
    assertThat(post(path, "Origin", "http://evil.example").status()).isEqualTo(403);
    assertThat(post(path, "Origin", "null").status()).isEqualTo(403);
    assertThat(get(path).status()).as("by GET").isEqualTo(405);
    assertThat(post(path, "Origin", self, "Content-Length", "5000").status()).isEqualTo(413);
    assertThat(post(path + "&seconds=3600", "Origin", self).status()).isEqualTo(400);
    assertThat(ended.getCount()).isEqualTo(1);
    RawHttpClient.Reply trace = post(path, "Origin", self);
    assertThat(trace.status()).isEqualTo(200);
    assertThat(trace.body()).startsWith("trace of Scheduler[watched");
    assertThat(ended.getCount()).isZero();
  }

  @Test
  void traceWithoutTracerIsNotFound() throws Exception {
    RawHttpClient.Reply answer = post("/api/trace", "Origin", "http://localhost:" + port);
    assertThat(answer.status()).isEqualTo(404);
  }

  @Test
  void otherMethodsAndLongQueriesAreRejected() throws Exception {
    assertThat(RawHttpClient.request(port, "DELETE", "/").status()).isEqualTo(405);
    assertThat(RawHttpClient.request(port, "OPTIONS", "/api/trace").status()).isEqualTo(405);
    assertThat(post("/", "Origin", "http://localhost:" + port).status()).isEqualTo(405);
    assertThat(get("/api/goroutines?q=" + "x".repeat(3_000)).status()).isEqualTo(414);
    assertThat(get("/../../etc/passwd").status()).isEqualTo(404);
    assertThat(RawHttpClient.request(port, "HEAD", "/").status()).isEqualTo(200);
  }

  @Test
  void tokenIsRequiredAndKeptInCookie() throws Exception {
    try (Dashboard guarded =
        Dashboard.open(new Address("", 0), "open sesame".replace(' ', '-'), QUICK, null)) {
      int at = guarded.port();
      assertThat(guarded.url()).endsWith("/?token=open-sesame");
      for (String path : List.of("/", "/app.js", "/api/sample", "/?token=open-sesam", "/?token=")) {
        assertThat(RawHttpClient.get(at, path).status()).as(path).isEqualTo(401);
      }
      RawHttpClient.Reply invited = RawHttpClient.get(at, "/?token=open-sesame");
      assertThat(invited.status()).isEqualTo(303);
      assertThat(invited.headers()).containsEntry("location", "/");
      String cookie = invited.headers().get("set-cookie");
      assertThat(cookie).contains("HttpOnly", "SameSite=Strict");
      String pair = cookie.substring(0, cookie.indexOf(';'));
      assertThat(RawHttpClient.get(at, "/api/sample", "Cookie", "a=b; " + pair).status())
          .isEqualTo(200);
      assertThat(RawHttpClient.get(at, "/api/sample", "Cookie", pair + "x").status())
          .isEqualTo(401);
    }
  }

  @Test
  void dashboardOnPublicAddressGeneratesToken() throws Exception {
    try (Dashboard open = Dashboard.open(new Address("0.0.0.0", 0), null, QUICK, null)) {
      assertThat(open.url()).matches("http://.*/\\?token=[0-9a-f]{32}");
      assertThat(RawHttpClient.get(open.port(), "/api/sample").status()).isEqualTo(401);
      assertThat(RawHttpClient.get(open.port(), "/api/sample", "Host", "evil.example").status())
          .isEqualTo(403);
      String token = open.url().substring(open.url().indexOf('?'));
      assertThat(RawHttpClient.get(open.port(), "/api/sample" + token, "Host", "1.2.3.4").status())
          .isEqualTo(200);
    }
  }

  private static void spin(CountDownLatch running) {
    running.countDown();
    while (!Thread.currentThread().isInterrupted()) {
      Thread.onSpinWait();
    }
  }

  private RawHttpClient stream() throws Exception {
    return RawHttpClient.openStream(port, "/api/stream?scheduler=" + idOf("watched"));
  }

  private long idOf(String name) throws Exception {
    return list(json("/api/sample"), "schedulers").stream()
        .filter(each -> each.get("name").equals(name))
        .mapToLong(each -> (long) each.get("id"))
        .max()
        .orElseThrow();
  }

  private Map<String, Object> sampleOf(Scheduler which) throws Exception {
    String name = which.toString().replaceAll("Scheduler\\[(.*), procs.*", "$1");
    return json("/api/sample?scheduler=" + idOf(name));
  }

  private Map<String, Object> table(String query) {
    try {
      return json("/api/goroutines?scheduler=" + idOf("watched") + "&" + query);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static Map<String, Object> reasonsIn(RawHttpClient stream) {
    try {
      return map(stream.next("census").json(), "reasons");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the latency, or null as long as the minute has no sample. */
  private static Map<String, Object> latencyIn(RawHttpClient stream) {
    try {
      Map<String, Object> latency = map(stream.next("sample").json(), "latency");
      return latency != null && (long) map(latency, "minute").get("n") > 0 ? latency : null;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static long time(RawHttpClient stream) throws Exception {
    return (long) stream.next("sample").json().get("time");
  }

  private RawHttpClient.Reply get(String path, String... headers) throws Exception {
    return RawHttpClient.get(port, path, headers);
  }

  private RawHttpClient.Reply post(String path, String... headers) throws Exception {
    return RawHttpClient.request(port, "POST", path, headers);
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> json(String path) throws Exception {
    RawHttpClient.Reply answer = get(path);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return (Map<String, Object>) answer.json();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Map<String, Object> from, String key) {
    return (Map<String, Object>) from.get(key);
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> list(Map<String, Object> from, String key) {
    return (List<Map<String, Object>>) from.get(key);
  }
}
