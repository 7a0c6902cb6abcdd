package io.heddle;

import static io.heddle.Interruptible.calm;
import static io.heddle.Select.after;
import static io.heddle.Select.orElse;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static io.heddle.Select.send;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.heddle.internal.wait.WaitNode;
import io.heddle.internal.wait.WaitState;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Selects on real cores, under jcstress: scenes with the real select, and with a broken twin.
 *
 * <p>An outcome that is not listed is forbidden. There are two unbuffered channels; values are
 * positive, 0 is none.
 */
public class SelectStress {
  /** The result of a select that has sent. */
  static final int SENT = 1;

  private SelectStress() {}

  /** Two channels, and which waiter is left in the end. */
  public abstract static class TwoChannels {
    final Pipe.Sound a = new Pipe.Sound(0);
    final Pipe.Sound b = new Pipe.Sound(0);

    final int receiveEither() throws InterruptedException {
      Case<Integer> one = recv(a.chan);
      Case<Integer> other = recv(b.chan);
      Integer v = select(one, other) == one ? one.value() : other.value();
      return v == null ? 0 : v;
    }

    /** How many stale waiters receive or send a value. */
    final int ghosts() {
      int takers = ChanStress.trySend(a, 7) + Math.max(0, ChanStress.trySend(b, 7));
      int givers = (a.tryReceive() > 0 ? 1 : 0) + (b.tryReceive() > 0 ? 1 : 0);
      return takers + givers;
    }
  }

  /** The received value, and whether each sender has sent. */
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "the first, and the second still waits")
  @Outcome(id = "2, 0, 1", expect = ACCEPTABLE, desc = "the second, and the first still waits")
  public abstract static class SelectAndTwoSenders extends TwoChannels {
    private final WaitState first = new WaitState();
    private final WaitState second = new WaitState();
    private boolean isFirstAtOnce;
    private boolean isSecondAtOnce;

    final void sendBoth() {
      isFirstAtOnce = stand(a, first, 1);
      isSecondAtOnce = stand(b, second, 2);
    }

    private static boolean stand(Pipe pipe, WaitState wait, int v) {
      WaitNode met = pipe.standToSend(wait, v);
      Chan.wake(met);
      return met != null;
    }

    final void end(III_Result r) {
      r.r2 = isFirstAtOnce || first.ended(first.round()) >= 0 ? 1 : 0;
      r.r3 = isSecondAtOnce || second.ended(second.round()) >= 0 ? 1 : 0;
    }
  }

  @JCStressTest
  @State
  public static class SelectAgainstTwoSenders extends SelectAndTwoSenders {
    @Actor
    public void selector(III_Result r) {
      r.r1 = calm(this::receiveEither);
    }

    @Actor
    public void senders() {
      sendBoth();
    }

    @Arbiter
    public void look(III_Result r) {
      end(r);
    }
  }

  @JCStressTest
  @State
  public static class SelectAgainstTwoSendersBroken extends SelectAndTwoSenders {
    @Actor
    public void selector(III_Result r) {
      r.r1 = new BrokenSelect().receive(a, b);
    }

    @Actor
    public void senders() {
      sendBoth();
    }

    @Arbiter
    public void look(III_Result r) {
      end(r);
    }
  }

  /**
   * One actor tries one channel while the other channel is closed: the received value, whether it
   * was sent, and the stale waiters.
   */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "received what was sent")
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "saw the close")
  @State
  public static class SelectAgainstClose extends TwoChannels {
    @Actor
    public void selector(III_Result r) {
      r.r1 = calm(this::receiveEither);
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = ChanStress.trySend(a, 1);
      b.close();
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = ghosts();
    }
  }

  /** The result of the interrupted select, whether a send succeeded, and the stale waiters. */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "received what was sent")
  @Outcome(id = "-1, 0, 0", expect = ACCEPTABLE, desc = "interrupted, and nothing sent")
  @State
  public static class SelectAgainstInterrupt extends TwoChannels {
    private final Interruptible selector = new Interruptible();

    @Actor
    public void selector(III_Result r) {
      r.r1 = selector.run(this::receiveEither);
    }

    @Actor
    public void other(III_Result r) {
      selector.interrupt();
      r.r2 = ChanStress.trySend(b, 1);
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = ghosts();
    }
  }

  /** The sums of what was received and sent in two rounds, and the stale waiters. */
  @Outcome(
      id = {"0, 0, 0", "1, 1, 0", "2, 2, 0", "3, 3, 0"},
      expect = ACCEPTABLE,
      desc = "received what was sent")
  public abstract static class SelectAndTime extends TwoChannels {
    /** At most about as long as two rounds take. */
    private static final int SPINS = 100;

    private final Case<Void> time = after(Duration.ofNanos(500));
    private final Case<Integer> value = recv(a.chan);
    private volatile boolean begun;

    final int receiveTwice() throws InterruptedException {
      begun = true;
      return receive() + receive();
    }

    private int receive() throws InterruptedException {
      Integer v = select(time, value) == value ? value.value() : null;
      return v == null ? 0 : v;
    }

    final int sendTwice() {
      while (!begun) {
        Thread.yield();
      }
      return sendSoon(1) + 2 * sendSoon(2);
    }

    private int sendSoon(int v) {
      for (int i = ThreadLocalRandom.current().nextInt(SPINS); i > 0; i--) {
        Thread.onSpinWait();
      }
      return ChanStress.trySend(a, v);
    }
  }

  /** A platform thread: its wait ends by timeout. */
  @JCStressTest
  @State
  public static class SelectAgainstTime extends SelectAndTime {
    @Actor
    public void selector(III_Result r) {
      r.r1 = calm(this::receiveTwice);
    }

    @Actor
    public void sender(III_Result r) {
      r.r2 = sendTwice();
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = ghosts();
    }
  }

  /** A goroutine: a timer ends its wait. */
  @JCStressTest
  @State
  public static class SelectAgainstTimer extends SelectAndTime {
    private int received;

    @Actor
    public void selector(III_Result r) {
      Goroutine g = Go.go(() -> received = receiveTwice());
      r.r1 =
          calm(
              () -> {
                g.join();
                return received;
              });
    }

    @Actor
    public void sender(III_Result r) {
      r.r2 = sendTwice();
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = ghosts();
    }
  }

  /**
   * Each select sends to one channel or receives from the other: two selects meet exactly once, in
   * any order of their cases.
   */
  @Outcome(
      id = {"1, 3, 0", "2, 1, 0"},
      expect = ACCEPTABLE,
      desc = "one has sent, the other has received")
  public abstract static class SelectAndSelect extends TwoChannels {
    static int sendOrReceive(Pipe.Sound to, int v, Pipe.Sound from) throws InterruptedException {
      Case<Integer> one = send(to.chan, v);
      Case<Integer> other = recv(from.chan);
      Integer got = select(one, other).equals(one) ? null : other.value();
      return got == null ? SENT : got;
    }
  }

  @JCStressTest
  @State
  public static class SelectAgainstSelect extends SelectAndSelect {
    @Actor
    public void one(III_Result r) {
      r.r1 = calm(() -> sendOrReceive(a, 3, b));
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = calm(() -> sendOrReceive(b, 2, a));
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = ghosts();
    }
  }

  @JCStressTest
  @State
  public static class SelectAgainstSelectBroken extends SelectAndSelect {
    @Actor
    public void one(III_Result r) {
      r.r1 = new BrokenSelect().sendOrReceive(a, 3, b);
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = new BrokenSelect().sendOrReceive(b, 2, a);
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = ghosts();
    }
  }

  /**
   * A value moves from one channel to the other and is always in one of them: a select always finds
   * it.
   */
  @Outcome(
      id = {"1", "2"},
      expect = ACCEPTABLE,
      desc = "found one")
  public abstract static class SelectAndMove {
    final Pipe.Sound a = new Pipe.Sound(1);
    final Pipe.Sound b = new Pipe.Sound(1);

    SelectAndMove() {
      boolean _ = b.trySend(1);
    }

    final void move() {
      boolean _ = a.trySend(2);
      int _ = b.tryReceive();
    }
  }

  @JCStressTest
  @State
  public static class SelectAgainstMove extends SelectAndMove {
    @Actor
    public void selector(I_Result r) {
      Case<Integer> one = recv(a.chan);
      Case<Integer> other = recv(b.chan);
      int _ = calm(() -> select(one, other, orElse()).hashCode());
      Integer v = one.value() == null ? other.value() : one.value();
      r.r1 = v == null ? 0 : v;
    }

    @Actor
    public void mover() {
      move();
    }
  }

  @JCStressTest
  @State
  public static class SelectAgainstMoveBroken extends SelectAndMove {
    @Actor
    public void selector(I_Result r) {
      r.r1 = BrokenSelect.tryReceive(a, b);
    }

    @Actor
    public void mover() {
      move();
    }
  }
}
