package io.heddle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a {@link Select} may do. Made by the methods there; can be used again and again, by one select at a time.
 */
public final class Case<T> {
  enum Kind {
    SEND,
    RECEIVE,
    AFTER,
    OR_ELSE
  }

  private static final VarHandle IN_USE;

  static {
    try {
      IN_USE = MethodHandles.lookup().findVarHandle(Case.class, "inUse", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final Kind kind;
  final @Nullable Chan<T> chan;
  final @Nullable Object toSend;
  final @Nullable Duration delay;
  private final Select.@Nullable OnReceive<T> onReceive;
  private final Select.@Nullable Then then;
  private @Nullable T value;

  // Its select's, while one uses it.
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
   * What this got when it fired last; null when its channel was closed, and when it is no receive. A handler that uses the
   * same case in a select of its own changes it.
   */
  public @Nullable T value() {
    return value;
  }

  /** For a select that is about to use it; false if another one does. */
  boolean tryUse() {
    return IN_USE.compareAndSet(this, false, true);
  }

  /** The same, but for two that try at the same moment: both may. */
  boolean tryUseUnguarded() {
    if ((boolean) IN_USE.getAcquire(this)) {
      return false;
    }
    IN_USE.setOpaque(this, true);
    return true;
  }

  /** Pairs with the compare-and-set of tryUse, and the look of tryUseUnguarded. */
  void endUseRelease() {
    IN_USE.setRelease(this, false);
  }

  /** It has fired, with {@code v}; what the user wants to be done then is done. */
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

  /** Without a lock: whether it could be done at one moment during the call, unless who waits for it is about to leave. */
  boolean looksReady() {
    if (chan == null) {
      return isReady();
    }
    return kind == Kind.SEND ? chan.looksOpenToSend() : chan.looksOpenToReceive();
  }

  /** Under the lock of its channel: whether it could be done now. */
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
