package io.heddle.cluster.local;

import io.heddle.Go;
import io.heddle.cluster.local.DueList.Due;
import io.heddle.cluster.spi.Handed;
import io.heddle.cluster.spi.LogSpec;
import io.heddle.cluster.spi.LogState;
import io.heddle.cluster.spi.PublishResult;
import io.heddle.cluster.spi.Tap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The frames of one log. The hub's lock guards everything. */
final class LocalLog {
  /** How long the id of a frame is remembered. */
  private static final long ID_NANOS = 120_000_000_000L;

  private final LocalHub hub;
  private final LogSpec spec;
  private final Map<String, Long> ids = new LinkedHashMap<>();
  private final TreeMap<Long, Stored> ready = new TreeMap<>();

  /** When each frame was stored, by sequence. */
  private final TreeMap<Long, Long> since = new TreeMap<>();

  private final List<Consumer> consumers = new ArrayList<>();
  private final List<Runnable> roomWaiters = new ArrayList<>();
  private long sequence;
  private int handed;
  private int next;
  private boolean isSealed;

  LocalLog(LocalHub hub, LogSpec spec) {
    this.hub = hub;
    this.spec = spec;
  }

  LogSpec spec() {
    return spec;
  }

  PublishResult publish(byte[] frame, String id) {
    forgetOldIds();
    if (ids.containsKey(id)) {
      return PublishResult.STORED;
    }
    if (isSealed) {
      return PublishResult.SEALED;
    }
    if (since.size() >= spec.capacity()) {
      return PublishResult.FULL;
    }
    ids.put(id, Go.nanoTime());
    Stored one = new Stored(++sequence, frame);
    since.put(one.sequence, Go.nanoTime());
    ready.put(one.sequence, one);
    handOut();
    return PublishResult.STORED;
  }

  private void forgetOldIds() {
    long now = Go.nanoTime();
    Iterator<Long> times = ids.values().iterator();
    while (times.hasNext() && now - times.next() > ID_NANOS) {
      times.remove();
    }
  }

  /** Runs {@code action} once: now if there is room, or when there is. */
  void whenRoom(Runnable action) {
    if (since.size() < spec.capacity() || isSealed) {
      action.run();
    } else {
      roomWaiters.add(action);
    }
  }

  LogState state() {
    Duration oldest =
        since.isEmpty() ? null : Duration.ofNanos(Go.nanoTime() - since.firstEntry().getValue());
    return new LogState(since.size(), handed, isSealed, oldest);
  }

  void seal() {
    isSealed = true;
    tellRoom();
  }

  private void tellRoom() {
    List<Runnable> waiters = List.copyOf(roomWaiters);
    roomWaiters.clear();
    waiters.forEach(Runnable::run);
  }

  Consumer consumer(LocalLink link, int window, Tap.Taker to) {
    return new Consumer(link, window, to);
  }

  private void handOut() {
    while (!ready.isEmpty()) {
      Consumer consumer = nextWithRoom();
      if (consumer == null) {
        return;
      }
      Stored one = ready.pollFirstEntry().getValue();
      consumer.hand(one);
    }
  }

  private @Nullable Consumer nextWithRoom() {
    for (int i = 0; i < consumers.size(); i++) {
      Consumer consumer = consumers.get((next + i) % consumers.size());
      if (consumer.held.size() < consumer.window) {
        next = (next + i + 1) % consumers.size();
        return consumer;
      }
    }
    return null;
  }

  static final class Stored {
    final long sequence;
    final byte[] frame;
    int attempts;

    /** Changes whenever the frame is handed out or taken back: an old holder is found out. */
    long hold;

    Stored(long sequence, byte[] frame) {
      this.sequence = sequence;
      this.frame = frame;
    }
  }

  /** What a tap is for the log. */
  final class Consumer {
    private final LocalLink link;
    private final int window;
    private final Tap.Taker to;
    private final Map<Stored, Due> held = new LinkedHashMap<>();
    private boolean isClosed;

    private Consumer(LocalLink link, int window, Tap.Taker to) {
      this.link = link;
      this.window = window;
      this.to = to;
    }

    void begin() {
      if (!isClosed) {
        consumers.add(this);
        handOut();
      }
    }

    private void hand(Stored one) {
      one.attempts++;
      one.hold++;
      handed++;
      held.put(one, lease(one));
      LocalHanded frame = new LocalHanded(this, one, one.hold, one.attempts);
      link.toNode(
          () ->
              hub.post(
                  () -> {
                    if (!isClosed) {
                      to.take(frame);
                    }
                  }));
    }

    private Due lease(Stored one) {
      return hub.dues().add(spec.lease().toNanos(), () -> takeBack(one));
    }

    private void takeBack(Stored one) {
      release(one);
      ready.put(one.sequence, one);
      handOut();
    }

    private void release(Stored one) {
      hub.dues().cancel(held.remove(one));
      one.hold++;
      handed--;
    }

    private void check(Stored one, long hold) {
      if (one.hold != hold) {
        throw LocalLink.failure(
            "frame " + one.sequence + " of " + spec.name() + " is not held any more");
      }
    }

    void ack(Stored one, long hold) {
      check(one, hold);
      release(one);
      since.remove(one.sequence);
      tellRoom();
      handOut();
    }

    void giveBack(Stored one, long hold, Duration delay) {
      check(one, hold);
      if (!delay.isPositive()) {
        takeBack(one);
        return;
      }
      release(one);
      Due _ =
          hub.dues()
              .add(
                  delay.toNanos(),
                  () -> {
                    ready.put(one.sequence, one);
                    handOut();
                  });
      handOut();
    }

    void renew(Stored one, long hold) {
      check(one, hold);
      hub.dues().cancel(held.get(one));
      held.put(one, lease(one));
    }

    /** Ends the tap on behalf of its node. The hub learns of it by a message, which may be lost. */
    void endByNode() {
      isClosed = true;
      if (!link.isClosed()) {
        link.toHub(this::giveBackAll);
      }
    }

    /** Ends the tap because the link ends; after a crash the leases have to end as well. */
    void end() {
      isClosed = true;
      if (link.isClosed()) {
        consumers.remove(this);
        next = 0;
      } else {
        giveBackAll();
      }
    }

    private void giveBackAll() {
      consumers.remove(this);
      next = 0;
      for (Stored one : List.copyOf(held.keySet())) {
        release(one);
        ready.put(one.sequence, one);
      }
      handOut();
    }

    LocalLink link() {
      return link;
    }
  }

  private record LocalHanded(Consumer consumer, Stored stored, long hold, int attempt)
      implements Handed {
    @Override
    public byte[] frame() {
      return stored.frame;
    }

    @Override
    public long sequence() {
      return stored.sequence;
    }

    @Override
    public CompletionStage<Void> ack() {
      return ask(() -> consumer.ack(stored, hold));
    }

    @Override
    public CompletionStage<Void> giveBack(Duration delay) {
      return ask(() -> consumer.giveBack(stored, hold, delay));
    }

    @Override
    public CompletionStage<Void> renew() {
      return ask(() -> consumer.renew(stored, hold));
    }

    @SuppressWarnings("NullAway") // a future of Void completes with null
    private CompletionStage<Void> ask(Runnable atHub) {
      return consumer
          .link()
          .ask(
              false,
              () -> {
                atHub.run();
                return null;
              });
    }
  }
}
