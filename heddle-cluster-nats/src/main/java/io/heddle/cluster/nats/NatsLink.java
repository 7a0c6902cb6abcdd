package io.heddle.cluster.nats;

import io.heddle.cluster.ClusterException;
import io.heddle.cluster.spi.AwayException;
import io.nats.client.Connection;
import io.nats.client.JetStreamStatusException;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import io.nats.client.support.JsonParser;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Sends requests to the server of one connection. Failures name the engine and its address. */
final class NatsLink {
  /** After this time without an answer it is not known what became of a request. */
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private final Connection connection;
  private final String address;
  private final Map<Long, CompletableFuture<?>> unanswered = new ConcurrentHashMap<>();
  private final AtomicLong requests = new AtomicLong();
  private volatile boolean isClosed;

  /** The server's answer was an error. */
  static final class ServerRefusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What the server calls unavailable: no leader yet, no room on the disk. */
    private static final int UNAVAILABLE = 503;

    /** Among them the one that does not pass: there are too few servers. */
    private static final int TOO_FEW_RESOURCES = 10023;

    private final int code;
    private final int kind;

    ServerRefusal(int code, int kind, String why) {
      super(why + " (NATS error " + code + ")");
      this.code = code;
      this.kind = kind;
    }

    boolean isPassing() {
      return kind == UNAVAILABLE && code != TOO_FEW_RESOURCES;
    }

    int code() {
      return code;
    }
  }

  NatsLink(Connection connection, String address) {
    this.connection = connection;
    this.address = address;
  }

  Connection connection() {
    return connection;
  }

  String address() {
    return address;
  }

  boolean isUp() {
    return !isClosed && connection.getStatus() == Connection.Status.CONNECTED;
  }

  boolean isClosed() {
    return isClosed;
  }

  void markClosed() {
    isClosed = true;
  }

  void checkOpen() {
    if (isClosed) {
      throw failure("this node has closed its connection", null);
    }
  }

  /** Sends a request and does not wait for its answer. */
  CompletableFuture<Message> ask(String subject, @Nullable Headers headers, byte[] body) {
    checkOpen();
    CompletableFuture<Message> answer;
    try {
      answer = connection.requestWithTimeout(subject, headers, body, ANSWER);
    } catch (RuntimeException e) { // closed, or too much waits for a server
      return CompletableFuture.failedFuture(e);
    }
    long request = requests.incrementAndGet();
    unanswered.put(request, answer);
    CompletableFuture<Message> _ = answer.whenComplete((_, _) -> unanswered.remove(request));
    return answer;
  }

  /** Sends a request of JetStream's API; its errors become {@link ServerRefusal}. */
  CompletableFuture<JsonValue> api(String verb, String body) {
    return ask("$JS.API." + verb, null, body.getBytes(StandardCharsets.UTF_8))
        .thenApply(NatsLink::json);
  }

  /** Returns the answer of JetStream in a message. */
  static JsonValue json(Message answer) {
    JsonValue value = JsonParser.parseUnchecked(answer.getData());
    JsonValue error = JsonValueUtils.readObject(value, "error");
    if (error.map != null && !error.map.isEmpty()) {
      throw new ServerRefusal(
          JsonValueUtils.readInteger(error, "err_code", 0),
          JsonValueUtils.readInteger(error, "code", 0),
          JsonValueUtils.readString(error, "description", "no reason"));
    }
    return value;
  }

  /** Sends a message that has no answer; it is lost if there is no server. */
  void tell(String subject, @Nullable String replyTo, byte[] body) {
    try {
      connection.publish(subject, replyTo, body);
    } catch (IllegalStateException e) {
      // Closed, or too much waits for a server: lost, as it may be.
    }
  }

  /** The connection is lost: what is not answered now never will be. */
  void lost() {
    for (CompletableFuture<?> each : unanswered.values()) {
      each.completeExceptionally(new IOException("the connection was lost"));
    }
  }

  /** Waits for an answer; {@code what} says in a failure what was tried. */
  <T> T await(String what, CompletableFuture<T> answer) throws InterruptedException {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw failure(what, e.getCause());
    }
  }

  /** Names engine and address in a failure, and says by its type whether it may be tried again. */
  ClusterException failure(String what, @Nullable Throwable cause) {
    Throwable why = cause == null ? null : unwrap(cause);
    if (why instanceof ClusterException known) {
      return known;
    }
    if (why == null || isClosed || !isPassing(why)) {
      return failure(address, what, why);
    }
    return new AwayException(text(address, what, why), why);
  }

  /** A failure that is final. */
  static ClusterException failure(String address, String what, @Nullable Throwable why) {
    return new ClusterException(text(address, what, why), why);
  }

  /** The log is there, but no server leads it now. */
  AwayException away(String what) {
    return new AwayException(text(address, what, null));
  }

  private static String text(String address, String what, @Nullable Throwable why) {
    return "engine nats at " + address + ": " + what + (why == null ? "" : ": " + reason(why));
  }

  private static boolean isPassing(Throwable why) {
    return why instanceof IOException
        || why instanceof TimeoutException
        || why instanceof IllegalStateException // of the client; among them: no responders
        || why instanceof CancellationException
        || (why instanceof ServerRefusal refusal && refusal.isPassing());
  }

  private static String reason(Throwable why) {
    if (why instanceof TimeoutException) {
      return "no answer within " + ANSWER.toSeconds() + " s";
    }
    if (hasNoResponder(why)) {
      return "nothing on the server answers this request";
    }
    return why.getMessage() == null ? why.toString() : why.getMessage();
  }

  /** Whether the server knows that nothing listens to the subject of a request. */
  static boolean hasNoResponder(Throwable why) {
    return unwrap(why) instanceof JetStreamStatusException e && e.getStatus().isNoResponders();
  }

  static int code(Throwable why) {
    return unwrap(why) instanceof ServerRefusal refusal ? refusal.code() : 0;
  }

  static Throwable unwrap(Throwable e) {
    Throwable cause = e.getCause();
    boolean isWrapper = e instanceof CompletionException || e instanceof ExecutionException;
    return isWrapper && cause != null ? unwrap(cause) : e;
  }
}
