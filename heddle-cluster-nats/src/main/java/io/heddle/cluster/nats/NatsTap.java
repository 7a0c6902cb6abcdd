package io.heddle.cluster.nats;

import io.heddle.cluster.spi.Tap;
import io.nats.client.Message;
import io.nats.client.Subscription;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tap asks the server for as many frames as its window has room for: {@code held + requested} is
 * never more than the window. The requests stand on the server until frames come or they expire.
 *
 * <p>All requests of one round use one inbox. When the server may have lost them (the connection
 * was lost, the leader moved, no sign of life), a new round begins with a new inbox, so that an
 * answer to an old request cannot be counted twice. A frame that was on its way to the old inbox
 * comes again when its lease ends.
 *
 * <p>The lock guards all fields below it. No callback runs with the lock.
 */
final class NatsTap implements Tap, NatsEngine.Part {
  private static final Duration EXPIRES = Duration.ofSeconds(60);

  private final NatsEngine engine;
  private final LogStream stream;
  private final int window;
  private final Taker to;
  private final Object lock = new Object();
  private final Map<Long, NatsHanded> held = new HashMap<>(); // by sequence
  private int requested;
  private @Nullable Round round;
  private @Nullable Subscription fullNotices;
  private boolean isClosed;

  /** When something was heard of the requests. */
  private long lastSign;

  /** When a node waited for room in the log. */
  private volatile long fullAt = System.nanoTime() - Duration.ofMinutes(1).toNanos();

  private record Round(String inbox, Subscription subscription) {}

  NatsTap(NatsEngine engine, LogStream stream, int window, Taker to) {
    this.engine = engine;
    this.stream = stream;
    this.window = window;
    this.to = to;
  }

  void start() {
    String full = engine.names().fullSubject(stream.spec().name());
    fullNotices = engine.messages().subscribe(full, _ -> fullAt = System.nanoTime());
    engine.add(this);
    beginRound();
  }

  /** Forgets what was requested, and requests it again. */
  private void beginRound() {
    synchronized (lock) {
      if (isClosed || !engine.link().isUp()) {
        return;
      }
      endRound();
      String inbox = engine.link().connection().createInbox();
      round = new Round(inbox, engine.frames().subscribe(inbox, message -> came(inbox, message)));
      lastSign = System.nanoTime();
      pull();
    }
  }

  private void endRound() {
    requested = 0;
    Round old = round;
    round = null;
    if (old != null) {
      engine.unsubscribe(old.subscription());
    }
  }

  /** Requests what the window has room for, unless more than half of the window is requested. */
  private void pull() {
    int free = window - held.size() - requested;
    Round current = round;
    if (isClosed || current == null || free <= 0 || requested * 2L > window) {
      return;
    }
    if (requested == 0) {
      lastSign = System.nanoTime();
    }
    requested += free;
    String request =
        "{\"batch\":%d,\"expires\":%d,\"idle_heartbeat\":%d}"
            .formatted(free, EXPIRES.toNanos(), engine.heartbeat().toNanos());
    engine
        .link()
        .tell(
            "$JS.API.CONSUMER.MSG.NEXT." + stream.stream() + "." + LogStream.CONSUMER,
            current.inbox(),
            request.getBytes(StandardCharsets.US_ASCII));
  }

  private void came(String inbox, Message message) {
    if (message.isStatusMessage()) {
      status(inbox, message);
      return;
    }
    if (!message.isJetStream()) {
      return; // nothing else knows the inbox
    }
    NatsHanded frame = new NatsHanded(this, message);
    synchronized (lock) {
      if (isClosed || round == null || !round.inbox().equals(inbox)) {
        frame.tellBack();
        return;
      }
      lastSign = System.nanoTime();
      requested--;
      held.put(frame.sequence(), frame); // one with this sequence has lost its lease
      pull();
    }
    to.take(frame);
  }

  private void status(String inbox, Message message) {
    synchronized (lock) {
      if (isClosed || round == null || !round.inbox().equals(inbox)) {
        return;
      }
      lastSign = System.nanoTime();
      int code = message.getStatus().getCode();
      if (code == 100) {
        return; // a sign of life
      }
      String pending =
          message.getHeaders() == null
              ? null
              : message.getHeaders().getFirst("Nats-Pending-Messages");
      if (code == 408 && pending != null) {
        requested = Math.max(0, requested - Integer.parseInt(pending));
        pull();
      } else {
        endRound(); // the next sweep begins a new one: the leader moved, or the consumer is gone
      }
    }
  }

  @Override
  public void reconnected() {
    beginRound();
  }

  @Override
  public void sweep() {
    boolean isLost;
    synchronized (lock) {
      held.values().removeIf(NatsHanded::isOver);
      long silence = System.nanoTime() - lastSign;
      isLost =
          round == null
              || (requested > 0
                  && silence > engine.heartbeat().multipliedBy(5).dividedBy(2).toNanos());
      if (!isLost) {
        pull();
      }
    }
    if (isLost) {
      beginRound();
    }
  }

  @Override
  public void close() {
    endWithEngine();
  }

  @Override
  public void endWithEngine() {
    List<NatsHanded> left;
    synchronized (lock) {
      if (isClosed) {
        return;
      }
      isClosed = true;
      left = new ArrayList<>(held.values());
      held.clear();
      endRound();
    }
    engine.remove(this);
    Subscription notices = fullNotices;
    if (notices != null) {
      engine.unsubscribe(notices);
    }
    left.stream().filter(frame -> !frame.isOver()).forEach(NatsHanded::tellBack);
  }

  // For the frames of this tap.

  NatsLink link() {
    return engine.link();
  }

  String logName() {
    return stream.spec().name();
  }

  /**
   * Returns how long this node believes in a lease. The server's clock began earlier, when it sent
   * the frame; so this node stops a quarter earlier.
   */
  long leaseNanos() {
    return stream.spec().lease().toNanos() / 4 * 3;
  }

  /** The frame does not count for the window any more. */
  void release(NatsHanded frame) {
    synchronized (lock) {
      if (held.remove(frame.sequence(), frame)) {
        pull();
      }
    }
  }

  /** Whether the tap was closed, or the frame was handed to it again. */
  boolean hasGivenBack(NatsHanded frame) {
    synchronized (lock) {
      NatsHanded now = held.get(frame.sequence());
      return isClosed || (now != null && now != frame);
    }
  }

  /** Tells nodes that wait for room. */
  void acknowledged() {
    if (System.nanoTime() - fullAt < Duration.ofSeconds(1).toNanos()) {
      link().tell(engine.names().roomSubject(logName()), null, new byte[0]);
    }
  }
}
