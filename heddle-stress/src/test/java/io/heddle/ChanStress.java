package io.heddle;

import static io.heddle.Interruptible.calm;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.heddle.BrokenChan.Fault;
import io.heddle.internal.wait.WaitNode;
import io.heddle.internal.wait.WaitState;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Channels on real cores, under jcstress: scenes with the real channel, and with a broken twin.
 *
 * <p>An outcome that is not listed is forbidden. A lost wakeup of the real channel hangs, which
 * JcstressTest detects; the twin's waiter then wakes by timeout. Values are positive, 0 is none.
 * The file is long because jcstress requires a class per scene and capacity.
 */
public class ChanStress {
  /** The result of a send. */
  static final int SENT = 1;

  static final int CLOSED = -1;
  static final int FORGOTTEN = -2;

  private ChanStress() {}

  static int send(Pipe pipe, int v) throws InterruptedException {
    try {
      return pipe.send(v) ? SENT : FORGOTTEN;
    } catch (ClosedChanException e) {
      return CLOSED;
    }
  }

  static int trySend(Pipe pipe, int v) {
    try {
      return pipe.trySend(v) ? SENT : 0;
    } catch (ClosedChanException e) {
      return CLOSED;
    }
  }

  /** Two values are sent, each with a plain field that was written before. */
  @Outcome(
      id = "12, 11",
      expect = ACCEPTABLE,
      desc = "both values in order, with their plain fields")
  public abstract static class SendAndReceive {
    private final Pipe pipe;
    private int letter;
    private int other;

    SendAndReceive(Pipe pipe) {
      this.pipe = pipe;
    }

    final void send() {
      letter = 1;
      int _ = calm(() -> ChanStress.send(pipe, 1));
      other = 1;
      int _ = calm(() -> ChanStress.send(pipe, 2));
    }

    final void receive(II_Result r) {
      int first = calm(pipe::receive);
      int itsLetter = letter;
      int second = calm(pipe::receive);
      r.r1 = 10 * first + second;
      r.r2 = 10 * itsLetter + other;
    }
  }

  @JCStressTest
  @State
  public static class SendAgainstReceiveOf0 extends SendAndReceive {
    public SendAgainstReceiveOf0() {
      super(new Pipe.Sound(0));
    }

    @Actor
    public void sender() {
      send();
    }

    @Actor
    public void receiver(II_Result r) {
      receive(r);
    }
  }

  @JCStressTest
  @State
  public static class SendAgainstReceiveOf1 extends SendAndReceive {
    public SendAgainstReceiveOf1() {
      super(new Pipe.Sound(1));
    }

    @Actor
    public void sender() {
      send();
    }

    @Actor
    public void receiver(II_Result r) {
      receive(r);
    }
  }

  @JCStressTest
  @State
  public static class SendAgainstReceiveOf3 extends SendAndReceive {
    public SendAgainstReceiveOf3() {
      super(new Pipe.Sound(3));
    }

    @Actor
    public void sender() {
      send();
    }

    @Actor
    public void receiver(II_Result r) {
      receive(r);
    }
  }

  @JCStressTest
  @State
  public static class SendAgainstReceiveBroken extends SendAndReceive {
    public SendAgainstReceiveBroken() {
      super(new BrokenChan(0, Fault.LOOKS_THEN_STANDS));
    }

    @Actor
    public void sender() {
      send();
    }

    @Actor
    public void receiver(II_Result r) {
      receive(r);
    }
  }

  /**
   * The result of the send, the value that the closer received before the close, and the value left
   * in the channel.
   */
  @Outcome(
      id = {"1, 1, 0", "1, 0, 1"},
      expect = ACCEPTABLE,
      desc = "sent, and received once")
  @Outcome(id = "-1, 0, 0", expect = ACCEPTABLE, desc = "closed, and not received")
  public abstract static class SendAndClose {
    private final Pipe pipe;

    SendAndClose(Pipe pipe) {
      this.pipe = pipe;
    }

    final int send() {
      return calm(() -> ChanStress.send(pipe, 1));
    }

    final int takeAndClose() {
      int taken = pipe.tryReceive();
      pipe.close();
      return taken;
    }

    final int rest() {
      return pipe.tryReceive();
    }
  }

  @JCStressTest
  @State
  public static class SendAgainstCloseOf0 extends SendAndClose {
    public SendAgainstCloseOf0() {
      super(new Pipe.Sound(0));
    }

    @Actor
    public void sender(III_Result r) {
      r.r1 = send();
    }

    @Actor
    public void closer(III_Result r) {
      r.r2 = takeAndClose();
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = rest();
    }
  }

  @JCStressTest
  @State
  public static class SendAgainstCloseOf1 extends SendAndClose {
    public SendAgainstCloseOf1() {
      super(new Pipe.Sound(1));
    }

    @Actor
    public void sender(III_Result r) {
      r.r1 = send();
    }

    @Actor
    public void closer(III_Result r) {
      r.r2 = takeAndClose();
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = rest();
    }
  }

  @JCStressTest
  @State
  public static class SendAgainstCloseBroken extends SendAndClose {
    public SendAgainstCloseBroken() {
      super(new BrokenChan(0, Fault.LOOKS_THEN_STANDS));
    }

    @Actor
    public void sender(III_Result r) {
      r.r1 = send();
    }

    @Actor
    public void closer(III_Result r) {
      r.r2 = takeAndClose();
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = rest();
    }
  }

  /**
   * The received value, whether the plain field from before the close was visible after it, and
   * whether a send succeeded.
   */
  @Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "closed, with the letter")
  @Outcome(
      id = {"2, 0, 1", "2, 1, 1"},
      expect = ACCEPTABLE,
      desc = "received what was sent")
  public abstract static class ReceiveAndClose {
    private final Pipe pipe;
    private int letter;

    ReceiveAndClose(Pipe pipe) {
      this.pipe = pipe;
    }

    final void receive(III_Result r) {
      r.r1 = calm(pipe::receive);
      r.r2 = letter;
    }

    final int sendAndClose() {
      int sent = trySend(pipe, 2);
      letter = 1;
      pipe.close();
      return sent;
    }
  }

  @JCStressTest
  @State
  public static class ReceiveAgainstClose extends ReceiveAndClose {
    public ReceiveAgainstClose() {
      super(new Pipe.Sound(0));
    }

    @Actor
    public void receiver(III_Result r) {
      receive(r);
    }

    @Actor
    public void closer(III_Result r) {
      r.r3 = sendAndClose();
    }
  }

  @JCStressTest
  @State
  public static class ReceiveAgainstCloseBroken extends ReceiveAndClose {
    public ReceiveAgainstCloseBroken() {
      super(new BrokenChan(0, Fault.LOOKS_THEN_STANDS));
    }

    @Actor
    public void receiver(III_Result r) {
      receive(r);
    }

    @Actor
    public void closer(III_Result r) {
      r.r3 = sendAndClose();
    }
  }

  /**
   * The result of the interrupted send, the value that the other actor received, and what is left:
   * the value, or a stale waiter.
   */
  public abstract static class InterruptAndSend {
    private final Pipe pipe;
    private final Interruptible sender = new Interruptible();

    InterruptAndSend(Pipe pipe) {
      this.pipe = pipe;
    }

    final int send() {
      return sender.run(() -> ChanStress.send(pipe, 1));
    }

    final int interruptAndTake() {
      sender.interrupt();
      return pipe.tryReceive();
    }

    final int rest() {
      return pipe.tryReceive();
    }
  }

  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "sent, and received")
  @Outcome(id = "-1, 0, 0", expect = ACCEPTABLE, desc = "interrupted, and not sent")
  @State
  public static class InterruptAgainstSendOf0 extends InterruptAndSend {
    public InterruptAgainstSendOf0() {
      super(new Pipe.Sound(0));
    }

    @Actor
    public void sender(III_Result r) {
      r.r1 = send();
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = interruptAndTake();
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = rest();
    }
  }

  /** The channel starts full; a receive therefore moves the sender's value in. */
  @JCStressTest
  @Outcome(id = "1, 9, 1", expect = ACCEPTABLE, desc = "sent, and in the buffer")
  @Outcome(id = "-1, 9, 0", expect = ACCEPTABLE, desc = "interrupted, and not sent")
  @State
  public static class InterruptAgainstSendOf1 extends InterruptAndSend {
    public InterruptAgainstSendOf1() {
      Pipe full = new Pipe.Sound(1);
      boolean _ = full.trySend(9);
      super(full);
    }

    @Actor
    public void sender(III_Result r) {
      r.r1 = send();
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = interruptAndTake();
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = rest();
    }
  }

  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "sent, and received")
  @Outcome(id = "-1, 0, 0", expect = ACCEPTABLE, desc = "interrupted, and not sent")
  @State
  public static class InterruptAgainstSendBroken extends InterruptAndSend {
    public InterruptAgainstSendBroken() {
      super(new BrokenChan(0, Fault.LEAVES_UNASKED));
    }

    @Actor
    public void sender(III_Result r) {
      r.r1 = send();
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = interruptAndTake();
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = rest();
    }
  }

  /**
   * The result of the interrupted receive, whether the send succeeded, and whether a stale waiter
   * takes another value.
   */
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "sent, and received")
  @Outcome(id = "-1, 0, 0", expect = ACCEPTABLE, desc = "interrupted, and not sent")
  public abstract static class InterruptAndReceive {
    private final Pipe pipe;
    private final Interruptible receiver = new Interruptible();

    InterruptAndReceive(Pipe pipe) {
      this.pipe = pipe;
    }

    final int receive() {
      return receiver.run(pipe::receive);
    }

    final int interruptAndSend() {
      receiver.interrupt();
      return trySend(pipe, 1);
    }

    final int sendAgain() {
      return trySend(pipe, 2);
    }
  }

  @JCStressTest
  @State
  public static class InterruptAgainstReceive extends InterruptAndReceive {
    public InterruptAgainstReceive() {
      super(new Pipe.Sound(0));
    }

    @Actor
    public void receiver(III_Result r) {
      r.r1 = receive();
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = interruptAndSend();
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = sendAgain();
    }
  }

  @JCStressTest
  @State
  public static class InterruptAgainstReceiveBroken extends InterruptAndReceive {
    public InterruptAgainstReceiveBroken() {
      super(new BrokenChan(0, Fault.FIRE_UNHEARD));
    }

    @Actor
    public void receiver(III_Result r) {
      r.r1 = receive();
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = interruptAndSend();
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = sendAgain();
    }
  }

  /**
   * One actor receives and is interrupted. The other one waits in the queue before or after it, and
   * must get the value that the first leaves.
   */
  @JCStressTest
  @Outcome(
      id = {"1, 1, 0", "0, 1, 1"},
      expect = ACCEPTABLE,
      desc = "one got the value, the other saw the close")
  @Outcome(id = "-1, 1, 1", expect = ACCEPTABLE, desc = "one was interrupted, the other got it")
  @State
  public static class InterruptAgainstTwoReceivers {
    private final Pipe pipe = new Pipe.Sound(0);
    private final Interruptible receiver = new Interruptible();
    private final WaitState beside = new WaitState();

    @Actor
    public void receiver(III_Result r) {
      r.r1 = receiver.run(pipe::receive);
    }

    @Actor
    public void sender(III_Result r) {
      WaitNode _ = pipe.standToReceive(beside);
      receiver.interrupt();
      r.r2 = trySend(pipe, 1);
      pipe.close();
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = pipe.got(beside);
    }
  }

  /**
   * Each actor sends to its own channel and then checks the other's without a lock. At least one
   * finds a value.
   */
  @Outcome(
      id = {"1, 0", "0, 1", "1, 1"},
      expect = ACCEPTABLE,
      desc = "one of them notices")
  public abstract static class SendAndLook {
    private final Pipe left;
    private final Pipe right;

    SendAndLook(Pipe left, Pipe right) {
      this.left = left;
      this.right = right;
    }

    final int sendLeft() {
      boolean _ = left.trySend(1);
      return right.tryReceive();
    }

    final int sendRight() {
      boolean _ = right.trySend(1);
      return left.tryReceive();
    }
  }

  @JCStressTest
  @State
  public static class SendAgainstLook extends SendAndLook {
    public SendAgainstLook() {
      super(new Pipe.Sound(1), new Pipe.Sound(1));
    }

    @Actor
    public void one(II_Result r) {
      r.r1 = sendLeft();
    }

    @Actor
    public void other(II_Result r) {
      r.r2 = sendRight();
    }
  }

  @JCStressTest
  @State
  public static class SendAgainstLookBroken extends SendAndLook {
    public SendAgainstLookBroken() {
      super(new BrokenChan(1, Fault.NO_FENCE), new BrokenChan(1, Fault.NO_FENCE));
    }

    @Actor
    public void one(II_Result r) {
      r.r1 = sendLeft();
    }

    @Actor
    public void other(II_Result r) {
      r.r2 = sendRight();
    }
  }
}
