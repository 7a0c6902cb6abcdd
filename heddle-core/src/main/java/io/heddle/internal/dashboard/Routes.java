package io.heddle.internal.dashboard;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.heddle.internal.base.JsonWriter;
import io.heddle.internal.sched.Sched;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Handles the requests: the page and its files, its data below {@code /api/}, and {@code /metrics}.
 * No request runs code that the client sends. Only {@code POST /api/trace} has an effect: it
 * records a trace.
 */
final class Routes implements HttpHandler {
  private static final int MAX_TRACE_SECONDS = 60;

  private final Guard guard;
  private final HttpThreads listeners;
  private final EventStreams watchers;
  private final Feeds feeds;
  private final @Nullable TraceStarter tracer;

  /** Serializes passes over all goroutines, so that they use at most one CPU. */
  private final ReentrantLock searching = new ReentrantLock();

  /** Held while a trace is recorded, so that only one is recorded at a time. */
  private final ReentrantLock tracing = new ReentrantLock();

  private volatile boolean wasSeen;

  Routes(
      Guard guard,
      HttpThreads listeners,
      RefreshRate pace,
      ThreadFactory threads,
      @Nullable TraceStarter tracer) {
    this.guard = guard;
    this.listeners = listeners;
    this.watchers = new EventStreams(pace);
    this.feeds = new Feeds(pace, threads, watchers);
    this.tracer = tracer;
  }

  /**
   * Answers a request. While the thread computes the response, {@link HttpThreads} must not close
   * its connection for another client, so the thread is marked as busy.
   */
  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Responses.harden(exchange.getResponseHeaders());
      Response answer;
      listeners.begin();
      try {
        answer = answer(exchange);
      } finally {
        listeners.end();
      }
      if (answer != null) {
        answer.send(exchange);
      }
    } catch (InterruptedException e) {
      // nothing to send: the stream of a slow client was closed, or the server is closing
    }
  }

  /** Returns the response, or null if it has been sent already. */
  private @Nullable Response answer(HttpExchange exchange)
      throws IOException, InterruptedException {
    Guard.Refusal refusal = guard.refusal(exchange);
    if (refusal != null) {
      return Responses.text(refusal.status(), refusal.why());
    }
    String path = exchange.getRequestURI().getPath();
    boolean isPost = exchange.getRequestMethod().equals("POST");
    if (path.startsWith("/api/") && exchange.getRequestMethod().equals("HEAD")) {
      return Responses.text(405, "");
    }
    if (isPost != path.equals("/api/trace")) {
      return Responses.text(405, isPost ? "Use GET for this." : "Use POST for this.");
    }
    try {
      return answer(exchange, path, Query.of(exchange.getRequestURI()));
    } catch (Query.Wrong e) {
      return Responses.text(400, String.valueOf(e.getMessage()));
    }
  }

  private @Nullable Response answer(HttpExchange exchange, String path, Query query)
      throws IOException, InterruptedException {
    return switch (path) {
      case "/api/stream" -> stream(exchange, query);
      case "/api/sample" -> Responses.json(SnapshotJson.json(asked(query), "null"));
      case "/api/goroutines" -> goroutines(query);
      case "/api/goroutine" -> goroutine(query);
      case "/api/tables" -> tables();
      case "/api/trace" -> trace(exchange, query);
      case "/metrics" -> metrics();
      default -> page(exchange);
    };
  }

  private Response page(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (path.equals("/") && guard.isInvited(exchange)) {
      exchange.getResponseHeaders().set("Set-Cookie", guard.cookieToSet());
      exchange.getResponseHeaders().set("Location", "/");
      return new Response(303, "text/plain", new byte[0]);
    }
    wasSeen = true;
    return Responses.file(path);
  }

  private Response metrics() {
    searching.lock();
    try {
      String text = MetricsText.write();
      return new Response(200, MetricsText.TYPE, text.getBytes(StandardCharsets.UTF_8));
    } finally {
      searching.unlock();
    }
  }

  private Response tables() {
    searching.lock();
    try {
      return Responses.json(TablesJson.write());
    } finally {
      searching.unlock();
    }
  }

  boolean wasSeen() {
    return wasSeen;
  }

  private Response goroutines(Query query) {
    Sched sched = known(query);
    GoroutineTable table = new GoroutineTable(sched, feeds.of(sched).reasons, query);
    searching.lock();
    try {
      return Responses.json(table.json());
    } finally {
      searching.unlock();
    }
  }

  private Response goroutine(Query query) {
    Sched sched = known(query);
    long id = query.number("id", 1, Long.MAX_VALUE, 0);
    searching.lock();
    try {
      String found = GoroutineTable.one(sched, id);
      return found == null
          ? Responses.text(404, "There is no goroutine " + id + " any more.")
          : Responses.json(found);
    } finally {
      searching.unlock();
    }
  }

  /**
   * Sends events while {@link #isThere} returns true, and then returns null. Throws {@link
   * IOException} when the client disconnects. If there are too many streams already, sends no
   * events and returns a response with status 503.
   */
  private @Nullable Response stream(HttpExchange exchange, Query query)
      throws IOException, InterruptedException {
    Feed feed = feeds.of(asked(query));
    EventStreams.Watcher watcher = watchers.enter();
    if (watcher == null) {
      exchange.getResponseHeaders().set("Retry-After", "5");
      return Responses.text(
          503, "There are " + EventStreams.MAX_STREAMS + " open streams already.");
    }
    try {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
      exchange.sendResponseHeaders(200, 0);
      feeds.join(feed);
      try {
        send(exchange.getResponseBody(), feed, watcher);
      } finally {
        feed.leave();
      }
      return null;
    } finally {
      watcher.leave();
    }
  }

  private void send(OutputStream out, Feed feed, EventStreams.Watcher watcher)
      throws IOException, InterruptedException {
    watcher.write(
        out,
        ("retry: 1000\nevent: hello\ndata: " + hello() + "\n\n").getBytes(StandardCharsets.UTF_8));
    long number = 0;
    long census = 0;
    while (isThere(feed.sched)) {
      Feed.Issue issue = feed.after(number);
      if (issue.censusNumber() != census) {
        watcher.write(out, issue.census());
        census = issue.censusNumber();
      }
      watcher.write(out, issue.sample());
      number = issue.number();
    }
    watcher.write(out, "event: gone\ndata: {}\n\n".getBytes(StandardCharsets.UTF_8));
  }

  /** Describes the process, so that the page notices a restart. */
  private String hello() {
    JsonWriter json = new JsonWriter().open('{');
    json.field("process", ManagementFactory.getRuntimeMXBean().getName());
    json.field("started", ManagementFactory.getRuntimeMXBean().getStartTime());
    json.field("java", Runtime.version().toString());
    json.field("cpus", Runtime.getRuntime().availableProcessors());
    return json.field("canTrace", tracer != null).close('}').toString();
  }

  private Response trace(HttpExchange exchange, Query query)
      throws IOException, InterruptedException {
    Sched sched = known(query);
    long seconds = query.number("seconds", 1, MAX_TRACE_SECONDS, 5);
    if (tracer == null) {
      return Responses.text(404, "This process cannot record traces.");
    }
    if (!tracing.tryLock()) {
      return Responses.text(409, "A trace is being recorded already.");
    }
    try {
      Response trace =
          new Response(200, "application/octet-stream", take(tracer, sched.owner(), seconds));
      exchange
          .getResponseHeaders()
          .set("Content-Disposition", "attachment; filename=\"heddle.trace\"");
      return trace;
    } catch (IOException | InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return Responses.text(500, "The trace failed: " + e);
    } finally {
      tracing.unlock();
    }
  }

  private static byte[] take(TraceStarter tracer, Object owner, long seconds) throws Exception {
    Path file = Files.createTempFile("heddle", ".trace");
    try {
      try (AutoCloseable _ = tracer.trace(owner, file)) {
        Thread.sleep(seconds * 1_000);
      }
      return Files.readAllBytes(file);
    } finally {
      Files.delete(file);
    }
  }

  /**
   * Returns the scheduler that the query names. If the query names none, returns the scheduler with
   * the most goroutines; null if there is no scheduler.
   *
   * @throws Query.Wrong if the scheduler that the query names does not exist (any more)
   */
  private static @Nullable Sched asked(Query query) {
    long serial = query.number("scheduler", 0, Integer.MAX_VALUE, 0);
    List<Sched> all = SnapshotJson.schedulers();
    if (serial == 0) {
      return all.stream().max(Comparator.comparingInt(Sched::goroutines)).orElse(null);
    }
    return all.stream()
        .filter(sched -> sched.serial() == serial)
        .findAny()
        .orElseThrow(() -> new Query.Wrong("There is no scheduler " + serial + " any more."));
  }

  private static Sched known(Query query) {
    Sched sched = asked(query);
    if (sched == null) {
      throw new Query.Wrong("There is no scheduler yet.");
    }
    return sched;
  }

  /**
   * Whether a stream for {@code sched} continues. The stream ends when that scheduler is closed. A
   * stream without a scheduler ({@code sched} is null) ends when the first scheduler is created.
   */
  private static boolean isThere(@Nullable Sched sched) {
    return sched == null
        ? SnapshotJson.schedulers().isEmpty()
        : Sched.all().anyMatch(each -> each == sched);
  }

  boolean isLooking() {
    return feeds.isLooking();
  }

  int watchers() {
    return watchers.count();
  }
}
