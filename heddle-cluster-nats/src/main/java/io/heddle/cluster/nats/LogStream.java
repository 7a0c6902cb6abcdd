package io.heddle.cluster.nats;

import io.heddle.cluster.spi.LogSpec;
import io.heddle.cluster.spi.LogSpec.Storage;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import io.nats.client.support.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The stream of a log, as it is on the server, and its only consumer.
 *
 * <p>A sealed log has the limit of one byte instead of the limit of messages. A publish is then
 * refused with another text than that of a full log, and only after the server has looked whether
 * the frame's id is known: a frame that was stored before is still acknowledged.
 *
 * @param spec what the log is, with the storage that was chosen
 * @param stream the name of the stream
 * @param subject where frames are published
 */
record LogStream(LogSpec spec, String stream, String subject) {
  /** The name of the consumer that the taps of all nodes share. */
  static final String CONSUMER = "heddle";

  /** How long an id is remembered. */
  private static final Duration IDS = Duration.ofMinutes(2);

  private static final int NO_SUCH_STREAM = 10059;
  private static final int STREAM_EXISTS = 10058;
  private static final int SEALED_BYTES = 1;

  /** How many taps may wait at the same time. */
  private static final int MAX_PULLS = 8_192;

  /** Between the check of a limit and the storing of a frame, if a majority has to agree. */
  private static final long AGREEMENT_MILLIS = 250;

  static LogStream open(NatsEngine engine, LogSpec spec) throws InterruptedException {
    NatsLink link = engine.link();
    long payload = link.connection().getMaxPayload();
    if (spec.maxFrameBytes() > payload) {
      throw link.failure(
          "log %s: the server takes messages of %d bytes, not of %d; raise max_payload or lower the limit"
              .formatted(spec.name(), payload, spec.maxFrameBytes()),
          null);
    }
    String stream = engine.names().logStream(spec.name());
    String subject = engine.names().logSubject(spec.name());
    String what = "log " + spec.name() + " cannot be opened";
    StreamInfo info =
        link.await(
            what,
            info(link, stream).exceptionallyCompose(e -> make(link, spec, stream, subject, e)));
    LogSpec found = checked(link, spec, info.getConfiguration(), subject);
    String consumer = consumer(found);
    JsonValue _ =
        link.await(
            what,
            link.api(
                "CONSUMER.CREATE." + stream + "." + CONSUMER,
                "{\"stream_name\":\"%s\",\"config\":%s}".formatted(stream, consumer)));
    return new LogStream(found, stream, subject);
  }

  static CompletableFuture<StreamInfo> info(NatsLink link, String stream) {
    return link.api("STREAM.INFO." + stream, "").thenApply(StreamInfo::new);
  }

  /** Makes the stream if {@code why} says that there is none; another node may be faster. */
  private static CompletableFuture<StreamInfo> make(
      NatsLink link, LogSpec spec, String stream, String subject, Throwable why) {
    if (NatsLink.code(why) != NO_SUCH_STREAM) {
      return CompletableFuture.failedFuture(why);
    }
    String config = config(spec, stream, subject).toJson();
    return link.api("STREAM.CREATE." + stream, config)
        .thenApply(StreamInfo::new)
        .exceptionallyCompose(
            e ->
                NatsLink.code(e) == STREAM_EXISTS
                    ? info(link, stream)
                    : CompletableFuture.failedFuture(e));
  }

  private static StreamConfiguration config(LogSpec spec, String stream, String subject) {
    return StreamConfiguration.builder()
        .name(stream)
        .subjects(subject)
        .retentionPolicy(RetentionPolicy.WorkQueue)
        .discardPolicy(DiscardPolicy.New)
        .maxMessages(spec.capacity())
        .duplicateWindow(IDS)
        .storageType(spec.storage() == Storage.MEMORY ? StorageType.Memory : StorageType.File)
        .replicas(spec.replicas())
        .metadata(
            Map.of(
                "heddle.capacity", Integer.toString(spec.capacity()),
                "heddle.frame", Integer.toString(spec.maxFrameBytes()),
                "heddle.lease", spec.lease().toString()))
        .build();
  }

  private static String consumer(LogSpec spec) {
    return ConsumerConfiguration.builder()
        .durable(CONSUMER)
        .ackPolicy(AckPolicy.Explicit)
        .deliverPolicy(DeliverPolicy.All)
        .ackWait(spec.lease())
        .maxAckPending(-1)
        .maxPullWaiting(MAX_PULLS)
        .build()
        .toJson();
  }

  /** Returns what the stream is; refuses one that breaks a promise, or that is something else. */
  private static LogSpec checked(
      NatsLink link, LogSpec spec, StreamConfiguration is, String subject) {
    List<String> wrong = new ArrayList<>();
    Map<String, String> metadata = is.getMetadata() == null ? Map.of() : is.getMetadata();
    check(wrong, "subjects", is.getSubjects(), List.of(subject));
    check(wrong, "retention", is.getRetentionPolicy(), RetentionPolicy.WorkQueue);
    check(wrong, "discard", is.getDiscardPolicy(), DiscardPolicy.New);
    check(wrong, "sealed", is.getSealed(), false);
    check(wrong, "no_ack", is.getNoAck(), false);
    if (is.getMaxAge() != null && is.getMaxAge().isPositive()) {
      wrong.add("max_age is " + is.getMaxAge() + ", not unlimited");
    }
    if (is.getDuplicateWindow() == null || is.getDuplicateWindow().compareTo(IDS) < 0) {
      wrong.add("duplicate_window is " + is.getDuplicateWindow() + ", not " + IDS + " or more");
    }
    if (!metadata.containsKey("heddle.capacity")) {
      wrong.add("it was not made by Heddle");
    }
    if (!wrong.isEmpty()) {
      throw link.failure(
          "stream "
              + is.getName()
              + " of log "
              + spec.name()
              + " cannot be used: "
              + String.join("; ", wrong),
          null);
    }
    boolean isMemory = is.getStorageType() == StorageType.Memory;
    LogSpec found =
        new LogSpec(
            spec.name(),
            number(metadata, "heddle.capacity"),
            number(metadata, "heddle.frame"),
            isMemory ? Storage.MEMORY : Storage.FILES,
            is.getReplicas(),
            Duration.parse(metadata.getOrDefault("heddle.lease", "PT0S")));
    LogSpec wanted =
        spec.storage() != Storage.ANY
            ? spec
            : new LogSpec(
                spec.name(),
                spec.capacity(),
                spec.maxFrameBytes(),
                found.storage(),
                spec.replicas(),
                spec.lease());
    if (!found.equals(wanted)) {
      throw link.failure("log " + spec.name() + " is " + found + ", not " + wanted, null);
    }
    return found;
  }

  private static int number(Map<String, String> metadata, String key) {
    return Integer.parseInt(metadata.getOrDefault(key, "0"));
  }

  private static void check(List<String> wrong, String what, @Nullable Object is, Object must) {
    if (!must.equals(is)) {
      wrong.add(what + " is " + is + ", not " + must);
    }
  }

  static boolean isSealed(StreamInfo info) {
    return info.getConfiguration().getMaxBytes() == SEALED_BYTES;
  }

  void seal(NatsLink link) throws InterruptedException {
    String what = "log " + spec.name() + " cannot be sealed";
    boolean wasSealed =
        link.await(
            what,
            info(link, stream)
                .thenCompose(
                    info -> {
                      if (isSealed(info)) {
                        return CompletableFuture.completedFuture(true);
                      }
                      String config =
                          StreamConfiguration.builder(info.getConfiguration())
                              .maxMessages(-1)
                              .maxBytes(SEALED_BYTES)
                              .build()
                              .toJson();
                      return link.api("STREAM.UPDATE." + stream, config).thenApply(_ -> false);
                    }));
    if (!wasSealed && spec.replicas() > 1) {
      // A frame that the leader let pass before the change may still wait for the majority.
      Thread.sleep(AGREEMENT_MILLIS);
    }
  }

  /** The stream is not there any more, or has no leader now. */
  CompletableFuture<Void> explain(NatsLink link) {
    return info(link, stream)
        .handle(
            (_, e) -> {
              String log = "log " + spec.name();
              throw new CompletionException(
                  e != null && NatsLink.code(e) == NO_SUCH_STREAM
                      ? link.failure(log + " is gone: its stream " + stream + " was deleted", null)
                      : link.away(log + " has no leader now"));
            });
  }
}
