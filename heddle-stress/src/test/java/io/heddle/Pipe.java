package io.heddle;

import io.heddle.internal.wait.WaitNode;
import io.heddle.internal.wait.WaitState;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Chan} and {@link BrokenChan} have in common, so that one scene can try both. Values are positive.
 *
 * <p>Waiting can be done in one go, and in steps, for who must not park: stand in the queue, look what has come, leave.
 */
interface Pipe {
  /** Received nothing. */
  int NOTHING = 0;

  /** What a receive of a twin returns that nobody has woken. */
  int FORGOTTEN_HERE = -2;

  boolean trySend(int v);

  int tryReceive();

  /** False: forgotten, which only a twin knows. */
  boolean send(int v) throws InterruptedException;

  int receive() throws InterruptedException;

  void close();

  int length();

  boolean isClosed();

  /** Null: {@code wait} has begun a round and stands there. */
  @Nullable WaitNode standToSend(WaitState wait, int v);

  /** The same; if not null, {@code wait} has {@link #got} what was received. */
  @Nullable WaitNode standToReceive(WaitState wait);

  /** After the wait was given up. */
  void leave(WaitState wait);

  int got(WaitState wait);

  boolean wasClosed(WaitState wait);

  /** The real one. */
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
