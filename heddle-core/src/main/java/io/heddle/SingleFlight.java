package io.heddle;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes one call of several that come at the same time for the same key, as Go's {@code x/sync/singleflight} does: the
 * others wait for it and get what it returned, or threw.
 */
public final class SingleFlight<K, V extends @Nullable Object> {
  private final ConcurrentHashMap<K, Flight<V>> flights = new ConcurrentHashMap<>();

  /** One without calls. */
  public SingleFlight() {}

  /**
   * Makes the call, unless one for {@code key} is under way: then waits for that. All get the same value, or the same
   * exception.
   *
   * @throws IllegalStateException when the call for a key asks for that key itself, which in Go would wait for ever
   * @throws InterruptedException when interrupted while waiting, or because the call that all share was
   */
  public V run(K key, Callable<V> call) throws Exception {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(call, "call");
    Flight<V> mine = new Flight<>();
    Flight<V> other = flights.putIfAbsent(key, mine);
    if (other != null) {
      return other.join();
    }
    try {
      return mine.fly(call);
    } finally {
      flights.remove(key, mine);
      mine.land();
    }
  }

  /** The next {@link #run} with that key makes a call of its own, even if one is under way. */
  public void forget(K key) {
    flights.remove(Objects.requireNonNull(key, "key"));
  }

  /** One call. What it comes to is written before it lands, and read after waiting for that. */
  private static final class Flight<V extends @Nullable Object> {
    private final Thread caller = Thread.currentThread();
    private final WaitGroup landed = new WaitGroup();
    private @Nullable Object value;
    private @Nullable Throwable thrown;

    Flight() {
      landed.add(1);
    }

    V fly(Callable<V> call) throws Exception {
      try {
        V got = call.call();
        value = got;
        return got;
      } catch (Throwable t) {
        thrown = t;
        throw t;
      }
    }

    void land() {
      landed.done();
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // what fly got is a V
    V join() throws Exception {
      if (caller == Thread.currentThread()) {
        throw new IllegalStateException("run of a SingleFlight from inside its call for that key");
      }
      landed.await();
      switch (thrown) {
        case null -> {
          return (V) value;
        }
        case Exception e -> throw e;
        case Error e -> throw e;
        case Throwable t -> throw new IllegalStateException(t);
      }
    }
  }
}
