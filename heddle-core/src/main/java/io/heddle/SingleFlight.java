package io.heddle;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Merges concurrent calls for the same key into one: Go's {@code x/sync/singleflight}. The first
 * caller makes the call. Callers that come before the end of the call wait for that end, and get
 * the same result.
 *
 * {@snippet :
 * private final SingleFlight<String, Price> flights = new SingleFlight<>();
 *
 * Price price(String item) throws Exception {
 *   return flights.run(item, () -> askServer(item));   // one request at a time for each item
 * }
 * }
 *
 * <p>This is not a cache: when the call has ended, its result is forgotten and the next
 * {@link #run} makes a new call.
 *
 * <p>Goroutines and all other threads can use it at the same time. A caller that waits for the call
 * of another thread responds to interrupts; the call goes on.
 *
 * <p>Memory consistency: the actions of the call <i>happen-before</i> actions after each {@link
 * #run} that shares the call has returned, or has thrown what the call threw.
 *
 * @param <K> the type of the keys, with {@code equals} and {@code hashCode} as for a map
 * @param <V> the type of the results
 */
public final class SingleFlight<K, V extends @Nullable Object> {
  private final ConcurrentHashMap<K, Flight<V>> flights = new ConcurrentHashMap<>();

  /** Makes an instance without calls. */
  public SingleFlight() {}

  /**
   * Makes the call, or waits for a call for {@code key} that is under way. All callers get the same
   * value, or the same exception object.
   *
   * @param key the key, not null
   * @param call the call; ignored if another call for {@code key} is under way
   * @return what the call returned
   * @throws Exception what the call threw
   * @throws IllegalStateException if {@code call} itself calls this method with the same key; in Go
   *     it would wait forever
   * @throws InterruptedException if the caller is interrupted while it waits; or if the shared call
   *     threw it
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

  /**
   * Forgets the call for {@code key} that is under way, if there is one: the next {@link #run} with
   * that key makes a call of its own. Callers that already wait still get the result of the
   * forgotten call.
   *
   * @param key the key, not null
   */
  public void forget(K key) {
    flights.remove(Objects.requireNonNull(key, "key"));
  }

  /**
   * One call and its result. The first caller makes the call and writes the result in {@link #fly},
   * and then calls {@link #land}. The other callers wait in {@link #join} until {@link #land} was
   * called, and then read the result.
   */
  private static final class Flight<V extends @Nullable Object> {
    private final Thread caller = Thread.currentThread();
    private final WaitGroup landed = new WaitGroup(); // its counter is 1 until the call has ended
    private @Nullable Object value;
    private @Nullable Throwable thrown;

    Flight() {
      landed.add(1);
    }

    /** Makes the call, in the first caller, and keeps its result. */
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

    /** Lets the other callers continue. */
    void land() {
      landed.done();
    }

    /** Waits, in another caller, for the end of the call; returns or throws its result. */
    @SuppressWarnings({"unchecked", "NullAway"}) // fly stored a V
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
