package io.heddle;

import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One case of a {@link Select}: a send, a receive, a time limit or the default. The static methods
 * of {@link Select} make cases.
 *
 * <p>A case can be used again in any number of selects, also by other threads, but by one select at
 * a time; otherwise {@link Select#select} throws {@link IllegalStateException}. This check is
 * certain for the first case of a select and best effort for the others.
 *
 * @param <T> the type of the values that a receive yields
 */
public final class Case<T> {
  enum Kind {
    SEND,
    RECEIVE,
    AFTER,
    OR_ELSE
  }

  private static final VarHandle IN_USE =
      Handles.field(MethodHandles.lookup(), "inUse", boolean.class);

  final Kind kind;
  final @Nullable Chan<T> chan;
  final @Nullable Object toSend;
  final @Nullable Duration delay;
  private final Select.@Nullable OnReceive<T> onReceive;
  private final Select.@Nullable Then then;
  private @Nullable T value;

  // The operation of the last select that had this case as its first; kept so that a loop with the
  // same cases allocates nothing. Only the select that has reserved the case writes it.
  @Nullable SelectOperation selecting;
  private volatile boolean inUse;

  Case(
      Kind kind,
      @Nullable Chan<T> chan,
      @Nullable Object toSend,
      @Nullable Duration delay,
      Select.@Nullable OnReceive<T> onReceive,
      Select.@Nullable Then then) {
    this.kind = kind;
    this.chan = chan;
    this.toSend = toSend;
    this.delay = delay;
    this.onReceive = onReceive;
    this.then = then;
  }

  /**
   * Returns what this case received when it fired last. Call this in the thread that selected. A
   * handler that uses this case in a select of its own changes the value.
   *
   * @return the value received; null if the channel was closed, or if this case does not receive
   */
  public @Nullable T value() {
    return value;
  }

  /** Reserves this case for the calling select. Returns false if another select uses this case. */
  boolean tryUse() {
    return IN_USE.compareAndSet(this, false, true);
  }

  /**
   * Reserves this case as {@link #tryUse} does, without a compare-and-set: two selects that try at
   * the same moment may both succeed.
   */
  boolean tryUseUnguarded() {
    if ((boolean) IN_USE.getAcquire(this)) {
      return false;
    }
    IN_USE.setOpaque(this, true);
    return true;
  }

  /**
   * Gives up the reservation of this case by a select. The release store pairs with the
   * compare-and-set of tryUse and with the acquire load of tryUseUnguarded.
   */
  void endUseRelease() {
    IN_USE.setRelease(this, false);
  }

  /** Takes the result {@code v} after this case has fired, and runs the user's handler. */
  void fired(@Nullable Object v) throws InterruptedException {
    if (kind == Kind.SEND) {
      Chan.checkSent(v);
    }
    value = kind == Kind.RECEIVE ? Chan.received(v) : null;
    if (onReceive != null) {
      onReceive.accept(value);
    } else if (then != null) {
      then.run();
    }
  }

  /**
   * Returns whether this case was ready at one moment during the call; takes no lock. The result
   * true may be wrong if the waiter on the other side of the channel is about to leave.
   */
  boolean looksReady() {
    if (chan == null) {
      return isReady();
    }
    return kind == Kind.SEND ? chan.looksOpenToSend() : chan.looksOpenToReceive();
  }

  /** Returns whether this case is ready. The caller holds the lock of this case's channel. */
  boolean isReady() {
    if (chan == null) {
      return kind == Kind.AFTER && delay != null && !delay.isPositive();
    }
    return kind == Kind.SEND ? chan.canSend() : chan.canReceive();
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
