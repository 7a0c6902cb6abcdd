package io.heddle.cluster;

import io.heddle.Context;
import io.heddle.Scheduler;
import io.heddle.cluster.spi.Engine;
import io.heddle.cluster.spi.EngineConfig;
import io.heddle.cluster.spi.EngineProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One node of a cluster: the channels, goroutines and locks that this process shares with others,
 * by way of an engine that stores them.
 *
 * {@snippet :
 * try (Cluster cluster = Cluster.open("local:")) {
 *   RemoteChan<String> words = cluster.chan("words", String.class).open();
 *   words.send("warp");
 *   try (Delivery<String> word = words.receive()) {
 *     System.out.println(word.value());
 *     word.ack();
 *   }
 * }
 * }
 *
 * <p>Any thread may use a cluster. Its own goroutines belong to the scheduler of the goroutine that
 * opened it, or to the shared one; that scheduler must stay open for longer.
 *
 * <p>The file is long because the public API of a cluster is one class, with its Javadoc.
 */
public final class Cluster implements AutoCloseable {
  /**
   * The key of the trace context that travels with values and remote goroutines, as in the header
   * {@code traceparent}.
   */
  public static final Context.Key<String> TRACE = Context.Key.of("traceparent");

  private final Node node;
  private final RemoteChans chans;
  private final TaskCalls calls;
  private final TaskWorkers workers;
  private final Membership membership;
  private final StatusAnswers answers;
  private final StatusReader reader;

  private Cluster(Engine engine, ClusterOptions options, Supplier<LeaseTime> clock) {
    Scheduler current = Scheduler.current();
    node = new Node(engine, options, current == null ? Scheduler.shared() : current, clock);
    chans = new RemoteChans(node);
    calls = new TaskCalls(node, chans);
    workers = new TaskWorkers(node, calls);
    membership = new Membership(node, workers::running, calls::lose);
    answers = new StatusAnswers(node, chans, workers);
    reader = new StatusReader(node);
    node.endWith(engine);
  }

  /**
   * Joins a cluster with default options.
   *
   * @param uri where the engine is
   * @return the node
   * @throws ClusterException as of {@link #open(String, ClusterOptions)}
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  public static Cluster open(String uri) throws InterruptedException {
    return open(uri, ClusterOptions.defaults());
  }

  /**
   * Joins a cluster.
   *
   * @param uri where the engine is: {@code local:}, {@code nats://host:4222}, or what other engines
   *     on the class path understand
   * @param options how to join
   * @return the node
   * @throws ClusterException if no engine understands the URI, or if there is no connection in
   *     time; the message names the engines that are there, or the addresses that were tried
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  public static Cluster open(String uri, ClusterOptions options) throws InterruptedException {
    return open(connect(uri, options), options);
  }

  /** Connects to the engine of a URI. */
  static Engine connect(String uri, ClusterOptions options) throws InterruptedException {
    int colon = Objects.requireNonNull(uri, "uri").indexOf(':');
    String scheme = colon < 0 ? uri : uri.substring(0, colon);
    TreeSet<String> known = new TreeSet<>();
    for (EngineProvider provider : ServiceLoader.load(EngineProvider.class)) {
      if (colon > 0 && provider.schemes().contains(scheme)) {
        EngineConfig config =
            new EngineConfig(
                uri,
                options.cluster(),
                options.node(),
                options.connectTimeout(),
                options.tls(),
                options.settings());
        return provider.open(config);
      }
      known.addAll(provider.schemes());
    }
    List<String> prefixes = new ArrayList<>();
    known.forEach(each -> prefixes.add(each + ":"));
    throw new ClusterException(
        "no engine for \""
            + uri
            + "\": on the class path are engines for "
            + prefixes
            + "; others are in the modules heddle-cluster-nats and heddle-cluster-artemis");
  }

  /**
   * Joins a cluster by way of an engine that is open, for example of a
   * {@link io.heddle.cluster.local.LocalHub}. The engine is closed with the cluster.
   *
   * @param engine the engine
   * @param options how to join; what concerns the connection is not used
   * @return the node
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  public static Cluster open(Engine engine, ClusterOptions options) throws InterruptedException {
    return open(engine, options, LeaseTime::now);
  }

  /** Opens a node whose leases are measured by {@code clock}. */
  static Cluster open(Engine engine, ClusterOptions options, Supplier<LeaseTime> clock)
      throws InterruptedException {
    Cluster cluster;
    boolean isJoined = false;
    try {
      cluster = new Cluster(engine, options, clock);
      cluster.membership.join();
      cluster.answers.listen();
      isJoined = true;
    } finally {
      if (!isJoined) {
        engine.close();
      }
    }
    cluster.show();
    return cluster;
  }

  /** Shows this node on the dashboard of the process, until it ends. */
  private void show() {
    ClusterTables tables = new ClusterTables(node, membership, chans, calls, workers, reader::read);
    node.onOver(_ -> tables.close());
  }

  /**
   * Begins to open a channel of strings, of byte arrays, or of what {@link Codec#json} can carry.
   *
   * @param <T> the type of the values
   * @param name the name: letters, digits, {@code _} and {@code -}, at most 64
   * @param type the class of the values
   * @return a builder with default settings
   * @throws CodecException if the type cannot be carried
   */
  public <T> RemoteChan.Builder<T> chan(String name, Class<T> type) {
    ClusterOptions.checkedName("channel", name);
    try {
      return new RemoteChan.Builder<>(chans, name, type, codecOf(type));
    } catch (CodecException e) {
      throw new CodecException("channel " + name + " " + node.place() + ": " + e.getMessage(), e);
    }
  }

  /**
   * Begins to open a channel with a codec of its own.
   *
   * @param <T> the type of the values
   * @param name the name: letters, digits, {@code _} and {@code -}, at most 64
   * @param codec writes and reads the values
   * @return a builder with default settings
   */
  public <T> RemoteChan.Builder<T> chan(String name, Codec<T> codec) {
    ClusterOptions.checkedName("channel", name);
    return new RemoteChan.Builder<>(chans, name, codec.getClass(), codec);
  }

  @SuppressWarnings("unchecked") // the classes are compared
  static <T> Codec<T> codecOf(Class<T> type) {
    if (type == String.class) {
      return (Codec<T>) Codec.string();
    }
    return type == byte[].class ? (Codec<T>) Codec.bytes() : Codec.json(type);
  }

  /**
   * Deletes a channel with everything in it, for all processes. Does nothing if there is none.
   * Nodes that have it open must open it again.
   *
   * @param name the name of the channel
   * @throws InterruptedException if the caller is interrupted while it waits for the engine
   */
  public void delete(String name) throws InterruptedException {
    chans.delete(name);
  }

  /**
   * Offers to run a function here, for callers on all nodes. This node takes a task only when fewer
   * than a limit run: {@link #register(String, Class, Class, int, TaskFunction)} with four times
   * the number of Ps.
   *
   * @param <I> the type of the input
   * @param <O> the type of the result
   * @param name the name: letters, digits, {@code _} and {@code -}, at most 64
   * @param in the class of the input
   * @param out the class of the result
   * @param function what to run
   * @throws ClusterException if this node has registered it already
   * @throws InterruptedException if the caller is interrupted while it waits for the engine
   */
  public <I, O> void register(String name, Class<I> in, Class<O> out, TaskFunction<I, O> function)
      throws InterruptedException {
    register(name, in, out, 4 * node.procs(), function);
  }

  /**
   * Offers to run a function here, for callers on all nodes.
   *
   * @param <I> the type of the input
   * @param <O> the type of the result
   * @param name the name: letters, digits, {@code _} and {@code -}, at most 64
   * @param in the class of the input
   * @param out the class of the result
   * @param limit how many tasks of this function this node runs at the same time, 1 or more
   * @param function what to run
   * @throws ClusterException if this node has registered it already
   * @throws InterruptedException if the caller is interrupted while it waits for the engine
   */
  public <I, O> void register(
      String name, Class<I> in, Class<O> out, int limit, TaskFunction<I, O> function)
      throws InterruptedException {
    ClusterOptions.checkedName("function", name);
    if (limit < 1) {
      throw new IllegalArgumentException("limit " + limit + ": allowed is 1 or more");
    }
    workers.register(
        new TaskWorkers.Registered<>(
            name, codecOf(in), codecOf(out), Objects.requireNonNull(function, "function"), limit));
  }

  /**
   * Returns a function that other nodes, or this one, have registered or will.
   *
   * @param <I> the type of the input
   * @param <O> the type of the result
   * @param name its name
   * @param in the class of the input
   * @param out the class of the result
   * @return the function, to be started
   */
  public <I, O> RemoteFunction<I, O> function(String name, Class<I> in, Class<O> out) {
    ClusterOptions.checkedName("function", name);
    return new RemoteFunction<>(calls, name, codecOf(in), codecOf(out), 1, false);
  }

  /**
   * Starts a remote goroutine: {@link #function} and {@link RemoteFunction#go} in one.
   *
   * @param <O> the type of the result
   * @param name the name of the function
   * @param input the input, of exactly the class that was registered
   * @param out the class of the result
   * @return the goroutine
   * @throws InterruptedException if the caller is interrupted while it waits; the function is not
   *     run
   */
  public <O> Remote<O> go(String name, Object input, Class<O> out) throws InterruptedException {
    return goAs(name, input, input.getClass(), out);
  }

  private <I, O> Remote<O> goAs(String name, Object input, Class<I> in, Class<O> out)
      throws InterruptedException {
    return function(name, in, out).go(in.cast(input));
  }

  /**
   * Makes a group of remote goroutines, below the caller's {@link Context#current}.
   *
   * @return a new group
   */
  public RemoteGroup group() {
    return new RemoteGroup(Context.current());
  }

  /**
   * Returns a lock of the whole cluster.
   *
   * @param name the name: letters, digits, {@code _} and {@code -}, at most 64
   * @return the lock, not held
   */
  public RemoteMutex mutex(String name) {
    return new RemoteMutex(node, ClusterOptions.checkedName("mutex", name));
  }

  /**
   * Returns a semaphore of the whole cluster.
   *
   * @param name the name: letters, digits, {@code _} and {@code -}, at most 64
   * @param permits how many permits there are; all nodes must say the same
   * @return the semaphore
   */
  public RemoteSemaphore semaphore(String name, long permits) {
    ClusterOptions.checkedName("semaphore", name);
    if (permits < 1) {
      throw new IllegalArgumentException("permits " + permits + ": allowed is 1 or more");
    }
    return new RemoteSemaphore(node, membership, name, permits);
  }

  /**
   * Returns something that is done once in the whole cluster.
   *
   * @param name the name: letters, digits, {@code _} and {@code -}, at most 64
   * @return an object that does it
   */
  public RemoteOnce once(String name) {
    return new RemoteOnce(node, ClusterOptions.checkedName("once", name));
  }

  /**
   * Returns the id of this node: its name and a number. No other node ever has it.
   *
   * @return the id
   */
  public String id() {
    return node.id();
  }

  /**
   * Returns the name of this cluster.
   *
   * @return the name of {@link ClusterOptions#cluster}
   */
  public String name() {
    return node.options().cluster();
  }

  /**
   * Returns the nodes that have given a sign of life within their lease, this one included.
   *
   * @return the nodes, by id
   * @throws InterruptedException if the caller is interrupted while it waits for the engine
   */
  public List<Member> members() throws InterruptedException {
    return membership.members();
  }

  /**
   * Looks at the whole cluster: its nodes, channels and remote goroutines. Takes about as long as
   * the engine needs for two answers per channel, and a second if a member does not answer.
   *
   * @return how it is
   * @throws ClusterException if the engine does not answer
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  public ClusterStatus status() throws InterruptedException {
    return reader.read();
  }

  /**
   * Tells about the channels of this node: those that are open, and those that are opened later.
   * For metrics.
   *
   * @param opened is called with each channel, by this thread or the one that opens it; must return
   *     at once
   * @return ends the telling when it is run
   */
  public Runnable watchChannels(Consumer<RemoteChan<?>> opened) {
    return chans.watch(Objects.requireNonNull(opened, "opened"));
  }

  /**
   * Leaves the cluster. What this node holds is given back, its locks are released, and everything
   * that waits throws. Values that were sent stay. Closing again has no effect.
   */
  @Override
  public void close() {
    if (node.isOver()) {
      return;
    }
    node.sayFarewell();
    node.end(new ClusterException("this cluster was closed"));
    try {
      membership.leave();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ClusterException e) {
      // The engine is away: the others notice when the lease ends.
    }
    node.engine().close();
  }

  @Override
  public String toString() {
    return "Cluster[" + node.options().cluster() + ", node " + node.id() + " " + node.place() + "]";
  }
}
