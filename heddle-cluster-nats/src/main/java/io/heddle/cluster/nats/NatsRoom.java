package io.heddle.cluster.nats;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.nats.client.api.StreamInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/**
 * Waits for room in a full log. JetStream has no message for that, so:
 *
 * <ol>
 *   <li>While something waits, the node asks for the state of the stream every 50 ms, and tells all
 *       nodes that the log is full.
 *   <li>A node that has heard so within the last second sends a message after each acknowledgement.
 *   <li>That message ends the waiting at once. If one is lost, the next look at the state ends it.
 * </ol>
 */
final class NatsRoom {
  private static final long LOOK_MILLIS = 50;
  private static final byte[] NOTHING = {};

  private final NatsEngine engine;
  private final LogStream stream;
  private final List<CompletableFuture<Void>> waiting = new ArrayList<>(); // guarded by this
  private boolean isListening; // guarded by this

  NatsRoom(NatsEngine engine, LogStream stream) {
    this.engine = engine;
    this.stream = stream;
  }

  CompletionStage<Void> await() {
    engine.link().checkOpen();
    CompletableFuture<Void> room = new CompletableFuture<>();
    synchronized (this) {
      waiting.add(room);
      if (waiting.size() > 1) {
        return room;
      }
      if (!isListening) {
        isListening = true;
        String subject = engine.names().roomSubject(stream.spec().name());
        engine.messages().subscribe(subject, _ -> wake());
      }
    }
    look();
    return room;
  }

  private void look() {
    NatsLink link = engine.link();
    if (link.isClosed()) {
      fail();
      return;
    }
    if (link.isUp()) {
      link.tell(engine.names().fullSubject(stream.spec().name()), null, NOTHING);
    }
    CompletableFuture<?> _ = LogStream.info(link, stream.stream()).handle(this::looked);
  }

  private boolean looked(@Nullable StreamInfo info, @Nullable Throwable why) {
    if (info != null ? hasRoom(info) : why != null && NatsLink.code(why) != 0) {
      wake(); // with an error of the server the next publish tells what it is
      return true;
    }
    try {
      ScheduledFuture<?> _ = engine.timer().schedule(this::lookAgain, LOOK_MILLIS, MILLISECONDS);
    } catch (RejectedExecutionException e) {
      fail();
    }
    return false;
  }

  private void lookAgain() {
    synchronized (this) {
      if (waiting.isEmpty()) {
        return;
      }
    }
    look();
  }

  private boolean hasRoom(StreamInfo info) {
    return LogStream.isSealed(info)
        || info.getStreamState().getMsgCount() < stream.spec().capacity();
  }

  private List<CompletableFuture<Void>> takeWaiting() {
    synchronized (this) {
      List<CompletableFuture<Void>> all = List.copyOf(waiting);
      waiting.clear();
      return all;
    }
  }

  @SuppressWarnings("NullAway") // a future of Void completes with null
  private void wake() {
    takeWaiting().forEach(each -> each.complete(null));
  }

  private void fail() {
    takeWaiting()
        .forEach(
            each ->
                each.completeExceptionally(
                    engine.link().failure("this node has closed its connection", null)));
  }
}
