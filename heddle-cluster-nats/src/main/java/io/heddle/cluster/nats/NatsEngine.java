package io.heddle.cluster.nats;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.heddle.cluster.ClusterException;
import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.Log;
import io.heddle.cluster.spi.LogSpec;
import io.heddle.cluster.spi.LogState;
import io.heddle.cluster.spi.Registry;
import io.heddle.cluster.spi.Wire;
import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.Subscription;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The connection of one node to NATS. */
final class NatsEngine implements Engine {
  /** The first server with a time to live per message, which the registry needs. */
  private static final String OLDEST_SERVER = "2.11.0";

  /** How often leases and lost answers are looked for. */
  private static final long SWEEP_MILLIS = 250;

  /** How long {@link #close} waits until the server has what was sent. */
  private static final Duration FAREWELL = Duration.ofSeconds(1);

  private static final int NO_SUCH_STREAM = 10059;
  private static final int NO_SUCH_CONSUMER = 10014;
  private static final Set<Integer> NO_SUCH = Set.of(NO_SUCH_STREAM, NO_SUCH_CONSUMER);

  private final Connection connection;
  private final NatsLink link;
  private final NatsNames names;
  private final Dispatcher frames;
  private final Dispatcher messages;
  private final ScheduledExecutorService timer;
  private final Set<Part> parts = ConcurrentHashMap.newKeySet();
  private final Map<LogStream, NatsRoom> rooms = new ConcurrentHashMap<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final NatsRegistry registry;
  private final NatsWire wire;

  /** Something that lives on this connection until it or the engine is closed. */
  interface Part {
    /** The connection is there again. */
    void reconnected();

    /** Looks after what a lost message would leave undone. */
    void sweep();

    /** Ends with the engine. Messages that are sent here arrive. */
    void endWithEngine();
  }

  NatsEngine(Connection connection, String address, NatsNames names) {
    this.connection = connection;
    this.names = names;
    link = new NatsLink(connection, address);
    frames = unlimited(connection.createDispatcher());
    messages = unlimited(connection.createDispatcher());
    timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().daemon().name("heddle-nats").unstarted(task));
    registry = new NatsRegistry(this);
    wire = new NatsWire(this);
  }

  /** The windows of taps bound what waits here; the client would drop messages over its limit. */
  private static Dispatcher unlimited(Dispatcher dispatcher) {
    dispatcher.setPendingLimits(0, 0);
    return dispatcher;
  }

  /** Looks at the server, and makes the registry with {@code replicas} copies; 0: as many as fit. */
  void start(int replicas) throws InterruptedException {
    if (!connection.getServerInfo().isSameOrNewerThanVersion(OLDEST_SERVER)) {
      throw link.failure(
          "the server has version "
              + connection.getServerInfo().getVersion()
              + "; it must have 2.11 or newer",
          null);
    }
    if (!connection.getServerInfo().isJetStreamAvailable()) {
      throw link.failure(
          "the server runs without JetStream; start it with -js, or set jetstream in its"
              + " configuration",
          null);
    }
    registry.start(replicas == 0 ? (isClustered() ? 3 : 1) : replicas);
    ScheduledFuture<?> _ =
        timer.scheduleWithFixedDelay(this::sweep, SWEEP_MILLIS, SWEEP_MILLIS, MILLISECONDS);
  }

  private void sweep() {
    if (link.isUp()) {
      parts.forEach(Part::sweep);
    }
  }

  boolean isClustered() {
    String name = connection.getServerInfo().getCluster();
    return name != null && !name.isEmpty();
  }

  /**
   * Returns how long the server may be silent about a standing request. A request is lost without a
   * loss of the connection only if another server had it.
   */
  Duration heartbeat() {
    return Duration.ofSeconds(isClustered() ? 1 : 10);
  }

  @Override
  public String name() {
    return "nats";
  }

  @Override
  public String address() {
    return link.address();
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.allOf(Capability.class);
  }

  @Override
  public boolean isConnected() {
    return link.isUp();
  }

  @Override
  public Log log(LogSpec spec) throws InterruptedException {
    link.checkOpen();
    return new NatsLog(this, LogStream.open(this, spec));
  }

  @Override
  @SuppressWarnings("NullAway") // a future that completes with null
  public @Nullable LogState look(LogSpec spec) throws InterruptedException {
    link.checkOpen();
    return link.await(
        "the state of log " + spec.name() + " cannot be read",
        NatsLog.state(link, names.logStream(spec.name()))
            .exceptionallyCompose(
                e ->
                    NO_SUCH.contains(NatsLink.code(e))
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(new CompletionException(e))));
  }

  @Override
  public void delete(String name) throws InterruptedException {
    link.checkOpen();
    CompletableFuture<Boolean> deleted =
        link.api("STREAM.DELETE." + names.logStream(name), "")
            .handle((_, e) -> e == null || rethrowUnless(NO_SUCH_STREAM, e));
    boolean _ = link.await("log " + name + " cannot be deleted", deleted);
  }

  private static boolean rethrowUnless(int code, Throwable e) {
    if (NatsLink.code(e) != code) {
      throw new CompletionException(NatsLink.unwrap(e));
    }
    return false;
  }

  @Override
  public Registry registry() {
    return registry;
  }

  @Override
  public Wire wire() {
    return wire;
  }

  @Override
  public CompletionStage<Void> ended() {
    return ended;
  }

  @Override
  @SuppressWarnings("NullAway") // a future of Void completes with null
  public void close() {
    synchronized (this) {
      if (link.isClosed()) {
        return;
      }
      link.markClosed();
    }
    timer.shutdown();
    parts.forEach(Part::endWithEngine);
    boolean isInterrupted = Thread.interrupted();
    try {
      if (connection.getStatus() == Connection.Status.CONNECTED) {
        connection.flush(FAREWELL);
      }
    } catch (TimeoutException | IllegalStateException e) {
      // What the server has not got is given back when the leases end.
    } catch (InterruptedException e) {
      isInterrupted = true;
    }
    try {
      connection.close();
    } catch (InterruptedException e) {
      isInterrupted = true;
    }
    link.lost();
    ended.complete(null);
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  // For the other classes of this package.

  NatsLink link() {
    return link;
  }

  NatsNames names() {
    return names;
  }

  /** Runs the frames of all taps. */
  Dispatcher frames() {
    return frames;
  }

  /** Runs watchers and listeners. */
  Dispatcher messages() {
    return messages;
  }

  ScheduledExecutorService timer() {
    return timer;
  }

  void unsubscribe(Subscription subscription) {
    Dispatcher dispatcher = subscription.getDispatcher();
    try {
      if (subscription.isActive() && dispatcher != null) {
        dispatcher.unsubscribe(subscription);
      }
    } catch (IllegalStateException e) {
      // The connection is closed: nothing is subscribed.
    }
  }

  /** Returns the same room for the same log, because it has a subscription. */
  NatsRoom room(LogStream stream) {
    return rooms.computeIfAbsent(stream, each -> new NatsRoom(this, each));
  }

  void add(Part part) {
    parts.add(part);
  }

  void remove(Part part) {
    parts.remove(part);
  }

  boolean isGone() {
    return connection.getStatus() == Connection.Status.CLOSED;
  }

  void disconnected() {
    link.lost();
  }

  void reconnected() {
    if (!link.isClosed()) {
      parts.forEach(Part::reconnected);
    }
  }

  /** The client has given up, unless this node has closed the connection itself. */
  void ended(ClusterException why) {
    if (!link.isClosed()) {
      ended.completeExceptionally(why);
    }
  }
}
