package io.heddle.cluster;

import io.heddle.Chan;
import io.heddle.Mutex;
import io.heddle.Select;
import io.heddle.Timer;
import io.heddle.cluster.spi.AwayException;
import io.heddle.cluster.spi.Registry.Entry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A lock that one goroutine of one node holds at a time, as a {@link Lease}. See
 * {@link Cluster#mutex}.
 *
 * {@snippet :
 * try (Lease lease = cluster.mutex("ledger").lock()) {
 *   storage.write(entry, lease.token());   // refuses a token below the largest it has seen
 * }
 * }
 *
 * <p>Any thread may use it. It is not reentrant, and fair only roughly: of several that wait, any
 * may be next.
 *
 * <p>Memory consistency: a lock orders no accesses to fields, not even within one process. What the
 * holders share must be in a storage that compares tokens, or in a channel. For fields of one
 * process use {@link io.heddle.Mutex}.
 */
public final class RemoteMutex {
  private static final String PATH = "lock";

  /** Makes the values of the keys differ. */
  private static final AtomicLong HOLDS = new AtomicLong();

  private final Node node;
  private final String name;
  private final String what;
  private final String path;

  RemoteMutex(Node node, String name) {
    this.node = node;
    this.name = name;
    this.what = "remote lock " + name;
    this.path = PATH + "." + name;
  }

  /**
   * Waits for the lock.
   *
   * @return the lock, held
   * @throws InterruptedException if the caller is interrupted while it waits
   * @throws CancellationException if the caller's {@link io.heddle.Context#current} ends meanwhile
   * @throws ClusterException if the engine does not answer, or the cluster was closed
   */
  public Lease lock() throws InterruptedException {
    Optional<Lease> free = tryLock();
    if (free.isPresent()) {
      return free.get();
    }
    try (Signals signals = new Signals(node, what, path)) {
      while (true) {
        Optional<Lease> lease = tryLock();
        if (lease.isPresent()) {
          return lease.get();
        }
        signals.await(node.options().lease());
      }
    }
  }

  /**
   * Takes the lock if it is free.
   *
   * @return the lock, held; empty if another holds it
   * @throws InterruptedException if the caller is interrupted while it waits for the engine
   * @throws ClusterException if the engine does not answer, or the cluster was closed
   */
  public Optional<Lease> tryLock() throws InterruptedException {
    byte[] value = (node.id() + " " + HOLDS.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
    LeaseTime asked = node.clock().get();
    OptionalLong revision = node.keys().create(path + ".holder", value, node.options().lease());
    if (revision.isEmpty()) {
      return Optional.empty();
    }
    Hold hold = new Hold(value, revision.getAsLong(), asked);
    if (hold.hasExpired()) {
      hold.lease.close(); // the engine took too long to answer
      return Optional.empty();
    }
    return Optional.of(hold.lease);
  }

  @Override
  public String toString() {
    return "RemoteMutex[" + name + "]";
  }

  /** Keeps the key of one lease. */
  private final class Hold implements Lease.Holder {
    private final byte[] value;
    private final Lease lease;
    private final long leaseNanos = node.options().lease().toNanos();

    private final Chan<Void> released = Chan.external("release of " + what, 0);

    /** Held while the key is changed. */
    private final Mutex changing = new Mutex();

    private long revision; // guarded by changing
    private volatile LeaseTime since; // when the last confirmed renewal was sent
    private final Runnable farewell = this::leave;

    Hold(byte[] value, long revision, LeaseTime asked) {
      this.value = value;
      this.revision = revision;
      this.since = asked;
      this.lease = new Lease(what, revision, this);
      node.addFarewell(farewell);
      var _ = node.go("lease of " + what, this::keep);
    }

    @Override
    public boolean hasExpired() {
      return leftNanos() <= 0;
    }

    /** Renews the key until this is released or lost. After a loss, the key is given back. */
    private void keep() throws InterruptedException {
      Timer expiry = Timer.schedule(left(), this::expire);
      Duration pause = node.options().lease().dividedBy(3);
      boolean isKept = true;
      while (isKept) {
        var _ =
            Select.select(
                Select.recv(node.over()),
                Select.recv(released),
                Select.recv(lease.lost()),
                Select.after(pause));
        isKept = renewUnlessOver();
        boolean _ = expiry.reset(left());
      }
      boolean _ = expiry.stop();
      node.removeFarewell(farewell);
      boolean _ = lease.lose();
      if (!released.isClosed()) {
        release();
      }
    }

    private boolean renewUnlessOver() throws InterruptedException {
      changing.lockInterruptibly();
      try {
        return !node.isOver() && !released.isClosed() && !lease.isLost() && renew();
      } catch (AwayException e) {
        return true; // tries again, until the lease has expired
      } catch (ClusterException e) {
        return false;
      } finally {
        changing.unlock();
      }
    }

    private void leave() {
      if (lease.lose()) {
        release();
      }
    }

    private Duration left() {
      return Duration.ofNanos(leftNanos());
    }

    private long leftNanos() {
      return leaseNanos - since.until(node.clock().get());
    }

    private void expire() {
      if (hasExpired()) {
        boolean _ = lease.lose();
      }
    }

    /** Renews the key once. Returns false if it has gone to another. */
    private boolean renew() throws InterruptedException {
      var registry = node.engine().registry();
      LeaseTime asked = node.clock().get();
      Duration ttl = node.options().lease();
      OptionalLong next = registry.replace(path + ".holder", value, revision, ttl);
      if (next.isEmpty()) {
        // The answer to an earlier renewal may have been lost.
        Entry now = registry.get(path + ".holder");
        if (now == null || !Arrays.equals(now.value(), value)) {
          return false;
        }
        revision = now.revision();
        next = registry.replace(path + ".holder", value, revision, ttl);
      }
      if (next.isEmpty() || hasExpired()) {
        return false; // a late answer must not revive a lease whose holder may know of the loss
      }
      revision = next.getAsLong();
      since = asked;
      return true;
    }

    @Override
    public void release() {
      boolean interrupted = false;
      changing.lock();
      try {
        if (!released.isClosed()) {
          released.close();
        }
        // The answer to the last renewal may have been lost.
        Entry now = node.keys().get(path + ".holder");
        if (now != null && Arrays.equals(now.value(), value)) {
          boolean _ = node.keys().delete(path + ".holder", now.revision());
        }
      } catch (InterruptedException e) {
        interrupted = true; // it ends by itself, as it is not renewed any more
      } catch (ClusterException e) {
        // The engine is away, or the node has ended: it ends by itself.
      } finally {
        changing.unlock();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
