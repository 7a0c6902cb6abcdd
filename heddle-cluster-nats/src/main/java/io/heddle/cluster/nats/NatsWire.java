package io.heddle.cluster.nats;

import io.heddle.cluster.spi.Registry;
import io.heddle.cluster.spi.Wire;
import io.nats.client.Message;
import io.nats.client.Subscription;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Plain messages of NATS. */
final class NatsWire implements Wire {
  private static final Duration FLUSH = Duration.ofSeconds(5);

  private final NatsEngine engine;
  private final NatsLink link;

  NatsWire(NatsEngine engine) {
    this.engine = engine;
    link = engine.link();
  }

  @Override
  public void tell(String subject, byte[] message) {
    link.checkOpen();
    link.tell(engine.names().wireSubject(subject), null, message);
  }

  @Override
  public CompletionStage<byte @Nullable []> ask(String subject, byte[] message, Duration limit) {
    link.checkOpen();
    CompletableFuture<Message> answer;
    try {
      String to = engine.names().wireSubject(subject);
      answer = link.connection().requestWithTimeout(to, null, message, limit);
    } catch (IllegalStateException e) {
      answer = CompletableFuture.failedFuture(new IOException(e));
    }
    return answer.orTimeout(limit.toNanos(), TimeUnit.NANOSECONDS).handle(NatsWire::bytes);
  }

  @Override
  public Registry.Ended listen(String subject, Listener listener) throws InterruptedException {
    link.checkOpen();
    Subscription subscription =
        engine
            .messages()
            .subscribe(
                engine.names().wireSubject(subject),
                message -> listener.hear(message.getData(), answer -> reply(message, answer)));
    try {
      link.connection().flush(FLUSH); // the server knows of it
    } catch (TimeoutException | IllegalStateException e) {
      if (link.isUp()) {
        engine.unsubscribe(subscription);
        throw link.failure("the server has not taken a listener of " + subject, e);
      }
      // The client subscribes when the connection is back.
    }
    return () -> engine.unsubscribe(subscription);
  }

  private static byte @Nullable [] bytes(@Nullable Message reply, @Nullable Throwable why) {
    return reply == null ? null : reply.getData();
  }

  private void reply(Message message, byte[] answer) {
    if (message.getReplyTo() != null) {
      link.tell(message.getReplyTo(), null, answer);
    }
  }
}
