package io.heddle.cluster;

import io.heddle.Case;
import io.heddle.ClosedChanException;
import io.heddle.Context;
import io.heddle.Go;
import io.heddle.Mutex;
import io.heddle.Receiver;
import io.heddle.Select;
import io.heddle.cluster.spi.Log;
import io.heddle.cluster.spi.LogSpec.Storage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A channel that crosses processes. Its values are in the engine from when {@link #send} returns
 * until a receiver on some node acknowledges them.
 *
 * {@snippet :
 * RemoteChan<Order> orders = cluster.chan("orders", Order.class).capacity(1_000).open();
 * orders.send(order);
 *
 * select(                                              // local and remote in one select
 *     orders.receiving(this::book),                    // acknowledged when book returns
 *     recv(commands, Runnable::run),                   // a local channel
 *     reports.sending(report),                         // another remote channel
 *     after(Duration.ofSeconds(5), this::tick));
 * }
 *
 * <h2>What is promised</h2>
 * <ol>
 *   <li>A value whose send has returned is delivered at least once, until it is acknowledged; or it
 *       becomes a {@linkplain #dead dead letter}. The death of a node loses none.
 *   <li>A send that is repeated by this library does not store the value twice. What is done after
 *       the delivery may be done twice: {@link Delivery#id} is there to notice that.
 *   <li>What one goroutine sends is stored in that order, and delivered in it for the first time. A
 *       value that is delivered again comes later.
 *   <li>There are never more than {@link Builder#capacity} values that were sent and not
 *       acknowledged, in all processes together. Senders wait for room.
 *   <li>A receiver that loses its lease is told, by {@link StaleDeliveryException}.
 * </ol>
 * Not promised: rendezvous (there is no capacity 0), an order among senders, transactions over
 * several channels, and that something is done exactly once.
 *
 * <h2>Closing</h2>
 * {@link #close} says, for all processes, that nothing will follow. Receivers get what is left,
 * also what is given back, and then null. A send throws {@link ClosedChanException}.
 *
 * <h2>Threads, interruption, contexts</h2>
 * Any thread may use a channel. A send that waits ends when its {@link Context#current} ends, with
 * {@link UnsentException}. A context's deadline and {@link Cluster#TRACE} travel with the value. An
 * interrupt throws {@link InterruptedException}; its message tells whether the value may have been
 * stored.
 *
 * <h2>Memory consistency</h2>
 * Actions before a send <i>happen-before</i> actions after the receive of its value, if both are in
 * one process. Between processes there is only the value.
 *
 * @param <T> the type of the values
 */
public final class RemoteChan<T> {
  // The file is long because a third of it is Javadoc, and its builder belongs to it.

  private final Node node;
  private final String name;
  private final Builder<T> settings;
  private final ChannelSettings agreed;
  private final Log log;
  private final Outbox outbox;
  private final RemoteChans all;
  private final Cached<ChannelDepth> depth;
  private final Mutex lock = new Mutex();
  private volatile @Nullable Inbox<T> inbox; // written with the lock
  private volatile boolean isClosed;
  private int window; // guarded by the lock
  private boolean isTakenOver;

  RemoteChan(
      Node node,
      String name,
      Builder<T> settings,
      ChannelSettings agreed,
      Log log,
      RemoteChans all) {
    this.node = node;
    this.name = name;
    this.settings = settings;
    this.agreed = agreed;
    this.log = log;
    this.all = all;
    this.window = settings.window;
    this.depth = new Cached<>(() -> ChannelDepth.read(node.engine(), name, agreed));
    this.outbox =
        new Outbox(
            node,
            log,
            "remote " + name,
            settings.codec.type(),
            agreed.batch(),
            agreed.maxFrameBytes());
  }

  /**
   * How a channel is to be. What is said to be shared is fixed by the node that opens the channel
   * first; others must say the same.
   *
   * @param <T> the type of the values
   */
  public static final class Builder<T> {
    private final RemoteChans all;
    private final String name;
    private final Codec<T> codec;
    private final Class<?> type;
    private int capacity = 1_000;
    private int batch = 1;
    private int maxItemBytes = 256 * 1_024;
    private Storage storage = Storage.ANY;
    private int replicas = 1;
    private Duration lease = Duration.ofSeconds(2);
    private int window = 64;
    private int attempts = 5;

    Builder(RemoteChans all, String name, Class<?> type, Codec<T> codec) {
      this.all = all;
      this.name = name;
      this.type = type;
      this.codec = codec;
    }

    /**
     * Sets how many values may be sent and not acknowledged, in all processes together. Shared.
     * Default: 1 000.
     *
     * @param n the number, 1 or more
     * @return this builder
     */
    public Builder<T> capacity(int n) {
      capacity = atLeastOne("capacity", n);
      return this;
    }

    /**
     * Sets how many values may travel in one message: those that wait while others are under way.
     * That multiplies the throughput of many senders. The engine then counts messages: there is
     * room for at least {@code capacity / n} values and never for more than {@code capacity}. The
     * values of one message are kept together: if a receiver dies before it has acknowledged all of
     * them, all are delivered again. Shared. Default: 1.
     *
     * @param n the number, 1 to the capacity
     * @return this builder
     */
    public Builder<T> batch(int n) {
      batch = atLeastOne("batch", n);
      return this;
    }

    /**
     * Sets how many bytes a value may have. Shared. Default: 256 KiB.
     *
     * @param n the number
     * @return this builder
     */
    public Builder<T> maxItemBytes(int n) {
      maxItemBytes = atLeastOne("maxItemBytes", n);
      if (n > ChannelSettings.MAX_ITEM_BYTES) {
        throw new IllegalArgumentException(
            "maxItemBytes " + n + ": allowed are up to " + ChannelSettings.MAX_ITEM_BYTES);
      }
      return this;
    }

    /**
     * Sets where the values are. Shared. Default: in files, if the engine has them.
     *
     * @param where where
     * @return this builder
     */
    public Builder<T> storage(Storage where) {
      storage = Objects.requireNonNull(where, "where");
      return this;
    }

    /**
     * Sets how many nodes of the engine keep the values. Shared. Default: 1.
     *
     * @param n the number, 1 or more
     * @return this builder
     */
    public Builder<T> replicas(int n) {
      replicas = atLeastOne("replicas", n);
      return this;
    }

    /**
     * Sets after which time a node that gives no sign of life loses what it holds. The node renews
     * the lease every third of it. Shared. Default: 2 seconds.
     *
     * @param time the time, 10 milliseconds or more
     * @return this builder
     */
    public Builder<T> lease(Duration time) {
      if (time.toMillis() < 10) {
        throw new IllegalArgumentException("lease " + time + ": allowed are 10 ms or more");
      }
      lease = time;
      return this;
    }

    /**
     * Sets how many messages this node may hold that were not acknowledged: those that goroutines
     * work on, and those that wait here for the next. Default: 64.
     *
     * @param n the number, 1 or more
     * @return this builder
     */
    public Builder<T> window(int n) {
      window = atLeastOne("window", n);
      return this;
    }

    /**
     * Sets how often a value is delivered before it becomes a dead letter. Default: 5.
     *
     * @param n the number, 1 or more
     * @return this builder
     */
    public Builder<T> attempts(int n) {
      attempts = atLeastOne("attempts", n);
      return this;
    }

    /**
     * Opens the channel, and makes it if it does not exist. A channel that this node has opened
     * already is returned again.
     *
     * @return the channel
     * @throws ClusterException if the channel exists and is different, or the engine cannot do it
     * @throws InterruptedException if the caller is interrupted while it waits
     */
    public RemoteChan<T> open() throws InterruptedException {
      if (batch > capacity) {
        throw new IllegalArgumentException(
            "channel " + name + ": batch " + batch + " is more than capacity " + capacity);
      }
      return all.open(this);
    }

    private static int atLeastOne(String what, int n) {
      if (n < 1) {
        throw new IllegalArgumentException(what + " " + n + ": allowed is 1 or more");
      }
      return n;
    }

    String name() {
      return name;
    }

    ChannelSettings shared() {
      return new ChannelSettings(
          capacity, batch, maxItemBytes, storage, replicas, lease.toMillis(), codec.type(), false);
    }

    /** Uses settings that the library derives. */
    Builder<T> derived(ChannelSettings from) {
      capacity = from.capacity();
      batch = from.batch();
      maxItemBytes = from.maxItemBytes();
      storage = from.storage();
      replicas = from.replicas();
      lease = Duration.ofMillis(from.leaseMillis());
      return this;
    }

    Codec<T> codec() {
      return codec;
    }

    /** Whether this asks for what {@code other} has opened on this node. */
    boolean isAs(Builder<?> other) {
      return shared().agree(other.shared())
          && type == other.type
          && window == other.window
          && attempts == other.attempts;
    }

    @Override
    public String toString() {
      return shared() + " of " + type.getName() + ", window " + window + ", attempts " + attempts;
    }
  }

  /**
   * Returns the name of this channel.
   *
   * @return the name
   */
  public String name() {
    return name;
  }

  Builder<T> settings() {
    return settings;
  }

  // Sending.

  /**
   * Sends a value. Waits while there is no room, and until the engine has stored the value.
   *
   * @param value the value, not null
   * @throws InterruptedException if the caller is interrupted while it waits; the message tells
   *     whether the value may have been stored
   * @throws ClosedChanException if the channel was closed; the value was not stored
   * @throws UnsentException if the caller's context ended, or the cluster was closed, meanwhile
   * @throws CodecException if the codec cannot write the value
   * @throws ClusterException if the value is too large, or the cluster was closed before
   */
  public void send(T value) throws InterruptedException {
    boolean _ = sendUnit(List.of(item(value)), true);
  }

  /**
   * Sends a value if there is room. Waits for the engine's answer only.
   *
   * @param value the value, not null
   * @return false if the channel is full; the value was not stored
   * @throws InterruptedException as of {@link #send}, and so the other exceptions
   */
  public boolean trySend(T value) throws InterruptedException {
    return sendUnit(List.of(item(value)), false);
  }

  /**
   * Sends values in their order, several of them in one message if the channel's {@link
   * Builder#batch} allows that. Waits until the engine has stored all.
   *
   * @param values the values
   * @throws InterruptedException as of {@link #send}, and so the other exceptions; some of the
   *     values may have been stored, from the first on
   */
  public void sendAll(Collection<? extends T> values) throws InterruptedException {
    List<Frame.Item> items = new ArrayList<>();
    int bytes = Frame.HEADER;
    for (T value : values) {
      Frame.Item next = item(value);
      int more = next.bytes().length + Frame.ITEM_HEADER;
      boolean fits = items.size() < agreed.batch() && bytes + more <= agreed.maxFrameBytes();
      if (!items.isEmpty() && !fits) {
        boolean _ = sendUnit(items, true);
        items = new ArrayList<>();
        bytes = Frame.HEADER;
      }
      items.add(next);
      bytes += more;
    }
    if (!items.isEmpty()) {
      boolean _ = sendUnit(items, true);
    }
  }

  /**
   * Makes a case of a select that sends. It fires when this channel is not known to be full. The
   * value is then sent in the caller, and stored when {@link Select#select} returns. If another
   * node was faster to fill the channel, that waits for room.
   *
   * @param value the value, not null
   * @return a new case, to be used in any number of selects
   */
  public Case<?> sending(T value) {
    return sending(value, () -> {});
  }

  /**
   * Makes a case of a select that sends, and then runs {@code then}.
   *
   * @param value the value, not null
   * @param then runs when the value is stored
   * @return a new case, to be used in any number of selects
   */
  public Case<?> sending(T value, Select.Then then) {
    Objects.requireNonNull(then, "then");
    Objects.requireNonNull(value, "value");
    return Select.recv(
        outbox.slots().slots(),
        slot -> {
          try {
            send(value);
          } finally {
            if (slot != null) {
              outbox.giveBackSlot();
            }
          }
          then.run();
        });
  }

  private Frame.Item item(T value) {
    Objects.requireNonNull(value, "value");
    node.checkOpen(what());
    byte[] bytes = settings.codec.encode(value);
    if (bytes.length > agreed.maxItemBytes()) {
      throw node.failure(
          what(),
          "a value of "
              + bytes.length
              + " bytes: allowed are up to "
              + agreed.maxItemBytes()
              + " (maxItemBytes)");
    }
    Context context = Context.current();
    return new Frame.Item(bytes, millisLeft(context), context.value(Cluster.TRACE));
  }

  private static long millisLeft(Context context) {
    var deadline = context.deadline();
    return deadline == null ? -1 : Math.max(0, Duration.between(Go.now(), deadline).toMillis());
  }

  private boolean sendUnit(List<Frame.Item> items, boolean waitsForRoom)
      throws InterruptedException {
    Unit unit = new Unit("remote " + name, items, waitsForRoom);
    return switch (outbox.send(unit)) {
      case STORED -> true;
      case FULL -> false;
      case CLOSED ->
          throw new ClosedChanException(
              "send on the closed remote channel " + name + " " + node.place());
      case OVER -> throw unsent("not sent: this cluster was closed", false);
      case WITHDRAWN -> throw unsent("not sent: the context has ended", false);
      case UNKNOWN ->
          throw unsent(
              node.isOver()
                  ? "this cluster was closed; the engine has not answered, it may be stored"
                  : "the engine has not answered, it may be stored",
              true);
    };
  }

  private UnsentException unsent(String why, boolean isUnknown) {
    return new UnsentException(what() + " " + node.place() + ": " + why, isUnknown);
  }

  private String what() {
    return "channel " + name;
  }

  // Receiving.

  /**
   * Waits for the next value.
   *
   * @return the value, to be settled; null if the channel is closed and drained
   * @throws InterruptedException if the caller is interrupted while it waits
   * @throws ClusterException if this node has left the channel, or the cluster was closed
   */
  public @Nullable Delivery<T> receive() throws InterruptedException {
    Inbox<T> from = inbox();
    Delivery<T> next = from.receive();
    if (next == null && !from.isDrained()) {
      node.checkOpen(what());
      throw node.failure(what(), "this node does not receive from it any more");
    }
    return next;
  }

  /**
   * Returns the values as a local channel, for {@link Select} and {@code for}. Its end, null, may
   * also mean that this node has left: see {@link #isDrained}. The first call begins to receive:
   * from then on this node holds up to {@link Builder#window} messages, also while no goroutine
   * takes them. {@link #leave} gives them back.
   *
   * <p>After a pause of this process, or a cut, the channel may still have values whose leases have
   * ended: see {@link Delivery#isStale}. {@link #receive} and {@link #receiving} skip them.
   *
   * @return the same channel each time
   * @throws InterruptedException if the caller is interrupted while it waits for the engine
   */
  public Receiver<Delivery<T>> deliveries() throws InterruptedException {
    return inbox().deliveries();
  }

  /**
   * Makes a case of a select that receives a value and passes it to {@code then}. The value is
   * acknowledged when {@code then} returns, and given back, after a pause, when it throws. While
   * {@code then} runs, {@link Context#current} is {@link Delivery#context}: it has the sender's
   * deadline and trace, and ends when the value is lost.
   *
   * <p>Values that were lost while they waited here are skipped. If no other is here, the case
   * fires and {@code then} does not run; select again.
   *
   * @param then gets the value; null if there will be no more
   * @return a new case, to be used in any number of selects
   * @throws InterruptedException if the caller is interrupted while it waits for the engine
   */
  public Case<?> receiving(Select.OnReceive<T> then) throws InterruptedException {
    Objects.requireNonNull(then, "then");
    Inbox<T> from = inbox();
    return Select.recv(
        from.deliveries(),
        delivery -> {
          if (delivery == null) {
            then.accept(null);
            return;
          }
          Delivery<T> next = from.skipLost(delivery);
          if (next != null) {
            handle(next, then);
          }
        });
  }

  private static <T> void handle(Delivery<T> delivery, Select.OnReceive<T> then)
      throws InterruptedException {
    boolean done = false;
    try {
      delivery.context().run(() -> then.accept(delivery.value()));
      done = true;
    } catch (InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e); // cannot happen: accept throws no other
    } finally {
      if (!done) {
        delivery.retryUnlessLost();
      }
    }
    delivery.ack();
  }

  /**
   * Returns the values for a {@code for} loop, which acknowledges each when it asks for the next.
   *
   * @return an object for one loop
   */
  public Values<T> values() {
    return new Values<>(this);
  }

  private Inbox<T> inbox() throws InterruptedException {
    Inbox<T> made = inbox;
    return made == null ? openInbox() : made;
  }

  /** Sets the window for a worker. Returns false if this node receives already. */
  boolean tryTakeOver(int newWindow) {
    lock.lock();
    try {
      if (isTakenOver || inbox != null) {
        return false;
      }
      isTakenOver = true;
      window = newWindow;
      return true;
    } finally {
      lock.unlock();
    }
  }

  private Inbox<T> openInbox() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      Inbox<T> made = inbox;
      if (made != null) {
        return made;
      }
      node.checkOpen(what());
      made =
          new Inbox<>(
              node,
              name,
              log,
              settings.codec,
              window,
              settings.attempts,
              Duration.ofMillis(agreed.leaseMillis()).toNanos(),
              this::bury);
      made.open(window);
      inbox = made;
      if (isClosed) {
        made.drain();
      }
      if (node.isOver()) {
        made.leave();
      }
      return made;
    } finally {
      lock.unlock();
    }
  }

  private void bury(DeadLetter letter) throws InterruptedException {
    if (!name.endsWith(RemoteChans.DEAD)) {
      dead().send(letter);
    }
  }

  /**
   * Returns the channel of what was given up in this one: rejected, delivered too often, or not
   * readable. It is a channel like others, but has no dead letters of its own. While it is closed,
   * or cannot be opened, what would go there is given back, and tried again every half minute.
   *
   * @return the channel
   * @throws InterruptedException if the caller is interrupted while it waits for the engine
   */
  public RemoteChan<DeadLetter> dead() throws InterruptedException {
    return all.dead(name, agreed);
  }

  // The end.

  /**
   * Closes this channel for all processes, after what was sent before. Closing again has no effect.
   *
   * @throws InterruptedException if the caller is interrupted while it waits for the engine; the
   *     channel may be closed or not
   */
  public void close() throws InterruptedException {
    all.close(name, log);
    nowClosed();
  }

  /** Learns that this channel was closed. Does not wait. */
  void nowClosed() {
    isClosed = true;
    outbox.close();
    Inbox<T> made = inbox;
    if (made != null) {
      made.drain();
    }
  }

  /**
   * Returns whether this channel was closed, as far as this node knows. Values may be left.
   *
   * @return whether {@link #close} was called somewhere
   */
  public boolean isClosed() {
    return isClosed;
  }

  /**
   * Returns whether this channel is closed and everything in it was settled, as far as a receiver
   * of this node knows.
   *
   * @return whether {@link #receive} returns null
   */
  public boolean isDrained() {
    Inbox<T> made = inbox;
    return made != null && made.isDrained();
  }

  /**
   * Stops to receive on this node, for good: what it holds is given back for others. Sending goes
   * on.
   *
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  public void leave() throws InterruptedException {
    inbox().leave();
  }

  /** Ends everything, because the node ends. Does not wait. */
  void end() {
    outbox.end();
    Inbox<T> made = inbox;
    if (made != null) {
      made.leave();
    }
  }

  /**
   * Returns about how many messages are in this channel: sent and not acknowledged, by any process.
   * If {@link Builder#batch} is 1, a message is a value.
   *
   * @return the number
   * @throws InterruptedException if the caller is interrupted while it waits for the engine
   */
  public long length() throws InterruptedException {
    return node.repeat(what(), _ -> log.state().stored());
  }

  /**
   * Returns what the engine has of this channel. For metrics: the answer may be a second old, and
   * this asks the engine at most once a second.
   *
   * @return the depth; null if the engine does not answer, or the channel was deleted
   */
  public @Nullable ChannelDepth depth() {
    return depth.get();
  }

  /**
   * Returns what this node has done with this channel.
   *
   * @return counts since it was opened here
   */
  public ChannelStats stats() {
    Inbox<T> in = inbox;
    return new ChannelStats(
        outbox.stored(),
        in == null ? 0 : in.received(),
        in == null ? 0 : in.again(),
        in == null ? 0 : in.acks(),
        in == null ? 0 : in.buried(),
        in == null ? 0 : in.holding());
  }

  @Override
  public String toString() {
    return "RemoteChan[" + name + ", " + agreed + (isClosed ? ", closed]" : "]");
  }
}
