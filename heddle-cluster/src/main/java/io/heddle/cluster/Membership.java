package io.heddle.cluster;

import io.heddle.Go;
import io.heddle.cluster.spi.Registry.Entry;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.IntSupplier;

/** Tells the others about this node, every third of its lease, and reads what they tell. */
final class Membership {
  static final String PATH = "node";

  private static final Codec<Member> JSON = Codec.json(Member.class);
  private static final Duration NAME_TTL = Duration.ofMinutes(1);
  private static final AtomicLong NONCES = new AtomicLong();

  private final Node node;
  private final IntSupplier tasks;
  private final Runnable onGap;
  private final Instant since = Go.now();
  private final String host = hostName();
  private long revision; // of this node's key; written by the beating goroutine, after join

  /** When the last sign of life was sent that the others have seen. */
  private volatile LeaseTime lastSign;

  /** By {@link Go#nanoTime}: since when the others have not counted this node as dead. */
  private volatile long aliveSince;

  /** The leases that end with the membership, and what gives them back. Guarded by itself. */
  private final Map<Kept, Lease> kept = new LinkedHashMap<>();

  /**
   * Makes the membership of a node.
   *
   * @param tasks how many tasks the node runs
   * @param onGap runs when the node is a member again, after the others may have counted it as dead
   */
  Membership(Node node, IntSupplier tasks, Runnable onGap) {
    this.node = node;
    this.tasks = tasks;
    this.onGap = onGap;
    this.lastSign = node.clock().get();
  }

  /** A lease that ends with the membership. */
  final class Kept {
    private final Runnable giveBack;

    private Kept(Runnable giveBack) {
      this.giveBack = giveBack;
    }

    void forget() {
      synchronized (kept) {
        kept.remove(this);
      }
    }
  }

  int leases() {
    synchronized (kept) {
      return kept.size();
    }
  }

  /** Makes a lease that is lost with the membership; {@code giveBack} then runs in a goroutine. */
  Lease keep(Function<Kept, Lease> make, Runnable giveBack) {
    Kept one = new Kept(giveBack);
    Lease lease = make.apply(one);
    synchronized (kept) {
      kept.put(one, lease);
    }
    if (node.isOver()) {
      loseAll();
    }
    return lease;
  }

  /** The others may have counted this node as dead: what depends on its life is lost. */
  private void loseAll() {
    Map<Kept, Lease> all;
    synchronized (kept) {
      all = new LinkedHashMap<>(kept);
      kept.clear();
    }
    all.forEach(
        (one, lease) -> {
          if (lease.lose() && !node.isOver()) {
            var _ = node.go("release after a loss", one.giveBack::run);
          }
        });
  }

  /** Takes an id, and enters this node. */
  void join() throws InterruptedException {
    node.joined(node.options().node() + "-" + Long.toString(number(), Character.MAX_RADIX));
    LeaseTime asked = node.clock().get();
    OptionalLong created = node.keys().create(key(), self(), node.options().lease());
    revision = created.orElseThrow(() -> node.failure("node " + node.id(), "exists already"));
    aliveSince = asked.nanos();
    lastSign = asked;
    node.onOver(_ -> loseAll());
    var _ = node.go("heartbeat of " + node.id(), this::beat);
  }

  /** Returns a number that no node had before: the revision of a key that all nodes write. */
  private long number() throws InterruptedException {
    String key = "incarnation." + node.options().node();
    String nonce = ProcessHandle.current().pid() + "-" + NONCES.incrementAndGet() + "-" + since;
    byte[] value = nonce.getBytes(StandardCharsets.UTF_8);
    while (true) {
      Entry last = node.keys().get(key);
      OptionalLong number =
          last == null
              ? node.keys().create(key, value, NAME_TTL)
              : node.keys().replace(key, value, last.revision(), NAME_TTL);
      if (number.isPresent()) {
        return number.getAsLong();
      }
    }
  }

  private String key() {
    return PATH + "." + node.id();
  }

  private byte[] self() {
    return JSON.encode(
        new Member(
            node.id(),
            node.options().node(),
            host,
            ProcessHandle.current().pid(),
            Runtime.version().toString(),
            node.procs(),
            node.goroutines(),
            tasks.getAsInt(),
            since));
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }

  private void beat() throws InterruptedException {
    Duration period = node.options().lease().dividedBy(3);
    boolean isLost = false;
    while (!node.isOver()) {
      node.pause(period);
      if (node.isOver()) {
        return;
      }
      boolean isKept = renew();
      if (!isLost && !isKept && !isAlive()) {
        isLost = true;
        loseAll();
      }
      if (isKept) {
        isLost = false;
      }
    }
  }

  /** Whether the others count this node as alive, by its own clocks. */
  boolean isAlive() {
    return lastSign.until(node.clock().get()) < node.options().lease().toNanos();
  }

  /** Whether the others have counted this node as alive ever since, by its own clock. */
  boolean isAliveSince(long time) {
    return isAlive() && aliveSince - time <= 0;
  }

  /** Tells about this node again. Returns whether it was entered without a gap. */
  private boolean renew() throws InterruptedException {
    Duration lease = node.options().lease();
    LeaseTime asked = node.clock().get();
    try {
      var keys = node.engine().registry();
      OptionalLong next = keys.replace(key(), self(), revision, lease);
      boolean isGap = next.isEmpty();
      if (isGap) {
        Entry now = keys.get(key());
        // The answer to an earlier renewal may have been lost.
        next =
            now == null
                ? keys.create(key(), self(), lease)
                : keys.replace(key(), self(), now.revision(), lease);
        isGap = now == null;
      }
      if (next.isEmpty()) {
        return false;
      }
      revision = next.getAsLong();
      if (isGap || !isAlive()) {
        aliveSince = Go.nanoTime();
        loseAll();
        onGap.run();
      }
      lastSign = asked;
      return true;
    } catch (ClusterException e) {
      return false; // the engine is away: the next beat tries again
    }
  }

  List<Member> members() throws InterruptedException {
    return members(node);
  }

  static List<Member> members(Node node) throws InterruptedException {
    List<Member> members = new ArrayList<>();
    for (Entry entry : node.keys().list(PATH)) {
      try {
        members.add(JSON.decode(entry.value()));
      } catch (CodecException e) {
        // Not written by a node of this version.
      }
    }
    members.sort(Comparator.comparing(Member::id));
    return members;
  }

  /** Whether a node has given a sign of life within its lease. */
  static boolean isMember(Node node, String id) throws InterruptedException {
    return id.equals(node.id()) || node.keys().get(PATH + "." + id) != null;
  }

  /** Tells the others that this node leaves. */
  void leave() throws InterruptedException {
    Entry now = node.engine().registry().get(key());
    if (now != null) {
      boolean _ = node.engine().registry().delete(key(), now.revision());
    }
  }
}
