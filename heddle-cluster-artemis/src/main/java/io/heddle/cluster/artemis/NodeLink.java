package io.heddle.cluster.artemis;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.heddle.cluster.ClusterException;
import io.heddle.cluster.spi.AwayException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.api.core.client.SessionFailureListener;
import org.jspecify.annotations.Nullable;

/**
 * The connection of one node to the hub; a lost one is made again, to the same hub or another.
 *
 * <ol>
 *   <li>A request gets a number, is remembered in {@code pending}, and goes into the outbox of the
 *       present connection. The connection's own thread sends what is there, packed into as few
 *       messages as possible. So no caller waits, and the order of requests is kept.
 *   <li>The answer, the loss of the connection, the end of the request's time, or the end of this
 *       link completes the request: that which removes it from {@code pending} first.
 *   <li>A request is added to {@code pending} and to the outbox with the lock, after a look at
 *       {@code present}; a loss changes {@code present} with the lock, and then empties {@code
 *       pending}. So no request is left behind.
 * </ol>
 *
 * <p>The file is long because all requests to the hub share one queue and one reconnection.
 */
final class NodeLink {
  /** After this time without an answer it is not known what became of a request. */
  static final Duration ANSWER = Duration.ofSeconds(10);

  private static final long MAX_CONNECT_MILLIS = 2_000;
  private static final long RETRY_MILLIS = 50;
  private static final long SWEEP_MILLIS = 100;
  private static final long FAREWELL_MILLIS = 1_000;
  private static final int MAX_PACKETS = 4_096;

  private final EmbeddedAddress address;
  private final String cluster;
  private final HubFinder finder;
  private final Object lock = new Object();
  private final Object receiving = new Object(); // one callback at a time, over all connections
  private final Map<Long, Request> pending = new ConcurrentHashMap<>();
  private final Map<Long, Part> parts = new ConcurrentHashMap<>();
  private final Set<Runnable> whenUp = ConcurrentHashMap.newKeySet();
  private final AtomicLong numbers = new AtomicLong();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private @Nullable Connection present; // guarded by lock
  private boolean isOpened; // guarded by lock
  private boolean isConnecting; // guarded by lock: a thread makes a new connection
  private volatile boolean isClosed; // written with the lock
  private volatile String where;
  private volatile HubFinder.@Nullable Place last;

  /** Something at the hub that has to be made again on a new connection. */
  interface Part {
    /** Takes a packet for this part. */
    void take(Op op, Packet.Reader packet);

    /** The connection is new. */
    void connected();
  }

  /** A request that is not answered; {@code deadline} is null if it may take any time. */
  private record Request(
      CompletableFuture<Packet.Reader> result, String what, @Nullable Long deadline) {}

  /** A connection to a hub. */
  private final class Connection implements SessionFailureListener {
    final ServerLocator locator;
    final ClientSession session;
    final ClientProducer producer;
    final String queue = Transport.NODE + UUID.randomUUID();
    final BlockingQueue<Packet> outbox = new LinkedBlockingQueue<>();
    volatile boolean isLost;

    Connection(HubFinder.Place place, long connectMillis) throws Exception {
      locator =
          Transport.locator(
              Transport.tcp(place.host(), place.port(), address.tls(), connectMillis));
      try {
        session =
            Transport.session(locator.createSessionFactory(), Transport.NODE_USER, address.token());
        session.addFailureListener(this);
        session.createQueue(
            QueueConfiguration.of(queue)
                .setRoutingType(RoutingType.ANYCAST)
                .setDurable(false)
                .setTemporary(true)
                .setAutoCreateAddress(true));
        producer = session.createProducer();
        session
            .createConsumer(queue)
            .setMessageHandler(message -> receive(this, Transport.packets(message)));
        session.start();
      } catch (Exception e) {
        locator.close();
        throw e;
      }
    }

    void send() {
      List<Packet> packets = new ArrayList<>();
      try {
        while (!isLost) {
          Packet first = outbox.poll(SWEEP_MILLIS, MILLISECONDS);
          if (first != null) {
            packets.add(first);
            outbox.drainTo(packets, MAX_PACKETS);
            Transport.send(session, producer, Transport.HUB, queue, packets);
            packets.clear();
          }
          endLateRequests();
        }
      } catch (Exception e) {
        lost(this);
      }
    }

    @Override
    public void connectionFailed(ActiveMQException why, boolean isFailedOver) {
      lost(this);
    }

    @Override
    public void connectionFailed(ActiveMQException why, boolean isFailedOver, String scaledTo) {
      lost(this);
    }

    @Override
    public void beforeReconnect(ActiveMQException why) {}

    void close() {
      isLost = true;
      locator.close();
    }
  }

  NodeLink(EmbeddedAddress address, String cluster) {
    this.address = address;
    this.cluster = cluster;
    finder = new HubFinder(address);
    where = address.toString();
  }

  // Connecting.

  /** Connects for the first time. */
  void open(Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (true) {
      Throwable why;
      try {
        connect(Math.max(1, Duration.ofNanos(end - System.nanoTime()).toMillis()));
        synchronized (lock) {
          if (present != null) {
            isOpened = true;
            return;
          }
        }
        why = away("the connection was lost", null);
      } catch (ActiveMQSecurityException e) {
        close();
        throw failure("the hub refuses the token", null);
      } catch (InterruptedException e) {
        close();
        throw e;
      } catch (AwayException e) {
        why = e;
      } catch (ClusterException e) {
        close();
        throw e;
      } catch (Exception e) {
        why = e;
      }
      if (end - System.nanoTime() <= MILLISECONDS.toNanos(RETRY_MILLIS)) {
        close();
        throw failure("no connection within " + limit.toMillis() + " ms" + reason(why), why);
      }
      Thread.sleep(RETRY_MILLIS);
    }
  }

  /** Says why there is no connection, and with what it was tried. */
  private String reason(Throwable why) {
    SSLContext tls = address.tls();
    HubFinder.Place place = last;
    if (tls == null) {
      return ", without TLS: " + why;
    }
    IOException found = place == null ? null : EmbeddedTls.probe(tls, place);
    return ", with TLS: " + (found == null ? why : found);
  }

  private void connect(long limitMillis) throws Exception {
    HubFinder.Place place = finder.find();
    where = place.toString();
    last = place;
    Connection next = new Connection(place, Math.min(limitMillis, MAX_CONNECT_MILLIS));
    CompletableFuture<Packet.Reader> hello;
    synchronized (lock) {
      if (isClosed) {
        next.close();
        throw closed();
      }
      present = next;
      hello = request(new Packet(Op.HELLO).add(Hub.VERSION).add(cluster), "no greeting");
    }
    Thread.ofPlatform().daemon().name("heddle-embedded").start(next::send);
    try {
      Packet.Reader _ = hello.get();
    } catch (ExecutionException e) {
      lost(next);
      throw e.getCause() instanceof ClusterException known ? known : e;
    }
  }

  private void lost(Connection which) {
    boolean connectsAgain;
    synchronized (lock) {
      if (present != which) {
        return;
      }
      present = null;
      which.isLost = true;
      connectsAgain = isOpened && !isClosed && !isConnecting;
      isConnecting |= connectsAgain;
    }
    failPending(away("the connection was lost", null));
    start(which::close); // may wait
    if (connectsAgain) {
      start(this::connectAgain);
    }
  }

  private static void start(Runnable action) {
    Thread.ofPlatform().daemon().name("heddle-embedded-connect").start(action);
  }

  private void connectAgain() {
    while (!isClosed) {
      try {
        connect(MAX_CONNECT_MILLIS);
        parts.values().forEach(Part::connected);
        for (Runnable each : Set.copyOf(whenUp)) {
          whenUp.remove(each);
          each.run();
        }
        synchronized (lock) {
          if (present != null) {
            isConnecting = false;
            return;
          }
        }
      } catch (ActiveMQSecurityException e) {
        ended.completeExceptionally(failure("the hub refuses the token", null));
        return;
      } catch (Exception e) {
        // The hub is not there yet, or another one begins.
      }
      try {
        Thread.sleep(RETRY_MILLIS);
      } catch (InterruptedException e) {
        return; // nothing interrupts this thread
      }
    }
    finder.close(); // this thread may have started a hub after the close
  }

  void close() {
    Connection last;
    synchronized (lock) {
      if (isClosed) {
        return;
      }
      last = present;
    }
    boolean isInterrupted = last != null && !bye();
    synchronized (lock) {
      isClosed = true;
      present = null;
    }
    if (last != null) {
      last.close();
    }
    failPending(closed());
    for (Runnable each : Set.copyOf(whenUp)) {
      each.run();
    }
    finder.close();
    ended.complete(null);
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits until the hub has done what it was asked for; returns whether that was not interrupted.
   */
  private boolean bye() {
    try {
      Packet.Reader _ =
          request(new Packet(Op.BYE), "no farewell").get(FAREWELL_MILLIS, MILLISECONDS);
    } catch (ExecutionException | TimeoutException | ClusterException e) {
      // The hub gives back what this node held when it sees that the connection has ended.
    } catch (InterruptedException e) {
      return false;
    }
    return true;
  }

  // Requests.

  /** Sends a request. The result never completes with another failure than a ClusterException. */
  CompletableFuture<Packet.Reader> request(Packet packet, String what) {
    return request(packet, what, ANSWER);
  }

  CompletableFuture<Packet.Reader> request(Packet packet, String what, @Nullable Duration limit) {
    return request(packet, what, limit, new CompletableFuture<>());
  }

  /** Completes {@code result} while the answer is taken, before a later packet is. */
  CompletableFuture<Packet.Reader> request(
      Packet packet,
      String what,
      @Nullable Duration limit,
      CompletableFuture<Packet.Reader> result) {
    long number = numbers.incrementAndGet();
    packet.setNumber(number);
    Long deadline = limit == null ? null : System.nanoTime() + limit.toNanos();
    Request request = new Request(result, what, deadline);
    synchronized (lock) {
      checkOpen();
      Connection now = present;
      if (now == null) {
        result.completeExceptionally(away(what + ": the connection was lost", null));
        return result;
      }
      pending.put(number, request);
      now.outbox.add(packet);
    }
    return request.result();
  }

  /** Sends a packet that has no answer; it is lost if there is no connection. */
  void tell(Packet packet) {
    synchronized (lock) {
      Connection now = present;
      if (now != null) {
        now.outbox.add(packet);
      }
    }
  }

  <T> T await(CompletableFuture<T> answer) throws InterruptedException {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AwayException away) {
        throw new AwayException(String.valueOf(away.getMessage()), away);
      }
      Throwable why = e.getCause() == null ? e : e.getCause();
      throw new ClusterException(String.valueOf(why.getMessage()), why);
    }
  }

  private void endLateRequests() {
    long now = System.nanoTime();
    pending.forEach(
        (number, request) -> {
          Long deadline = request.deadline();
          if (deadline != null && now - deadline > 0 && pending.remove(number, request)) {
            fail(request, away(request.what() + ": the hub has not answered in time", null));
          }
        });
  }

  private void failPending(ClusterException why) {
    pending.forEach(
        (number, request) -> {
          if (pending.remove(number, request)) {
            fail(request, why);
          }
        });
  }

  private static void fail(Request request, ClusterException why) {
    request.result().completeExceptionally(why);
  }

  // What comes from the hub.

  private void receive(Connection from, Packet.Reader packets) {
    synchronized (receiving) {
      while (packets.hasMore() && !from.isLost) {
        try {
          Packet.Reader packet = packets.packet();
          take(packet.op(), packet.number(), packet);
        } catch (BadPacketException e) {
          lost(from);
        } catch (RuntimeException e) { // of a callback; the other packets are not to blame
          Thread thread = Thread.currentThread();
          thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
      }
    }
  }

  private void take(Op op, long number, Packet.Reader packet) {
    switch (op) {
      case DONE, REFUSED -> {
        Request request = pending.remove(number);
        if (request == null) {
          return;
        }
        if (op == Op.DONE) {
          request.result().complete(packet);
        } else {
          fail(request, failure(request.what() + ": " + packet.text(), null));
        }
      }
      case HAND, LOST, SET, REMOVED, HEARD -> {
        Part part = parts.get(packet.number());
        if (part != null) {
          part.take(op, packet);
        }
      }
      default -> throw new BadPacketException(op + " is no answer");
    }
  }

  // Parts.

  /** Returns a number for a part. */
  long newNumber() {
    return numbers.incrementAndGet();
  }

  void add(long number, Part part) {
    parts.put(number, part);
  }

  /** Ends a part; {@code end} tells the hub. Has no effect the second time. */
  void remove(long number, Op end) {
    if (parts.remove(number) != null) {
      tell(new Packet(end, 0).add(number));
    }
  }

  /** Runs {@code action} once: when there is a new connection, or after the end. */
  void whenUp(Runnable action) {
    whenUp.add(action);
    if ((isUp() || isClosed) && whenUp.remove(action)) {
      action.run();
    }
  }

  // What it is.

  boolean isUp() {
    synchronized (lock) {
      return present != null && !isClosed;
    }
  }

  boolean isClosed() {
    return isClosed;
  }

  void checkOpen() {
    if (isClosed) {
      throw closed();
    }
  }

  CompletableFuture<Void> ended() {
    return ended;
  }

  String where() {
    return where;
  }

  ClusterException closed() {
    return failure("this node has closed its connection", null);
  }

  private ClusterException failure(String what, @Nullable Throwable why) {
    return new ClusterException("engine embedded at " + where + ": " + what, why);
  }

  private AwayException away(String what, @Nullable Throwable why) {
    return new AwayException("engine embedded at " + where + ": " + what, why);
  }
}
