package io.heddle.cluster.local;

import io.heddle.Mutex;
import io.heddle.cluster.ClusterException;
import io.heddle.cluster.spi.Engine;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * An engine inside this process, with any number of nodes, for tests and simulations. It keeps
 * everything in memory, for as long as this object is used.
 *
 * {@snippet :
 * LocalHub hub = new LocalHub(new Faults(seed).drop(0.01));
 * Cluster a = Cluster.open(hub.connect("shop", "a"), options);
 * Cluster b = Cluster.open(hub.connect("shop", "b"), options);
 * hub.pause("b");                        // as SIGSTOP of its process
 * hub.resume("b");
 * hub.cut("a");                          // as an unplugged cable
 * hub.heal("a");
 * hub.crash("b");                        // as kill -9
 * }
 *
 * <p>Time is that of the caller's scheduler. In a {@link io.heddle.Bubble} the whole cluster is
 * deterministic: the seeds of the bubble and of the faults decide all.
 */
public final class LocalHub {
  private static final Map<String, LocalHub> SHARED = new ConcurrentHashMap<>();

  private final Mutex lock = new Mutex();
  private final @Nullable Faults faults;
  private final @Nullable String sharedAs;
  private final DueList dues = new DueList(this);
  private final Map<String, LocalCluster> clusters = new HashMap<>();
  private final Map<String, LocalLink> links = new LinkedHashMap<>();
  private final Queue<Runnable> callbacks = new ArrayDeque<>();
  private boolean callsBack;

  /** The logs, keys and subjects of one cluster. */
  record LocalCluster(Map<String, LocalLog> logs, LocalRegistry registry, LocalWire wire) {}

  /** Makes a hub whose messages always arrive, unless a node is cut, paused or crashed. */
  public LocalHub() {
    this(new Faults(0));
  }

  /**
   * Makes a hub.
   *
   * @param faults what happens to messages
   */
  public LocalHub(Faults faults) {
    this(Objects.requireNonNull(faults, "faults"), null);
  }

  private LocalHub(@Nullable Faults faults, @Nullable String sharedAs) {
    this.faults = faults;
    this.sharedAs = sharedAs;
  }

  /** Returns the hub of a URI, which is there until its last node has been closed. */
  static LocalHub shared(String uri) {
    return SHARED.computeIfAbsent(uri, name -> new LocalHub(null, name));
  }

  /**
   * Connects a node.
   *
   * @param cluster the name of its cluster; clusters share nothing
   * @param node the name of the node, unique in this hub
   * @return its engine
   * @throws ClusterException if a node of that name is connected
   */
  public Engine connect(String cluster, String node) {
    lock.lock();
    try {
      LocalLink link = new LocalLink(this, faults);
      if (sharedAs != null) {
        SHARED.put(sharedAs, this); // a close may have removed it since the caller found it
        links.put(node + " " + links.size() + " " + System.identityHashCode(link), link);
      } else if (links.putIfAbsent(node, link) != null) {
        throw new ClusterException("engine local: a node " + node + " is connected already");
      }
      LocalCluster state =
          clusters.computeIfAbsent(
              cluster,
              _ -> new LocalCluster(new HashMap<>(), new LocalRegistry(this), new LocalWire()));
      return new LocalEngine(this, link, state);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Loses all messages from and to a node, until it is healed.
   *
   * @param node the name of the node
   */
  public void cut(String node) {
    run(() -> link(node).cut());
  }

  /**
   * Ends a cut.
   *
   * @param node the name of the node
   */
  public void heal(String node) {
    run(() -> link(node).heal());
  }

  /**
   * Keeps back all messages from and to a node, until it is resumed: for the others it is as if its
   * process stood still.
   *
   * @param node the name of the node
   */
  public void pause(String node) {
    run(() -> link(node).pause());
  }

  /**
   * Ends a pause: the messages that were kept back arrive.
   *
   * @param node the name of the node
   */
  public void resume(String node) {
    run(() -> link(node).resume());
  }

  /**
   * Ends a node without a farewell: what it holds stays held until the leases end.
   *
   * @param node the name of the node; another one of this name may connect
   */
  public void crash(String node) {
    run(
        () -> {
          link(node).crash();
          links.remove(node);
        });
  }

  private LocalLink link(String node) {
    LocalLink link = links.get(node);
    if (link == null) {
      throw new ClusterException(
          "engine local: no node " + node + " is connected; there are " + links.keySet());
    }
    return link;
  }

  // For the other classes of this package.

  /** Runs {@code action} under the lock, and then the callbacks. */
  void run(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
      callBack();
    }
  }

  /** Adds a callback, which runs without the lock and after those added before. */
  void post(Runnable callback) {
    callbacks.add(callback);
  }

  DueList dues() {
    return dues;
  }

  void disconnect(LocalLink link) {
    links.values().remove(link);
    if (sharedAs != null && links.isEmpty()) {
      SHARED.remove(sharedAs, this);
    }
  }

  /** Runs the callbacks, unless another thread does. */
  private void callBack() {
    boolean isMine = false;
    try {
      for (Runnable next = nextCallback(false); next != null; next = nextCallback(true)) {
        isMine = true;
        next.run();
      }
      isMine = false;
    } finally {
      if (isMine) {
        release(); // a callback threw
      }
    }
  }

  /** Takes the next callback and the right to run callbacks; gives that back if there is none. */
  private @Nullable Runnable nextCallback(boolean isMine) {
    lock.lock();
    try {
      if (callsBack && !isMine) {
        return null;
      }
      Runnable next = callbacks.poll();
      callsBack = next != null;
      return next;
    } finally {
      lock.unlock();
    }
  }

  private void release() {
    lock.lock();
    try {
      callsBack = false;
    } finally {
      lock.unlock();
    }
  }
}
