package io.heddle.cluster;

import io.heddle.Go;
import io.heddle.cluster.spi.Registry.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A number of permits that the goroutines of all nodes share. See {@link Cluster#semaphore}.
 *
 * {@snippet :
 * RemoteSemaphore slots = cluster.semaphore("slots", 10);
 * try (Lease lease = slots.acquire(2)) {   // waits until two of the ten are free
 *   convert(file);
 * }
 * }
 *
 * <p>A holder keeps its permits for as long as its node is a member. If the node dies, or is cut
 * off for longer than its lease, they are free again, and {@link Lease#lost} tells the holder.
 *
 * <p>Any thread may use it. There is no order among those that wait: one that wants many permits
 * may wait for long.
 *
 * <p>Memory consistency: permits order no accesses to fields, not even within one process. For that
 * use {@link io.heddle.Semaphore}.
 */
public final class RemoteSemaphore {
  /*
   * One key has the shares of all leases. Other nodes remove a share only when its node is no
   * member. So a share that is stored and has no lease would take its permits for as long as its
   * node lives.
   *
   * Taker: 1. Reads the state. 2. Writes it with its share, against the revision that it has read.
   * 3. Makes the lease.
   *
   * The share may be stored as soon as step 2 has begun: the write may throw because its answer was
   * lost, and it may be refused after its first copy was stored and another node has changed the
   * key. A taker that has begun step 2 and does not reach step 3 is therefore a releaser.
   *
   * Releaser: 1. Reads the state. 2. Writes it without the share, against the revision that it has
   * read. 3. Repeats both until a write is confirmed, or this node has ended. It also writes if the
   * share is not there, because the taker's write may still be under way: it is refused once the
   * revision has grown.
   */
  private static final String PATH = "sem";
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Codec<State> JSON = Codec.json(State.class);
  private static final AtomicLong CHANGES = new AtomicLong();

  private final Node node;
  private final Membership membership;
  private final String name;
  private final String what;
  private final String path;
  private final String key;
  private final long permits;

  RemoteSemaphore(Node node, Membership membership, String name, long permits) {
    this.node = node;
    this.membership = membership;
    this.name = name;
    this.what = "remote semaphore " + name;
    this.path = PATH + "." + name;
    this.key = path + ".holders";
    this.permits = permits;
  }

  /** The value of the key; {@code change} differs from write to write, as {@link Keys} demands. */
  record State(long permits, List<Share> shares, String change) {
    State {
      shares = List.copyOf(shares);
    }

    long free() {
      return permits - shares.stream().mapToLong(Share::weight).sum();
    }
  }

  /** What one lease holds. */
  record Share(String id, String node, long weight) {
    Share {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(node, "node");
    }
  }

  /**
   * Waits for permits.
   *
   * @param weight how many, from 1 to all
   * @return the permits, held
   * @throws InterruptedException if the caller is interrupted while it waits
   * @throws java.util.concurrent.CancellationException if the caller's
   *     {@link io.heddle.Context#current} ends meanwhile
   * @throws ClusterException if the semaphore has another number of permits, the engine does not
   *     answer, or the cluster was closed
   */
  public Lease acquire(long weight) throws InterruptedException {
    Optional<Lease> free = tryAcquire(weight);
    if (free.isPresent()) {
      return free.get();
    }
    try (Signals signals = new Signals(node, what, path)) {
      while (true) {
        Optional<Lease> lease = tryAcquire(weight);
        if (lease.isPresent()) {
          return lease.get();
        }
        signals.await(LOOK); // also for the death of nodes, which changes no key here
      }
    }
  }

  /**
   * Takes permits if enough are free.
   *
   * @param weight how many, from 1 to all
   * @return the permits, held; empty if too few are free
   * @throws InterruptedException if the caller is interrupted while it waits for the engine
   * @throws ClusterException as of {@link #acquire}
   */
  public Optional<Lease> tryAcquire(long weight) throws InterruptedException {
    if (weight < 1 || weight > permits) {
      throw new IllegalArgumentException(
          what + ": weight " + weight + ": allowed is 1 to " + permits);
    }
    Share mine = new Share(change(), node.id(), weight);
    boolean mayBeStored = false;
    boolean isHeld = false;
    try {
      // While the others count this node as dead, its share would be gone at once.
      while (membership.isAlive()) {
        long asked = Go.nanoTime();
        Entry entry = node.keys().get(key);
        State state = state(entry);
        check(state);
        if (entry != null && state.shares().contains(mine)) {
          isHeld = true; // the answer was lost
          return Optional.of(lease(mine, entry.revision()));
        }
        if (state.free() < weight) {
          state = withoutTheDead(state);
        }
        if (state.free() < weight) {
          return Optional.empty();
        }
        List<Share> shares = new ArrayList<>(state.shares());
        shares.add(mine);
        mayBeStored = true;
        OptionalLong revision = set(entry, permits, shares);
        if (revision.isPresent() && membership.isAliveSince(asked)) {
          isHeld = true;
          return Optional.of(lease(mine, revision.getAsLong()));
        }
        if (revision.isPresent()) {
          return Optional.empty();
        }
      }
      return Optional.empty();
    } finally {
      if (mayBeStored && !isHeld) {
        releaseLater(mine);
      }
    }
  }

  private String change() {
    return node.id() + " " + CHANGES.incrementAndGet();
  }

  private State state(@Nullable Entry entry) {
    try {
      return entry == null ? new State(permits, List.of(), "") : JSON.decode(entry.value());
    } catch (CodecException e) {
      throw node.failure(
          what, "its key " + key + " has no state of a semaphore: " + e.getMessage(), e);
    }
  }

  private void check(State state) {
    if (state.permits() != permits) {
      throw node.failure(what, "exists with " + state.permits() + " permits, not " + permits);
    }
  }

  private OptionalLong set(@Nullable Entry before, long all, List<Share> shares)
      throws InterruptedException {
    byte[] value = JSON.encode(new State(all, shares, change()));
    return before == null
        ? node.keys().create(key, value, null)
        : node.keys().replace(key, value, before.revision(), null);
  }

  private State withoutTheDead(State state) throws InterruptedException {
    Set<String> members = new HashSet<>();
    for (Member each : membership.members()) {
      members.add(each.id());
    }
    return new State(
        state.permits(),
        state.shares().stream().filter(share -> members.contains(share.node())).toList(),
        state.change());
  }

  private Lease lease(Share mine, long token) {
    return membership.keep(
        holder ->
            new Lease(
                what,
                token,
                new Lease.Holder() {
                  @Override
                  public boolean hasExpired() {
                    return !membership.isAlive();
                  }

                  @Override
                  public void release() {
                    holder.forget();
                    releaseNowOrLater(mine);
                  }
                }),
        () -> releaseNowOrLater(mine));
  }

  private void releaseNowOrLater(Share mine) {
    try {
      release(mine);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      releaseLater(mine);
    } catch (ClusterException e) {
      releaseLater(mine); // the engine is away
    }
  }

  private void releaseLater(Share mine) {
    if (!node.isOver()) {
      var _ = node.go("release of " + what, () -> releaseSurely(mine));
    }
  }

  /**
   * Releases a share, unless this node ends: then it is no member, and its share does not count.
   */
  private void releaseSurely(Share mine) throws InterruptedException {
    while (!node.isOver()) {
      try {
        release(mine);
        return;
      } catch (ClusterException e) {
        node.pause(LOOK); // the engine is away
      }
    }
  }

  private void release(Share mine) throws InterruptedException {
    boolean isReleased = false;
    while (!isReleased) {
      Entry entry = node.keys().get(key);
      State state = state(entry);
      List<Share> shares = new ArrayList<>(state.shares());
      shares.remove(mine);
      isReleased = set(entry, state.permits(), shares).isPresent();
    }
  }

  @Override
  public String toString() {
    return "RemoteSemaphore[" + name + ", " + permits + " permits]";
  }
}
