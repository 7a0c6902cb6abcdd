package io.heddle.cluster.nats;

import io.heddle.cluster.spi.Registry;
import io.nats.client.Message;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import io.nats.client.impl.Headers;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A key is a subject of one stream that keeps the newest message of each; the revision is its place
 * in the stream. This is NATS' own layout of a key-value store, but for the header of the time to
 * live, which its {@code update} forgets.
 *
 * <p>A deleted key is a message with a header that says so, as is a key whose time to live has
 * ended: the server writes that one.
 */
final class NatsRegistry implements Registry {
  private static final int WRONG_REVISION = 10071;
  private static final int WRONG_REVISION_TOO = 10164;
  private static final int NO_MESSAGE = 10037;
  private static final int NO_SUCH_STREAM = 10059;
  private static final int STREAM_EXISTS = 10058;

  /** How often {@link #create} tries, when a deleted key disappears meanwhile. */
  private static final int TRIES = 10;

  /** How long a watcher that has lost its connection can learn of a deleted key from the stream. */
  private static final Duration TOMBSTONE = Duration.ofMinutes(2);

  private final NatsEngine engine;
  private final NatsLink link;
  private final String stream;

  NatsRegistry(NatsEngine engine) {
    this.engine = engine;
    link = engine.link();
    stream = engine.names().keyStream();
  }

  /** Makes the stream, if there is none. */
  void start(int replicas) throws InterruptedException {
    String config =
        StreamConfiguration.builder()
            .name(stream)
            .subjects(engine.names().keyPrefix() + ">")
            .maxMessagesPerSubject(1)
            .storageType(StorageType.File)
            .replicas(replicas)
            .allowMessageTtl()
            .subjectDeleteMarkerTtl(TOMBSTONE)
            .allowRollup(true)
            .build()
            .toJson();
    CompletableFuture<StreamInfo> opened =
        LogStream.info(link, stream)
            .exceptionallyCompose(
                e ->
                    NatsLink.code(e) == NO_SUCH_STREAM
                        ? link.api("STREAM.CREATE." + stream, config).thenApply(StreamInfo::new)
                        : CompletableFuture.failedFuture(e))
            .exceptionallyCompose(
                e ->
                    NatsLink.code(e) == STREAM_EXISTS
                        ? LogStream.info(link, stream)
                        : CompletableFuture.failedFuture(e));
    String what = "the registry cannot be made with " + replicas + " replicas";
    StreamConfiguration is = link.await(what, opened).getConfiguration();
    if (is.getMaxMsgsPerSubject() != 1 || !is.getAllowMessageTtl()) {
      throw link.failure("stream " + stream + " is not one that Heddle has made", null);
    }
  }

  @Override
  public @Nullable Entry get(String key) throws InterruptedException {
    link.checkOpen();
    Found found = find(key, "{\"last_by_subj\":\"" + engine.names().keySubject(key) + "\"}");
    return found == null || found.isDeleted() ? null : found.entry();
  }

  /** A message of the stream; one that says that the key was deleted has its revision, too. */
  private record Found(Entry entry, boolean isDeleted) {}

  private @Nullable Found find(String what, String request) throws InterruptedException {
    List<Found> found =
        link.await(
            "the registry cannot read " + what,
            link.api("STREAM.MSG.GET." + stream, request)
                .thenApply(answer -> List.of(found(answer)))
                .exceptionally(
                    e -> {
                      if (NatsLink.code(e) == NO_MESSAGE) {
                        return List.of();
                      }
                      throw new CompletionException(NatsLink.unwrap(e));
                    }));
    return found.isEmpty() ? null : found.getFirst();
  }

  private Found found(JsonValue answer) {
    JsonValue message = JsonValueUtils.readObject(answer, "message");
    byte[] value = JsonValueUtils.readBase64(message, "data");
    byte[] headers = JsonValueUtils.readBase64(message, "hdrs");
    String text = headers == null ? "" : new String(headers, StandardCharsets.ISO_8859_1);
    String key = JsonValueUtils.readString(message, "subject", "");
    return new Found(
        new Entry(
            key.substring(engine.names().keyPrefix().length()),
            value == null ? new byte[0] : value,
            JsonValueUtils.readLong(message, "seq", 0)),
        text.contains(DELETED) || text.contains(EXPIRED));
  }

  private static final String DELETED = "KV-Operation";
  private static final String EXPIRED = "Nats-Marker-Reason";

  /** Whether a message says that a key was deleted, or that its time to live has ended. */
  static boolean isDeleted(Message message) {
    Headers headers = message.getHeaders();
    return headers != null && (headers.containsKey(DELETED) || headers.containsKey(EXPIRED));
  }

  @Override
  public List<Entry> list(String path) throws InterruptedException {
    link.checkOpen();
    String below = engine.names().keySubject(path) + ".>";
    TreeMap<String, Entry> all = new TreeMap<>();
    long next = 1;
    while (true) {
      String request = "{\"seq\":%d,\"next_by_subj\":\"%s\"}".formatted(next, below);
      Found found = find(path, request);
      if (found == null) {
        return List.copyOf(all.values());
      }
      Entry entry = found.entry();
      if (found.isDeleted()) {
        all.remove(entry.key());
      } else {
        all.put(entry.key(), entry);
      }
      next = entry.revision() + 1;
    }
  }

  @Override
  public OptionalLong create(String key, byte[] value, @Nullable Duration ttl)
      throws InterruptedException {
    link.checkOpen();
    long expected = 0;
    for (int i = 0; i < TRIES; i++) {
      OptionalLong revision = put(key, value, expected, headers(expected, ttl));
      if (revision.isPresent()) {
        return revision;
      }
      Found found = find(key, "{\"last_by_subj\":\"" + engine.names().keySubject(key) + "\"}");
      if (found != null && !found.isDeleted()) {
        return OptionalLong.empty();
      }
      expected = found == null ? 0 : found.entry().revision();
    }
    throw link.failure("the registry cannot create " + key + ": it changes all the time", null);
  }

  @Override
  public OptionalLong replace(String key, byte[] value, long revision, @Nullable Duration ttl)
      throws InterruptedException {
    link.checkOpen();
    return put(key, value, revision, headers(revision, ttl));
  }

  @Override
  public boolean delete(String key, long revision) throws InterruptedException {
    link.checkOpen();
    Headers headers = headers(revision, TOMBSTONE).put(DELETED, "PURGE");
    return put(key, new byte[0], revision, headers).isPresent();
  }

  /** The server knows whole seconds, from 1 on; a key must not disappear too early. */
  private static Headers headers(long expected, @Nullable Duration ttl) {
    Headers headers =
        new Headers().put("Nats-Expected-Last-Subject-Sequence", Long.toString(expected));
    if (ttl != null) {
      headers.put("Nats-TTL", Math.max(1, ttl.plusNanos(999_999_999).toSeconds()) + "s");
    }
    return headers;
  }

  /** Returns the revision; empty if the key has another one than {@code expected}. */
  private OptionalLong put(String key, byte[] value, long expected, Headers headers)
      throws InterruptedException {
    return link.await(
        "the registry cannot set " + key + " at revision " + expected,
        link.ask(engine.names().keySubject(key), headers, value)
            .thenApply(answer -> OptionalLong.of(sequence(NatsLink.json(answer))))
            .exceptionally(
                e -> {
                  int code = NatsLink.code(e);
                  if (code == WRONG_REVISION || code == WRONG_REVISION_TOO) {
                    return OptionalLong.empty();
                  }
                  throw new CompletionException(NatsLink.unwrap(e));
                }));
  }

  private static long sequence(JsonValue answer) {
    return JsonValueUtils.readLong(answer, "seq", 0);
  }

  @Override
  public Ended watch(String path, Watcher watcher) throws InterruptedException {
    link.checkOpen();
    NatsWatch watch = new NatsWatch(engine, stream, engine.names().keySubject(path), watcher);
    engine.add(watch);
    try {
      link.await("the registry cannot watch " + path, watch.begin());
    } catch (RuntimeException | InterruptedException e) {
      watch.close();
      throw e;
    }
    return watch;
  }
}
