package io.heddle.cluster;

import io.heddle.Chan;
import io.heddle.Mutex;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Frames that came from the engine and wait for the pump, in their order.
 *
 * <p>The engine hands out no more than a window. But a frame that is lost and comes again is here
 * twice: so those that are lost make room. To give back the new one at once instead would use up
 * its attempts in no time.
 */
final class Incoming {
  private final int room;
  private final Predicate<Held> isDropped;
  private final Mutex lock = new Mutex();
  private final Queue<Held> frames = new ArrayDeque<>(); // guarded by lock

  /** Tells the pump that a frame has come; closed at the end. */
  private final Chan<Boolean> came;

  /**
   * Makes an empty queue.
   *
   * @param isDropped drops a frame if it is lost
   */
  Incoming(String label, int room, Predicate<Held> isDropped) {
    this.room = room;
    this.isDropped = isDropped;
    this.came = Chan.external("frames of " + label, 1);
  }

  /** Adds a frame. Returns false if there is no room. Does not wait; not after the close. */
  boolean add(Held one) {
    lock.lock();
    try {
      if (frames.size() >= room) {
        frames.removeIf(isDropped);
      }
      if (frames.size() >= room) {
        return false;
      }
      frames.add(one);
    } finally {
      lock.unlock();
    }
    boolean _ = came.trySend(true);
    return true;
  }

  /** Waits for the next frame; null after the close, when all were taken. */
  @Nullable Held next() throws InterruptedException {
    Boolean hasCome = true;
    while (hasCome != null) {
      Held next = poll();
      if (next != null) {
        return next;
      }
      hasCome = came.receive();
    }
    return null;
  }

  private @Nullable Held poll() {
    lock.lock();
    try {
      return frames.poll();
    } finally {
      lock.unlock();
    }
  }

  void close() {
    came.close();
  }
}
