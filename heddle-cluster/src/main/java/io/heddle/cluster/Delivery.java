package io.heddle.cluster;

import io.heddle.Context;
import io.heddle.Go;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A value that this node holds until it settles it: with {@link #ack}, {@link #retry} or
 * {@link #reject}, each at most once.
 *
 * {@snippet :
 * try (Delivery<Order> order = orders.receive()) {   // null if the channel is closed and drained
 *   book(order.value());
 *   order.ack();
 * }                                                  // given back if it was not acknowledged
 * }
 *
 * <p>The node renews the lease of a delivery for as long as the program holds the delivery, so the
 * work may take hours. A node that was paused or cut off for longer than the lease has lost the
 * delivery: it is delivered again, the {@link #context} ends, and {@link #ack} throws {@link
 * StaleDeliveryException}.
 *
 * <p>A delivery that was neither settled nor closed, and that the program cannot reach any more, is
 * given back after the garbage collector has noticed. So a goroutine that forgets one, or ends with
 * one, delays the value and does not lose it.
 *
 * <p>A delivery may be settled by any thread.
 *
 * @param <T> the type of the value
 */
public final class Delivery<T> implements AutoCloseable {
  private final Inbox<T> inbox;
  private final Held held;
  private final Frame.Item item;
  private final long receivedAt = Go.nanoTime();
  private final T value;
  private final String id;
  private final String sender;
  private final int attempt;
  private final AtomicBoolean isSettled = new AtomicBoolean();
  private Context.@Nullable Cancelable context;

  Delivery(
      Inbox<T> inbox, Held held, Frame.Item item, T value, String id, String sender, int attempt) {
    this.inbox = inbox;
    this.held = held;
    this.item = item;
    this.value = value;
    this.id = id;
    this.sender = sender;
    this.attempt = attempt;
  }

  /**
   * Returns the value that was sent.
   *
   * @return the value
   */
  public T value() {
    return value;
  }

  /**
   * Returns a text that no other value of the channel has, the same each time the value is
   * delivered. Remember it to find out what was done already.
   *
   * @return the id
   */
  public String id() {
    return id;
  }

  /**
   * Returns how often the value has been delivered, as far as the engine knows.
   *
   * @return 1 for the first time
   */
  public int attempt() {
    return attempt;
  }

  /**
   * Returns which node sent the value.
   *
   * @return the id of the node
   */
  public String sender() {
    return sender;
  }

  /**
   * Returns a context that ends when the sender's deadline is over, and when this delivery is lost
   * or settled. It has the sender's {@link Cluster#TRACE}.
   *
   * @return the same context each time
   */
  public synchronized Context context() {
    Context.Cancelable made = context;
    if (made == null) {
      Context base = Context.background();
      if (item.trace() != null) {
        base = base.withValue(Cluster.TRACE, item.trace());
      }
      long left = item.left() - (Go.nanoTime() - receivedAt) / 1_000_000;
      made = item.left() < 0 ? base.withCancel() : base.withTimeout(Duration.ofMillis(left));
      context = made;
      held.watch(made);
      if (isSettled.get()) {
        made.cancel();
      }
    }
    return made;
  }

  /**
   * Returns whether this delivery is lost: its lease has ended, and the value is delivered again.
   *
   * @return whether {@link #ack} would throw {@link StaleDeliveryException}
   */
  public boolean isStale() {
    return held.isStale();
  }

  /**
   * Says that the value was dealt with: it is not delivered again. Does not wait for the engine; if
   * this node dies before the engine hears of it, the value is delivered again. If the engine
   * refuses it later, the flight recorder is told; {@link #ackAndAwait} throws then.
   *
   * @throws StaleDeliveryException if the lease has ended, or the engine has refused at once: the
   *     value is delivered again
   * @throws IllegalStateException if this delivery was settled before
   */
  public void ack() {
    settle("ack");
    inbox.throwIfRefused(inbox.acked(held), id);
  }

  /**
   * Says that the value was dealt with, and waits until the engine has confirmed that. If the
   * value's message has other values that are not settled yet, the engine confirms that this node
   * still holds the message. Takes one round trip to the engine.
   *
   * @throws StaleDeliveryException if the lease has ended, also if only the engine knows that: the
   *     value is delivered again
   * @throws ClusterException if the engine has not answered; the value may be delivered again
   * @throws IllegalStateException if this delivery was settled before
   * @throws InterruptedException if the caller is interrupted while it waits; the delivery is
   *     settled
   */
  public void ackAndAwait() throws InterruptedException {
    settle("ack");
    inbox.ackedAndAwait(held, id);
  }

  /**
   * Gives the value back, to be delivered again after a pause that grows with each attempt, from
   * 0.1 to 30 seconds. After {@link RemoteChan.Builder#attempts} deliveries it becomes a dead
   * letter.
   *
   * @throws StaleDeliveryException if the lease has ended: the value is delivered again anyhow
   * @throws IllegalStateException if this delivery was settled before
   */
  public void retry() {
    long millis = Math.min(30_000, 100L << Math.clamp(attempt - 1L, 0, 9));
    retry(Duration.ofMillis(millis));
  }

  /**
   * Gives the value back, to be delivered again.
   *
   * @param delay how long to keep it back
   * @throws StaleDeliveryException if the lease has ended: the value is delivered again anyhow
   * @throws IllegalStateException if this delivery was settled before
   */
  public void retry(Duration delay) {
    settle("retry");
    inbox.givenBack(held, this, delay);
  }

  /**
   * Gives up the value: it becomes a dead letter. Returns when that is stored.
   *
   * @param reason why, for {@link DeadLetter#reason}
   * @throws StaleDeliveryException if the lease has ended: the value is delivered again
   * @throws IllegalStateException if this delivery was settled before
   * @throws InterruptedException if the caller is interrupted while it waits; the value is not
   *     settled
   */
  public void reject(String reason) throws InterruptedException {
    settle("reject");
    boolean done = false;
    try {
      inbox.bury(letter(reason));
      done = true;
    } finally {
      if (!done) {
        isSettled.set(false);
      }
    }
    inbox.throwIfRefused(inbox.acked(held), id);
  }

  /** Gives the value back at once, if it was not settled. */
  @Override
  public void close() {
    if (isSettled.compareAndSet(false, true)) {
      endContext();
      if (held.isStale()) {
        inbox.drop(held);
      } else {
        inbox.givenBack(held, this, Duration.ZERO);
      }
    }
  }

  /** As {@link #retry}, after a failure that must not be hidden by a loss. */
  void retryUnlessLost() {
    if (isStale()) {
      close();
    } else {
      try {
        retry();
      } catch (StaleDeliveryException e) {
        // Lost at this moment: it is delivered again.
      }
    }
  }

  /** Gives the value back, which has not been handed to the program. */
  void returnUnseen() {
    if (isSettled.compareAndSet(false, true)) {
      inbox.returnUnseen(held);
    }
  }

  private void settle(String how) {
    if (!isSettled.compareAndSet(false, true)) {
      throw new IllegalStateException(
          how + " of a delivery of " + inbox.label() + " that was settled already");
    }
    endContext();
    if (held.isStale()) {
      inbox.drop(held);
      throw new StaleDeliveryException(
          how
              + " of "
              + id
              + " of "
              + inbox.label()
              + ": the lease has ended, it is delivered again");
    }
  }

  private synchronized void endContext() {
    if (context != null) {
      held.unwatch(context);
    }
  }

  Delivery<T> again() {
    return new Delivery<>(inbox, held, item, value, id, sender, attempt + 1);
  }

  DeadLetter letter(String reason) {
    return inbox.letter(id, reason, attempt, sender, item);
  }

  @Override
  public String toString() {
    return "Delivery[" + id + ", attempt " + attempt + "]";
  }
}
