package io.heddle;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the first of several things, as Go's {@code select}: {@code import static io.heddle.Select.*;}.
 *
 * <pre>{@code
 * select(
 *     recv(orders, order -> handle(order)),
 *     send(results, result),
 *     after(Duration.ofSeconds(1), () -> giveUp()));
 * }</pre>
 */
public final class Select {
  private Select() {}

  /** What to do with what was received; null: the channel is closed. */
  @FunctionalInterface
  public interface OnReceive<T> {
    /** In the thread that selects. */
    void accept(@Nullable T v) throws InterruptedException;
  }

  /** What to do when a case has fired. */
  @FunctionalInterface
  public interface Then {
    /** In the thread that selects. */
    void run() throws InterruptedException;
  }

  /**
   * Does one of {@code cases}, chosen at random among those that can be done now, or the first that can. Then runs that
   * one's handler, in the caller, and returns it. With no case at all it waits for ever.
   *
   * @throws ClosedChanException if it chose to send on a channel that is closed
   * @throws InterruptedException if the caller is interrupted while it waits, and nothing was done; or if a handler throws
   */
  public static Case<?> select(Case<?>... cases) throws InterruptedException {
    return SelectOperation.of(cases).select();
  }

  /** Receive. A channel that is null is never ready. */
  public static <T> Case<T> recv(@Nullable Receiver<T> c) {
    return new Case<>(Case.Kind.RECEIVE, (Chan<T>) c, null, null, null, null);
  }

  /** Receive, and do {@code then} with it. */
  public static <T> Case<T> recv(@Nullable Receiver<T> c, OnReceive<T> then) {
    Objects.requireNonNull(then, "then");
    return new Case<>(Case.Kind.RECEIVE, (Chan<T>) c, null, null, then, null);
  }

  /** Send {@code v}. A channel that is null is never ready. */
  public static <T> Case<T> send(@Nullable Sender<T> c, T v) {
    Objects.requireNonNull(v, "v");
    return new Case<>(Case.Kind.SEND, (Chan<T>) c, v, null, null, null);
  }

  /** Send {@code v}, and do {@code then}. */
  public static <T> Case<T> send(@Nullable Sender<T> c, T v, Then then) {
    Objects.requireNonNull(v, "v");
    Objects.requireNonNull(then, "then");
    return new Case<>(Case.Kind.SEND, (Chan<T>) c, v, null, null, then);
  }

  /** Wait for so long, from each select that this is used in. */
  public static Case<Void> after(Duration d) {
    Objects.requireNonNull(d, "d");
    return new Case<>(Case.Kind.AFTER, null, null, d, null, null);
  }

  /** Wait for so long, and do {@code then}. */
  public static Case<Void> after(Duration d, Then then) {
    Objects.requireNonNull(d, "d");
    Objects.requireNonNull(then, "then");
    return new Case<>(Case.Kind.AFTER, null, null, d, null, then);
  }

  /** If nothing else can be done now: Go's {@code default}. */
  public static Case<Void> orElse() {
    return new Case<>(Case.Kind.OR_ELSE, null, null, null, null, null);
  }

  /** If nothing else can be done now, do {@code then}. */
  public static Case<Void> orElse(Then then) {
    Objects.requireNonNull(then, "then");
    return new Case<>(Case.Kind.OR_ELSE, null, null, null, null, then);
  }
}
