package io.heddle.cluster;

import io.heddle.Mutex;
import io.heddle.Timer;
import io.heddle.cluster.spi.Handed;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The frames that one receiver holds: renews their leases, and notices which are lost or leaked.
 */
final class Leases {
  /*
   * The map does not keep a Held from being collected. What will settle the frame does: the queue
   * of frames that came, the pump, each Delivery, a dead letter under way. So a Held that was
   * collected has a delivery that can never be settled, and its frame is given back.
   *
   * The lock guards all that is not final. No callback runs with the lock.
   */
  private final String label;
  private final long leaseNanos;
  private final Runnable onAllLost;
  private final Mutex lock = new Mutex();
  private final Map<Long, KeptFrame> held = new LinkedHashMap<>();
  private boolean isTicking;

  /** A frame whose lease is renewed for as long as {@code holder} is reachable. */
  private record KeptFrame(Handed frame, WeakReference<Held> holder) {}

  /**
   * Makes an empty set.
   *
   * @param onAllLost runs when leases have ended, and no other frame was held at that moment
   */
  Leases(String label, long leaseNanos, Runnable onAllLost) {
    this.label = label;
    this.leaseNanos = leaseNanos;
    this.onAllLost = onAllLost;
  }

  /** Begins to renew {@code one}. Returns the earlier holder of the same frame; null if none. */
  @Nullable Held add(Held one) {
    lock.lock();
    try {
      KeptFrame kept = new KeptFrame(one.frame(), new WeakReference<>(one));
      KeptFrame old = held.put(one.frame().sequence(), kept);
      tickLater();
      return old == null ? null : old.holder().get();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the renewals of {@code one}. Returns false if they were ended before. */
  boolean remove(Held one) {
    long sequence = one.frame().sequence();
    lock.lock();
    try {
      KeptFrame now = held.get(sequence);
      return now != null && now.holder().refersTo(one) && held.remove(sequence, now);
    } finally {
      lock.unlock();
    }
  }

  /** Forgets a frame whose lease has ended. */
  void drop(Held stale) {
    if (remove(stale)) {
      stale.lose();
      ClusterEvents.lost(label);
    }
  }

  /** Removes and loses all. */
  void loseAll() {
    List<KeptFrame> lost;
    lock.lock();
    try {
      lost = List.copyOf(held.values());
      held.clear();
    } finally {
      lock.unlock();
    }
    for (KeptFrame each : lost) {
      Held holder = each.holder().get();
      if (holder != null) {
        holder.lose();
      }
    }
  }

  int size() {
    lock.lock();
    try {
      return held.size();
    } finally {
      lock.unlock();
    }
  }

  /** The lock is held. */
  private void tickLater() {
    if (!isTicking) {
      isTicking = true;
      Timer _ = Timer.schedule(Duration.ofNanos(leaseNanos / 3), this::tick);
    }
  }

  /** Renews all leases. */
  private void tick() {
    List<Held> kept = new ArrayList<>();
    List<Held> lost = new ArrayList<>();
    List<Handed> leaked = new ArrayList<>();
    lock.lock();
    try {
      isTicking = false;
      for (KeptFrame each : List.copyOf(held.values())) {
        Held holder = each.holder().get();
        if (holder == null) {
          leaked.add(each.frame());
          held.remove(each.frame().sequence());
        } else if (holder.isStale()) {
          lost.add(holder);
        } else {
          kept.add(holder);
        }
      }
      if (!kept.isEmpty()) {
        tickLater();
      }
    } finally {
      lock.unlock();
    }
    lost.forEach(this::drop);
    if (!lost.isEmpty() && kept.isEmpty()) {
      onAllLost.run();
    }
    for (Handed each : leaked) {
      ClusterEvents.lost(label + ", a delivery that was never settled");
      var _ = each.giveBack(Duration.ZERO);
    }
    kept.forEach(Held::renew);
  }
}
