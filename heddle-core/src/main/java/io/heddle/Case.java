package io.heddle;

import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One case of a {@link Select}: a send, a receive, a time limit or the default. The static methods
 * of {@link Select} make cases, and its documentation has more examples.
 *
 * {@snippet :
 * Case<String> next = recv(words);            // made once, used in each round
 * Case<?> patience = after(Duration.ofSeconds(1));
 * while (select(next, patience) == next && next.value() != null) {   // null: words is closed
 *   System.out.println(next.value());
 * }
 * }
 *
 * <p>A case can be used in any number of selects, one after the other, also by other threads. Two
 * selects must not use it at the same time: the second one then throws
 * {@link IllegalStateException}. This check is exact if the case is the first case of both selects.
 * Otherwise it may miss two selects that begin at the same moment.
 *
 * @param <T> the type of the values that a receive returns
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

  // The operation of the last select whose first case was this one. It is kept so that a loop over
  // a select with the same cases allocates nothing. Only the select that has reserved this case
  // (see tryUse) writes the field.
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
   * Returns the value that this case received when a select last chose it. Call this in the thread
   * that called the select. If the handler of this case uses the case in another select, that
   * select changes the value.
   *
   * @return the value received; null if the channel was closed, or if this case does not receive
   */
  public @Nullable T value() {
    return value;
  }

  /** Reserves this case for the calling select. Returns false if it is reserved already. */
  boolean tryUse() {
    return IN_USE.compareAndSet(this, false, true);
  }

  /**
   * Reserves this case as {@link #tryUse} does, without a compare-and-set: two selects that try at
   * the same moment may both succeed. Returns false if it is reserved already.
   */
  boolean tryUseUnguarded() {
    if ((boolean) IN_USE.getAcquire(this)) {
      return false;
    }
    IN_USE.setOpaque(this, true);
    return true;
  }

  /**
   * Ends the reservation of this case by a select. The release store pairs with the compare-and-set
   * of {@link #tryUse} and with the acquire load of {@link #tryUseUnguarded}.
   */
  void endUseRelease() {
    IN_USE.setRelease(this, false);
  }

  /**
   * Ends a select that has chosen this case: stores the received value and runs the user's handler.
   * {@code v} is the received value. It is the mark {@code Chan.CLOSED} if the close of the channel
   * ended the wait. It is null if nothing was received. Throws {@link ClosedChanException} if
   * {@code v} is that mark and this case sends.
   */
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
   * Returns whether {@link #isReady} would probably return true. Takes no lock, so for a case with
   * a channel the result is only a hint.
   */
  boolean looksReady() {
    if (chan == null) {
      return isReady();
    }
    return kind == Kind.SEND ? chan.looksOpenToSend() : chan.looksOpenToReceive();
  }

  /**
   * Returns whether this case can proceed without waiting. The result true may be wrong if the
   * waiter on the other side of the channel is about to leave. The default case is never ready. The
   * caller holds the lock of this case's channel, if it has one.
   */
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
