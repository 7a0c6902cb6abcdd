package io.heddle;

import io.heddle.internal.sched.SchedClock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a task is to know from who asked for it: that nobody wants its result any more, until when it is wanted, and
 * values. As in Go, contexts form a tree, and what ends one ends all below it.
 */
public sealed interface Context permits BackgroundContext, ValueContext, Context.Cancelable {
  /** The root: never ends, has no deadline and no values. */
  static Context background() {
    return BackgroundContext.INSTANCE;
  }

  /** The one that the caller {@linkplain #run runs} in, also through goroutines; {@link #background} if in none. */
  static Context current() {
    return CurrentContext.get();
  }

  /** Closed when it ends; nothing is ever sent. */
  Receiver<Void> done();

  /**
   * Why it has ended: a {@link java.util.concurrent.CancellationException}, or a {@link
   * java.util.concurrent.TimeoutException} after a deadline; null as long as it has not.
   */
  @Nullable Throwable err();

  /** What {@link Cancelable#cancel(Throwable)} was told, here or above; otherwise the same as {@link #err}. */
  @Nullable Throwable cause();

  /** When it will end at the latest, null if there is no such time. */
  @Nullable Instant deadline();

  /** The value that was given to {@code key}, here or, if it was not, above; null if there is none. */
  @SuppressWarnings("unchecked") // withValue takes no other
  default <T> @Nullable T value(Key<T> key) {
    return (T) ValueContext.find(this, Objects.requireNonNull(key, "key"));
  }

  /** One below this that can be cancelled. Cancel it in any case when it is no longer needed: this one knows it until then. */
  default Cancelable withCancel() {
    return CancelContext.below(this, null);
  }

  /**
   * One below this that ends after {@code d} at the latest, as long as the caller's scheduler is not closed before, whose
   * timer that is.
   */
  default Cancelable withTimeout(Duration d) {
    Objects.requireNonNull(d, "d");
    try {
      return withDeadline(SchedClock.instant().plus(d));
    } catch (DateTimeException | ArithmeticException e) {
      return withDeadline(d.isNegative() ? Instant.MIN : Instant.MAX); // further than time goes
    }
  }

  /** One below this that ends at {@code t} at the latest. */
  default Cancelable withDeadline(Instant t) {
    return CancelContext.below(this, Objects.requireNonNull(t, "t"));
  }

  /** One below this with a value more. */
  default <T> Context withValue(Key<T> key, T value) {
    return new ValueContext(this, key, value);
  }

  /**
   * Runs {@code r} when this has ended, at once if it has, in a goroutine of its own, of the scheduler of the caller; in
   * a virtual thread if the program has no goroutines.
   *
   * @return takes it back, unless {@code r} has been started
   */
  default Runnable onDone(Runnable r) {
    return CancelContext.onDone(this, Objects.requireNonNull(r, "r"));
  }

  /** Runs {@code t}: {@link #current} is this in it, and in the goroutines that are started there. */
  default void run(Task t) throws Exception {
    CurrentContext.run(this, Objects.requireNonNull(t, "t"));
  }

  /** One that can be ended before its time. Only the first end counts. */
  sealed interface Cancelable extends Context, AutoCloseable permits CancelContext {
    /** Ends it, and all below it. */
    void cancel();

    /** The same, and says why. */
    void cancel(Throwable cause);

    /** The same as {@link #cancel()}. */
    @Override
    void close();
  }

  /** What a value is found by: the same object, not one of the same name. */
  @SuppressWarnings("UnusedTypeParameter") // it is what value() returns
  final class Key<T> {
    private final String name;

    private Key(String name) {
      this.name = Objects.requireNonNull(name, "name");
    }

    /** A new one; the name is for people. */
    public static <T> Key<T> of(String name) {
      return new Key<>(name);
    }

    @Override
    public String toString() {
      return name;
    }
  }
}
