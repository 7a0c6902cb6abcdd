package io.heddle.cluster.nats;

import io.heddle.cluster.spi.Registry;
import io.nats.client.Message;
import io.nats.client.Subscription;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.impl.NatsJetStreamMetaData;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Watches the keys below a path, with an own consumer of their stream.
 *
 * <ol>
 *   <li>A round begins with a consumer that sends the newest message of each key, and then each
 *       change. The messages of a round are numbered.
 *   <li>A number that is missing, silence, or a new connection begins a new round.
 *   <li>In a later round, keys that are as the watcher was told are not told again; those that are
 *       not among the existing ones are told as removed.
 * </ol>
 *
 * <p>The fields without {@code volatile} belong to the thread of the dispatcher of messages.
 */
final class NatsWatch implements Registry.Ended, NatsEngine.Part {
  private static final AtomicLong NAMES = new AtomicLong(System.nanoTime());
  private static final byte[] END_OF_EXISTING = {1};

  private final NatsEngine engine;
  private final String stream;
  private final String filter;
  private final Registry.Watcher watcher;
  private final Map<String, Long> told = new HashMap<>();
  private volatile @Nullable Round round; // written with the lock of this
  private volatile boolean isClosed; // written with the lock of this
  private volatile long lastSign = System.nanoTime();

  private final class Round {
    final String inbox = engine.link().connection().createInbox();
    final String consumer = "heddle-watch-" + Long.toHexString(NAMES.incrementAndGet());
    final Subscription subscription = engine.messages().subscribe(inbox, this::came);
    private final Set<String> existing = new HashSet<>();
    private boolean hasExisting;
    private long number;

    private void came(Message message) {
      if (round != this) {
        return;
      }
      lastSign = System.nanoTime();
      if (message.isStatusMessage()) {
        heartbeat(message);
      } else if (message.isJetStream()) {
        NatsJetStreamMetaData data = message.metaData();
        if (data.consumerSequence() != ++number) {
          again(this);
          return;
        }
        tell(message, data.streamSequence());
        if (data.pendingCount() == 0) {
          endOfExisting();
        }
      } else if (message.getData().length == END_OF_EXISTING.length) {
        endOfExisting();
      }
    }

    private void heartbeat(Message message) {
      String last =
          message.getHeaders() == null ? null : message.getHeaders().getFirst("Nats-Last-Consumer");
      if (last != null && Long.parseLong(last) != number) {
        again(this);
      }
    }

    private void tell(Message message, long revision) {
      String key = message.getSubject().substring(engine.names().keyPrefix().length());
      if (NatsRegistry.isDeleted(message)) {
        existing.remove(key);
        if (told.remove(key) != null) {
          watcher.removed(key);
        }
        return;
      }
      existing.add(key);
      Long before = told.put(key, revision);
      if (before == null || before != revision) {
        watcher.set(new Registry.Entry(key, message.getData(), revision));
      }
    }

    private void endOfExisting() {
      if (!hasExisting) {
        hasExisting = true;
        for (String key : Set.copyOf(told.keySet())) {
          if (!existing.contains(key)) {
            told.remove(key);
            watcher.removed(key);
          }
        }
        existing.clear();
      }
    }
  }

  NatsWatch(NatsEngine engine, String stream, String path, Registry.Watcher watcher) {
    this.engine = engine;
    this.stream = stream;
    this.filter = path + ".>";
    this.watcher = watcher;
  }

  /** Begins a round; completes when the server has the consumer. */
  CompletableFuture<Boolean> begin() {
    Round next;
    synchronized (this) {
      if (isClosed) {
        return CompletableFuture.completedFuture(false);
      }
      end();
      next = new Round();
      round = next;
      lastSign = System.nanoTime();
    }
    ConsumerConfiguration config =
        ConsumerConfiguration.builder()
            .name(next.consumer)
            .deliverSubject(next.inbox)
            .deliverPolicy(DeliverPolicy.LastPerSubject)
            .filterSubject(filter)
            .ackPolicy(AckPolicy.None)
            .memStorage(true)
            .numReplicas(1)
            .idleHeartbeat(engine.heartbeat())
            .inactiveThreshold(Duration.ofSeconds(30))
            .build();
    String request = "{\"stream_name\":\"%s\",\"config\":%s}".formatted(stream, config.toJson());
    return engine
        .link()
        .api("CONSUMER.CREATE." + stream + "." + next.consumer + "." + filter, request)
        .thenApply(answer -> begun(next, answer));
  }

  private boolean begun(Round begun, JsonValue answer) {
    if (JsonValueUtils.readLong(answer, "num_pending", 0) == 0) {
      // Through the inbox, so that it is seen after what came before, and by the same thread.
      engine.link().tell(begun.inbox, null, END_OF_EXISTING);
    }
    return true;
  }

  private void again(Round lost) {
    if (round == lost && engine.link().isUp()) {
      CompletableFuture<Boolean> _ = begin();
    }
  }

  /** With the lock: ends the round, if there is one. */
  private void end() {
    Round old = round;
    round = null;
    if (old != null) {
      engine.unsubscribe(old.subscription);
      engine
          .link()
          .tell("$JS.API.CONSUMER.DELETE." + stream + "." + old.consumer, null, new byte[0]);
    }
  }

  @Override
  public void reconnected() {
    CompletableFuture<Boolean> _ = begin();
  }

  @Override
  public void sweep() {
    Round current = round;
    long patience = engine.heartbeat().multipliedBy(5).dividedBy(2).toNanos();
    if (current != null && System.nanoTime() - lastSign > patience) {
      again(current);
    }
  }

  @Override
  public void close() {
    endWithEngine();
  }

  @Override
  public void endWithEngine() {
    synchronized (this) {
      if (isClosed) {
        return;
      }
      isClosed = true;
      end();
    }
    engine.remove(this);
  }
}
