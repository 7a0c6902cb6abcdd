package io.heddle;

import io.heddle.internal.sched.SchedClock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Carries a cancellation signal, a deadline and request-scoped values from a caller to the tasks
 * that it starts, as Go's {@code context.Context}.
 *
 * {@snippet :
 * try (var request = Context.current().withTimeout(Duration.ofSeconds(2))) {
 *   request.run(() -> answer(question));
 * }
 *
 * String answer(String question) throws InterruptedException {
 *   Context context = Context.current();   // the context of the caller, also in other goroutines
 *   var answer = recv(search(question));
 *   return select(answer, recv(context.done())) == answer ? answer.value() : "no time left";
 * }
 * }
 *
 * <p>Contexts form a tree. {@link #withCancel}, {@link #withTimeout}, {@link #withDeadline} and
 * {@link #withValue} make a context below this one. When a context ends, all contexts below it end.
 * The root, {@link #background}, never ends.
 *
 * <p>A context does not stop anything by itself: it interrupts no thread. Tasks watch
 * {@link #done}, check {@link #err}, or register code with {@link #onDone}. A goroutine inherits
 * the {@link #current} context from the goroutine or thread that starts it with {@link Go},
 * {@link Scheduler}, {@link WaitGroup}, {@link Timer#schedule} or an
 * {@linkplain Scheduler#executor executor}. Threads that are started with plain JDK calls do not
 * inherit it.
 *
 * <p>Contexts are immutable apart from their end. All methods can be called from any thread at the
 * same time, and none of them waits, except {@link #run} for its task.
 *
 * <p>Memory consistency: actions before the call of {@link Cancelable#cancel()} that ends a context
 * <i>happen-before</i> the code of {@link #onDone}. They also <i>happen-before</i> actions after a
 * receive from {@link #done}, and after an {@link #err} or {@link #cause} that is not null.
 */
public sealed interface Context permits BackgroundContext, ValueContext, Context.Cancelable {
  /**
   * Returns the root of all contexts. It never ends and has no deadline and no values.
   *
   * @return the root
   */
  static Context background() {
    return BackgroundContext.INSTANCE;
  }

  /**
   * Returns the context that the calling code {@linkplain #run runs} in, directly or in a goroutine
   * that inherited it.
   *
   * @return the current context; {@link #background} if there is none
   */
  static Context current() {
    return CurrentContext.get();
  }

  /**
   * Returns a channel that is closed when this context ends. No value is ever sent to it.
   *
   * @return the same channel each time
   */
  Receiver<Void> done();

  /**
   * Returns why this context has ended: a {@link java.util.concurrent.CancellationException}, or a
   * {@link java.util.concurrent.TimeoutException} after a deadline. When this is not null,
   * {@link #done} is closed.
   *
   * @return the reason; null if this context has not ended
   */
  @Nullable Throwable err();

  /**
   * Returns the cause of the end of this context. If {@link Cancelable#cancel(Throwable)} of this
   * context or of an ancestor ended this context, this is the argument of that call. Otherwise this
   * is {@link #err}.
   *
   * @return the cause; null if this context has not ended
   */
  @Nullable Throwable cause();

  /**
   * Returns the time at which this context ends at the latest.
   *
   * @return the deadline; null if there is none
   */
  @Nullable Instant deadline();

  /**
   * Returns the value for {@code key} in this context. If this context has none, returns the value
   * in the nearest ancestor that has one.
   *
   * @param <T> the type of the value
   * @param key the key
   * @return the value; null if there is none
   */
  @SuppressWarnings("unchecked") // withValue only accepts a T
  default <T> @Nullable T value(Key<T> key) {
    return (T) ValueContext.find(this, Objects.requireNonNull(key, "key"));
  }

  /**
   * Makes a context below this one that can be cancelled. Always cancel or close the new context
   * when it is no longer needed. Until it has ended, the nearest context above that can end refers
   * to it, so the garbage collector cannot collect it alone.
   *
   * @return a new context
   */
  default Cancelable withCancel() {
    return CancelContext.below(this, null);
  }

  /**
   * Makes a context below this one that ends after {@code d} at the latest. Its timer belongs to
   * the caller's scheduler, and does not fire if that scheduler is closed before. Close the new
   * context when it is no longer needed.
   *
   * @param d the time limit; zero or less ends the new context at once
   * @return a new context
   */
  default Cancelable withTimeout(Duration d) {
    Objects.requireNonNull(d, "d");
    try {
      return withDeadline(SchedClock.instant().plus(d));
    } catch (DateTimeException | ArithmeticException e) {
      // The deadline lies outside the range of Instant.
      return withDeadline(d.isNegative() ? Instant.MIN : Instant.MAX);
    }
  }

  /**
   * Makes a context below this one that ends at {@code t} at the latest. Otherwise like
   * {@link #withTimeout}.
   *
   * @param t the deadline; if it has passed, the new context ends at once
   * @return a new context
   */
  default Cancelable withDeadline(Instant t) {
    return CancelContext.below(this, Objects.requireNonNull(t, "t"));
  }

  /**
   * Makes a context below this one in which {@code key} has {@code value}.
   *
   * @param <T> the type of the value
   * @param key the key
   * @param value the value, not null
   * @return a new context
   */
  default <T> Context withValue(Key<T> key, T value) {
    return new ValueContext(this, key, value);
  }

  /**
   * Runs {@code r} in a goroutine of its own as soon as this context ends; at once if this context
   * has ended already. This is Go's {@code context.AfterFunc}. The goroutine belongs to the
   * caller's scheduler and inherits the caller's {@link #current} context. If Heddle cannot run in
   * this JVM, {@code r} runs in a plain virtual thread, which inherits no context.
   *
   * @param r what to run
   * @return a Runnable that cancels the registration; it has no effect if {@code r} was started
   *     already
   */
  default Runnable onDone(Runnable r) {
    return CancelContext.onDone(this, Objects.requireNonNull(r, "r"));
  }

  /**
   * Runs {@code t} in the calling thread. While {@code t} runs, {@link #current} returns this
   * context in {@code t} and in the goroutines that {@code t} starts. If this context ends,
   * {@code t} must notice that itself.
   *
   * @param t the task
   * @throws Exception what {@code t} threw
   */
  default void run(Task t) throws Exception {
    CurrentContext.run(this, Objects.requireNonNull(t, "t"));
  }

  /**
   * A context that can be cancelled. When {@code cancel} or {@code close} returns, this context and
   * all contexts below it have ended. On a context that has ended, these methods have no effect.
   */
  sealed interface Cancelable extends Context, AutoCloseable permits CancelContext {
    /** Ends this context and all contexts below it. */
    void cancel();

    /**
     * Ends this context and all contexts below it, and records why.
     *
     * @param cause what {@link #cause} then returns, not null
     */
    void cancel(Throwable cause);

    /** Ends this context as {@link #cancel()} does, for try-with-resources statements. */
    @Override
    void close();
  }

  /**
   * The key of a value in a context. A key is found by identity: two keys with the same name are
   * different.
   *
   * {@snippet :
   * static final Context.Key<User> USER = Context.Key.of("user");
   * // ...
   * context.withValue(USER, user).run(this::handle);
   * // in handle: User user = Context.current().value(USER);
   * }
   *
   * @param <T> the type of the values
   */
  @SuppressWarnings("UnusedTypeParameter") // value() returns it
  final class Key<T> {
    private final String name;

    private Key(String name) {
      this.name = Objects.requireNonNull(name, "name");
    }

    /**
     * Makes a new key.
     *
     * @param <T> the type of the values
     * @param name a name that {@code toString} returns
     * @return a new key
     */
    public static <T> Key<T> of(String name) {
      return new Key<>(name);
    }

    @Override
    public String toString() {
      return name;
    }
  }
}
