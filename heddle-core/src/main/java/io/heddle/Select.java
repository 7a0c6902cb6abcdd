package io.heddle;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the first of several channel operations, as Go's {@code select} statement. The examples
 * need {@code import static io.heddle.Select.*;}.
 *
 * {@snippet :
 * select(
 *     recv(orders, order -> handle(order)),        // null if the channel is closed
 *     send(results, result),
 *     after(Duration.ofSeconds(1), () -> giveUp()));
 * }
 *
 * <p>If several cases are ready, one of them is chosen at random, each with the same probability.
 * If none is ready, the caller waits for the first; with {@link #orElse} among the cases it does
 * not wait. Exactly one case fires. Its handler, if it has one, runs in the caller, after the
 * operation and before {@link #select} returns. A receive from a closed channel is always ready and
 * yields {@code null}. A channel that is {@code null} is never ready, which switches a case off:
 *
 * {@snippet :
 * Case<Event> fromA = recv(a);
 * Case<Event> fromB = recv(b);
 * while (true) {                      // reuses the cases in each round
 *   Case<?> fired = select(fromA, fromB);
 *   if (fired == fromA) {
 *     handle(fromA.value());
 *   } else {
 *     handle(fromB.value());
 *   }
 * }
 * }
 *
 * <p>Goroutines and all other threads can select. One {@link Case} must not be used by two selects
 * at the same time: that throws {@link IllegalStateException}. A select that would have to wait
 * responds to interrupts, like an operation of {@link Chan}.
 *
 * <p>Memory consistency is that of {@link Chan}. The case that fires has the effect of the send or
 * receive for which it stands; the other cases have no effect.
 */
public final class Select {
  private Select() {}

  /**
   * The handler of a case that receives.
   *
   * @param <T> the type of the values
   */
  @FunctionalInterface
  public interface OnReceive<T> {
    /**
     * Handles a value, in the thread that selects.
     *
     * @param v the value received; null if the channel is closed
     * @throws InterruptedException if the handler waits and is interrupted; {@link Select#select}
     *     throws it, too
     */
    void accept(@Nullable T v) throws InterruptedException;
  }

  /** The handler of a case that sends, of a time limit or of the default. */
  @FunctionalInterface
  public interface Then {
    /**
     * Runs in the thread that selects, after the case has fired.
     *
     * @throws InterruptedException if the handler waits and is interrupted; {@link Select#select}
     *     throws it, too
     */
    void run() throws InterruptedException;
  }

  /**
   * Performs one of {@code cases}: one that is ready, chosen at random, or else the first that
   * becomes ready. Then runs the handler of that case in the calling thread. Without any case this
   * waits until the caller is interrupted.
   *
   * @param cases the cases; at most one of them may be {@link #orElse}
   * @return the case that fired; {@link Case#value} has what it received
   * @throws ClosedChanException if the chosen case sends to a closed channel
   * @throws InterruptedException if the caller is interrupted while it would have to wait, and then
   *     no case fired; or if the handler throws it
   * @throws IllegalStateException if a case is used twice at the same time, in this select or in
   *     another one
   * @throws IllegalArgumentException if there are two {@link #orElse} cases, or more than 65534
   *     cases
   */
  public static Case<?> select(Case<?>... cases) throws InterruptedException {
    return SelectOperation.of(cases).select();
  }

  /**
   * Makes a case that receives; {@link Case#value} has the value.
   *
   * @param <T> the type of the values
   * @param c the channel; null is never ready
   * @return a new case
   */
  public static <T> Case<T> recv(@Nullable Receiver<T> c) {
    return new Case<>(Case.Kind.RECEIVE, (Chan<T>) c, null, null, null, null);
  }

  /**
   * Makes a case that receives and passes the value to {@code then}.
   *
   * @param <T> the type of the values
   * @param c the channel; null is never ready
   * @param then gets the value; null if the channel is closed
   * @return a new case
   */
  public static <T> Case<T> recv(@Nullable Receiver<T> c, OnReceive<T> then) {
    Objects.requireNonNull(then, "then");
    return new Case<>(Case.Kind.RECEIVE, (Chan<T>) c, null, null, then, null);
  }

  /**
   * Makes a case that sends {@code v}.
   *
   * @param <T> the type of the values
   * @param c the channel; null is never ready
   * @param v the value, not null
   * @return a new case
   */
  public static <T> Case<T> send(@Nullable Sender<T> c, T v) {
    Objects.requireNonNull(v, "v");
    return new Case<>(Case.Kind.SEND, (Chan<T>) c, v, null, null, null);
  }

  /**
   * Makes a case that sends {@code v} and then runs {@code then}.
   *
   * @param <T> the type of the values
   * @param c the channel; null is never ready
   * @param v the value, not null
   * @param then runs after the value was sent
   * @return a new case
   */
  public static <T> Case<T> send(@Nullable Sender<T> c, T v, Then then) {
    Objects.requireNonNull(v, "v");
    Objects.requireNonNull(then, "then");
    return new Case<>(Case.Kind.SEND, (Chan<T>) c, v, null, null, then);
  }

  /**
   * Makes a case that becomes ready after {@code d}, counted from each select in which it is used.
   * With zero or less it is ready at once.
   *
   * @param d the time limit
   * @return a new case
   */
  public static Case<Void> after(Duration d) {
    Objects.requireNonNull(d, "d");
    return new Case<>(Case.Kind.AFTER, null, null, d, null, null);
  }

  /**
   * Makes a case that becomes ready after {@code d}, counted from each select in which it is used,
   * and then runs {@code then}.
   *
   * @param d the time limit
   * @param then runs after the time limit
   * @return a new case
   */
  public static Case<Void> after(Duration d, Then then) {
    Objects.requireNonNull(d, "d");
    Objects.requireNonNull(then, "then");
    return new Case<>(Case.Kind.AFTER, null, null, d, null, then);
  }

  /**
   * Makes a case that fires if no other case is ready: Go's {@code default}. A select with this
   * case never waits.
   *
   * @return a new case
   */
  public static Case<Void> orElse() {
    return new Case<>(Case.Kind.OR_ELSE, null, null, null, null, null);
  }

  /**
   * Makes a case that fires if no other case is ready, and then runs {@code then}. A select with
   * this case never waits.
   *
   * @param then runs if no other case was ready
   * @return a new case
   */
  public static Case<Void> orElse(Then then) {
    Objects.requireNonNull(then, "then");
    return new Case<>(Case.Kind.OR_ELSE, null, null, null, null, then);
  }
}
