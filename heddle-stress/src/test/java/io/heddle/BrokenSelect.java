package io.heddle;

import io.heddle.internal.wait.WaitNode;
import io.heddle.internal.wait.WaitState;
import java.util.concurrent.locks.LockSupport;

/**
 * The broken twin of a select over two channels: it tries one channel after the other, with a
 * separate wait for each.
 */
final class BrokenSelect {
  private final WaitState first = new WaitState();
  private final WaitState second = new WaitState();

  /** Without waiting: returns a value from one of the channels, or none. */
  static int tryReceive(Pipe a, Pipe b) {
    int v = a.tryReceive();
    BrokenChan.dawdle();
    return v == Pipe.NOTHING ? b.tryReceive() : v;
  }

  /** Receives from one of the channels. */
  int receive(Pipe a, Pipe b) {
    WaitNode met = a.standToReceive(first);
    Chan.wake(met);
    if (met != null) {
      return a.got(first);
    }
    return receiveSecond(a, b);
  }

  /** Sends {@code v} to one channel and returns that it did so, or receives from the other. */
  int sendOrReceive(Pipe a, int v, Pipe b) {
    WaitNode met = a.standToSend(first, v);
    Chan.wake(met);
    return met != null ? SelectStress.SENT : receiveSecond(a, b);
  }

  private int receiveSecond(Pipe a, Pipe b) {
    BrokenChan.dawdle();
    WaitNode met = b.standToReceive(second);
    Chan.wake(met);
    if (met == null) {
      awaitOne();
    }
    boolean isSecond = met != null || isOver(second);
    giveUp(a, first);
    giveUp(b, second);
    return isSecond ? b.got(second) : Math.max(a.got(first), SelectStress.SENT);
  }

  private void awaitOne() {
    while (!isOver(first) && !isOver(second)) {
      LockSupport.park(this);
    }
  }

  private static void giveUp(Pipe pipe, WaitState wait) {
    if (wait.giveUp(wait.round())) {
      pipe.leave(wait);
    }
  }

  private static boolean isOver(WaitState wait) {
    return wait.ended(wait.round()) >= 0;
  }
}
