package io.heddle.cluster;

import io.heddle.Chan;
import io.heddle.Receiver;

/**
 * A lock, or a share of a semaphore, that is held until it is closed, or lost.
 *
 * {@snippet :
 * try (Lease lease = cluster.mutex("ledger").lock()) {
 *   storage.write(entry, lease.token());   // refuses a token below the largest it has seen
 * }
 * }
 *
 * <p>The node renews it. If the node is paused, or cut off from the engine, for longer than
 * {@link ClusterOptions#lease}, it is lost: another node may hold it then. The holder learns of
 * that by {@link #lost} and {@link #isLost}, by its own clock, before the engine gives it to
 * another. A holder that was paused may act in the moment before it looks; so what is guarded must
 * compare the {@link #token}.
 *
 * <p>Any thread may use it.
 */
public final class Lease implements AutoCloseable {
  private final String what;
  private final long token;
  private final Chan<Void> lost;
  private final Holder holder;
  private boolean isOver;

  /** What keeps the lease. */
  interface Holder {
    /** Whether the time is over up to which the engine has granted it. */
    boolean hasExpired();

    /** Gives it back; waits for the engine. */
    void release();
  }

  Lease(String what, long token, Holder holder) {
    this.what = what;
    this.token = token;
    this.holder = holder;
    this.lost = Chan.external("loss of " + what, 0);
  }

  /**
   * Returns the fencing token: larger than that of every earlier holder.
   *
   * @return the token, 1 or more
   */
  public long token() {
    return token;
  }

  /**
   * Returns a channel that is closed when this lease is lost. It is not closed by {@link #close}.
   *
   * @return the same channel each time
   */
  public Receiver<Void> lost() {
    return lost;
  }

  /**
   * Returns whether this lease is lost: another node may hold it.
   *
   * @return whether {@link #lost} is closed, or is about to be
   */
  public boolean isLost() {
    return lost.isClosed() || holder.hasExpired();
  }

  /** Gives back what is held. After a loss, and the second time, this has no effect. */
  @Override
  public void close() {
    synchronized (this) {
      if (isOver) {
        return;
      }
      isOver = true;
    }
    holder.release();
  }

  /** Says that this is lost. Returns false if it was closed or lost before. Does not wait. */
  boolean lose() {
    synchronized (this) {
      if (isOver) {
        return false;
      }
      isOver = true;
    }
    lost.close();
    ClusterEvents.lost(what);
    return true;
  }

  @Override
  public String toString() {
    return "Lease[" + what + ", token " + token + (isLost() ? ", lost]" : "]");
  }
}
