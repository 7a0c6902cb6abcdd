package io.heddle.cluster.nats;

import io.heddle.cluster.spi.Log;
import io.heddle.cluster.spi.LogState;
import io.heddle.cluster.spi.PublishResult;
import io.heddle.cluster.spi.Tap;
import io.nats.client.Message;
import io.nats.client.api.StreamInfo;
import io.nats.client.api.StreamState;
import io.nats.client.impl.Headers;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** A stream of JetStream as a log. */
final class NatsLog implements Log {
  private static final int STORE_FAILED = 10077;
  private static final String TOO_MANY = "maximum messages exceeded";
  private static final String TOO_LARGE = "maximum bytes exceeded";

  private final NatsEngine engine;
  private final NatsLink link;
  private final LogStream stream;
  private final NatsRoom room;

  NatsLog(NatsEngine engine, LogStream stream) {
    this.engine = engine;
    this.stream = stream;
    link = engine.link();
    room = engine.room(stream);
  }

  @Override
  public CompletionStage<PublishResult> publish(byte[] frame, String id) {
    Headers headers = new Headers().put("Nats-Msg-Id", id);
    long payload = link.connection().getMaxPayload();
    if (payload > 0 && frame.length + headers.serializedLength() > payload) {
      throw link.failure(
          "log %s: a frame of %d bytes with its id is larger than max_payload of the server, %d"
              .formatted(stream.spec().name(), frame.length, payload),
          null);
    }
    return link.ask(stream.subject(), headers, frame)
        .thenApply(NatsLog::result)
        .exceptionallyCompose(this::failed);
  }

  private static PublishResult result(Message answer) {
    try {
      JsonValue _ = NatsLink.json(answer);
      return PublishResult.STORED;
    } catch (NatsLink.ServerRefusal e) {
      String why = String.valueOf(e.getMessage());
      if (e.code() == STORE_FAILED && why.startsWith(TOO_MANY)) {
        return PublishResult.FULL;
      }
      if (e.code() == STORE_FAILED && why.startsWith(TOO_LARGE)) {
        return PublishResult.SEALED;
      }
      throw e;
    }
  }

  private CompletableFuture<PublishResult> failed(Throwable why) {
    if (NatsLink.hasNoResponder(why) && !link.isClosed()) {
      return stream.explain(link).thenApply(_ -> PublishResult.STORED); // always fails
    }
    return CompletableFuture.failedFuture(
        link.failure("log " + stream.spec().name() + ": a frame may not be stored", why));
  }

  @Override
  public CompletionStage<Void> room() {
    return room.await();
  }

  @Override
  public Tap tap(int window, Tap.Taker to) throws InterruptedException {
    link.checkOpen();
    NatsTap tap = new NatsTap(engine, stream, window, to);
    tap.start();
    return tap;
  }

  @Override
  public LogState state() throws InterruptedException {
    return link.await(
        "the state of log " + stream.spec().name() + " cannot be read",
        state(link, stream.stream())
            .exceptionallyCompose(
                e ->
                    NatsLink.hasNoResponder(e)
                        ? stream.explain(link).thenApply(_ -> new LogState(0, 0, false))
                        : CompletableFuture.failedFuture(new CompletionException(e))));
  }

  /** Asks for the state of a stream, which need not be open here. */
  static CompletableFuture<LogState> state(NatsLink link, String stream) {
    return link.api("CONSUMER.INFO." + stream + "." + LogStream.CONSUMER, "")
        .thenCombine(LogStream.info(link, stream), NatsLog::state);
  }

  private static LogState state(JsonValue consumer, StreamInfo info) {
    StreamState state = info.getStreamState();
    ZonedDateTime first = state.getFirstTime();
    ZonedDateTime now = info.getTimestamp();
    boolean isKnown = state.getMsgCount() > 0 && first != null && now != null;
    return new LogState(
        state.getMsgCount(),
        JsonValueUtils.readLong(consumer, "num_ack_pending", 0),
        LogStream.isSealed(info),
        isKnown ? Duration.between(first, now) : null);
  }

  @Override
  public void seal() throws InterruptedException {
    stream.seal(link);
  }
}
