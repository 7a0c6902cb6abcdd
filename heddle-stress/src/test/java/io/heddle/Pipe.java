package io.heddle;

import io.heddle.internal.wait.WaitNode;
import io.heddle.internal.wait.WaitState;
import org.jspecify.annotations.Nullable;

/**
 * The common interface of {@link Chan} and {@link BrokenChan}, so that one scene can test both.
 * Values are positive.
 *
 * <p>Waiting is possible in one call, or in steps for callers that must not park: join the queue,
 * check for a result, leave.
 */
interface Pipe {
  /** No value was received. */
  int NOTHING = 0;

  /** The result of a twin's receive that was never woken. */
  int FORGOTTEN_HERE = -2;

  boolean trySend(int v);

  int tryReceive();

  /** False: the waiter was forgotten; only a twin returns it. */
  boolean send(int v) throws InterruptedException;

  int receive() throws InterruptedException;

  void close();

  int length();

  boolean isClosed();

  /** Null: {@code wait} has begun a round and is in the queue. */
  @Nullable WaitNode standToSend(WaitState wait, int v);

  /**
   * Starts a receive in steps. If the result is not null, {@code wait} has {@link #got} the
   * received value.
   */
  @Nullable WaitNode standToReceive(WaitState wait);

  /** Called after the wait was given up. */
  void leave(WaitState wait);

  int got(WaitState wait);

  boolean wasClosed(WaitState wait);

  /** The real channel. */
  final class Sound implements Pipe {
    final Chan<Integer> chan;

    Sound(int capacity) {
      this.chan = Chan.make(capacity);
    }

    @Override
    public boolean trySend(int v) {
      return chan.trySend(v);
    }

    @Override
    public int tryReceive() {
      return orNothing(chan.tryReceive());
    }

    @Override
    public boolean send(int v) throws InterruptedException {
      chan.send(v);
      return true;
    }

    @Override
    public int receive() throws InterruptedException {
      return orNothing(chan.receive());
    }

    @Override
    public void close() {
      chan.close();
    }

    @Override
    public int length() {
      return chan.length();
    }

    @Override
    public boolean isClosed() {
      return chan.isClosed();
    }

    @Override
    public @Nullable WaitNode standToSend(WaitState wait, int v) {
      chan.lock();
      try {
        WaitNode met = chan.sendLocked(v);
        if (met == null) {
          long _ = wait.begin("test");
          wait.item = v;
          chan.waitToSend(wait);
        }
        return met;
      } finally {
        chan.unlock();
      }
    }

    @Override
    public @Nullable WaitNode standToReceive(WaitState wait) {
      chan.lock();
      try {
        WaitNode met = chan.receiveLocked();
        if (met == null) {
          long _ = wait.begin("test");
          wait.item = null;
          chan.waitToReceive(wait);
        } else {
          wait.item = chan.takeTaken();
        }
        return met;
      } finally {
        chan.unlock();
      }
    }

    @Override
    public void leave(WaitState wait) {
      chan.lock();
      try {
        chan.leave(wait);
      } finally {
        chan.unlock();
      }
    }

    @Override
    public int got(WaitState wait) {
      return orNothing(Chan.received(wait.item));
    }

    @Override
    public boolean wasClosed(WaitState wait) {
      try {
        Chan.checkSent(wait.item);
        return false;
      } catch (ClosedChanException e) {
        return true;
      }
    }

    private static int orNothing(@Nullable Integer v) {
      return v == null ? NOTHING : v;
    }
  }
}
