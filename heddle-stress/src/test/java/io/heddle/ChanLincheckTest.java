package io.heddle;

import io.heddle.BrokenChan.Fault;
import io.heddle.internal.wait.WaitNode;
import io.heddle.internal.wait.WaitState;
import io.heddle.stress.Check;
import io.heddle.stress.Corner;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Channels of capacity 0, 1 and 3 under Lincheck.
 *
 * <p>A wait is done in steps: join the queue, check for a result, give up. Lincheck lets a park
 * return at any time, so it cannot detect a lost wakeup; ChanStress does that.
 */
@Tag("full")
class ChanLincheckTest {
  private static final Corner TRY_AND_CLOSE =
      new Corner("standToReceive", "trySend(1)", "close", "lookReceive");
  private static final Corner CLOSE_AND_TAKE =
      new Corner("standToSend(1)", "close", "tryReceive", "lookSend");
  private static final Corner CLOSE_AND_CLOSE = new Corner("", "close", "close", "isClosed");
  private static final Corner GIVE_UP_AND_SEND =
      new Corner("standToReceive", "giveUpReceive", "trySend(1)", "tryReceive");
  private static final Corner GIVE_UP_AFTER_SENDS =
      new Corner("standToReceive", "trySend(1)", "trySend(2) giveUpReceive", "");
  private static final Corner GIVE_UP_AFTER_TAKES =
      new Corner("standToSend(1)", "tryReceive", "tryReceive giveUpSend", "");
  private static final Corner REFILL =
      new Corner("trySend(1) standToSend(2)", "tryReceive", "tryReceive", "lookSend length");
  private static final Corner STAND_AND_TAKE =
      new Corner("trySend(1)", "standToSend(2) giveUpSend", "tryReceive length", "tryReceive");

  private static final Corner[] UNBUFFERED = {
    TRY_AND_CLOSE, CLOSE_AND_TAKE, GIVE_UP_AND_SEND, GIVE_UP_AFTER_SENDS, GIVE_UP_AFTER_TAKES
  };
  private static final Corner[] BUFFERED = {REFILL, STAND_AND_TAKE};

  @Test
  void unbufferedIsLinearizable() {
    Check.passes(SoundOf0.class, OneThreadOf0.class, UNBUFFERED);
  }

  @Test
  void capacity1IsLinearizable() {
    Check.passes(SoundOf1.class, OneThreadOf1.class, BUFFERED);
  }

  @Test
  void capacity3IsLinearizable() {
    Check.passes(SoundOf3.class, OneThreadOf3.class, CLOSE_AND_CLOSE);
  }

  @Test
  void twinWithoutAFaultPasses() {
    Check.passesCorners(NoFaultOf0.class, OneThreadOf0.class, UNBUFFERED);
    Check.passesCorners(NoFaultOf1.class, OneThreadOf1.class, BUFFERED);
  }

  @Test
  void checkingForTheCloseTooEarlyIsCaught() {
    Check.fails(ClosedBeforeFull.class, OneThreadOf0.class, TRY_AND_CLOSE);
  }

  @Test
  void forgettingSendersIsCaught() {
    Check.fails(CloseLeavesSenders.class, OneThreadOf0.class, CLOSE_AND_TAKE);
  }

  @Test
  void firingWithoutACheckIsCaught() {
    Check.fails(FireUnheard.class, OneThreadOf0.class, GIVE_UP_AND_SEND);
  }

  @Test
  void removingBeforeFiringIsCaught() {
    Check.fails(RemoveBeforeFire.class, OneThreadOf0.class, GIVE_UP_AFTER_SENDS);
    Check.fails(RemoveBeforeFire.class, OneThreadOf0.class, GIVE_UP_AFTER_TAKES);
  }

  @Test
  void refillingInTwoStepsIsCaught() {
    Check.fails(RefillInTwoSteps.class, OneThreadOf1.class, REFILL);
  }

  /** The state of a wait. */
  private static final int IDLE = -1;

  private static final int WAITS = -2;
  private static final int DONE = -3;
  private static final int CLOSED = -4;
  private static final int GIVEN_UP = -5;

  /** One waiting sender and one waiting receiver; every thread may also try. */
  @Param(name = "value", gen = IntGen.class, conf = "1:3")
  public abstract static class Scene {
    private final Pipe pipe;
    private final WaitState sender = new WaitState();
    private final WaitState receiver = new WaitState();
    private boolean isSending;
    private boolean isReceiving;

    Scene(Pipe pipe) {
      this.pipe = pipe;
    }

    @Operation
    public boolean trySend(@Param(name = "value") int v) {
      return pipe.trySend(v);
    }

    @Operation
    public int tryReceive() {
      return pipe.tryReceive();
    }

    @Operation
    public void close() {
      pipe.close();
    }

    @Operation
    public int length() {
      return pipe.length();
    }

    @Operation
    public boolean isClosed() {
      return pipe.isClosed();
    }

    @Operation(nonParallelGroup = "sender")
    public int standToSend(@Param(name = "value") int v) {
      if (!isSending) {
        WaitNode met = pipe.standToSend(sender, v);
        isSending = met == null;
      }
      return isSending ? WAITS : DONE;
    }

    @Operation(nonParallelGroup = "sender")
    public int lookSend() {
      return isSending ? endOfSend() : IDLE;
    }

    @Operation(nonParallelGroup = "sender")
    public int giveUpSend() {
      if (isSending && sender.giveUp(sender.round())) {
        pipe.leave(sender);
        isSending = false;
        return GIVEN_UP;
      }
      return lookSend();
    }

    private int endOfSend() {
      if (sender.ended(sender.round()) < 0) {
        return WAITS;
      }
      isSending = false;
      return pipe.wasClosed(sender) ? CLOSED : DONE;
    }

    @Operation(nonParallelGroup = "receiver")
    public int standToReceive() {
      if (!isReceiving) {
        WaitNode met = pipe.standToReceive(receiver);
        isReceiving = met == null;
      }
      return isReceiving ? WAITS : pipe.got(receiver);
    }

    @Operation(nonParallelGroup = "receiver")
    public int lookReceive() {
      return isReceiving ? endOfReceive() : IDLE;
    }

    @Operation(nonParallelGroup = "receiver")
    public int giveUpReceive() {
      if (isReceiving && receiver.giveUp(receiver.round())) {
        pipe.leave(receiver);
        isReceiving = false;
        return GIVEN_UP;
      }
      return lookReceive();
    }

    private int endOfReceive() {
      if (receiver.ended(receiver.round()) < 0) {
        return WAITS;
      }
      isReceiving = false;
      return pipe.got(receiver);
    }
  }

  public static class SoundOf0 extends Scene {
    public SoundOf0() {
      super(new Pipe.Sound(0));
    }
  }

  public static class SoundOf1 extends Scene {
    public SoundOf1() {
      super(new Pipe.Sound(1));
    }
  }

  public static class SoundOf3 extends Scene {
    public SoundOf3() {
      super(new Pipe.Sound(3));
    }
  }

  public static class NoFaultOf0 extends Scene {
    public NoFaultOf0() {
      super(new BrokenChan(0, Fault.NONE));
    }
  }

  public static class NoFaultOf1 extends Scene {
    public NoFaultOf1() {
      super(new BrokenChan(1, Fault.NONE));
    }
  }

  public static class ClosedBeforeFull extends Scene {
    public ClosedBeforeFull() {
      super(new BrokenChan(0, Fault.CLOSED_BEFORE_FULL));
    }
  }

  public static class CloseLeavesSenders extends Scene {
    public CloseLeavesSenders() {
      super(new BrokenChan(0, Fault.CLOSE_LEAVES_SENDERS));
    }
  }

  public static class FireUnheard extends Scene {
    public FireUnheard() {
      super(new BrokenChan(0, Fault.FIRE_UNHEARD));
    }
  }

  public static class RemoveBeforeFire extends Scene {
    public RemoveBeforeFire() {
      super(new BrokenChan(0, Fault.REMOVE_BEFORE_FIRE));
    }
  }

  public static class RefillInTwoSteps extends Scene {
    public RefillInTwoSteps() {
      super(new BrokenChan(1, Fault.REFILL_IN_TWO_STEPS));
    }
  }

  /** The scene on one thread: the sequential specification. */
  public abstract static class OneThread {
    private final int capacity;
    private final Deque<Integer> buffer = new ArrayDeque<>();
    private boolean closed;
    private int send = IDLE;
    private int toSend;
    private int receive = IDLE;

    OneThread(int capacity) {
      this.capacity = capacity;
    }

    public boolean trySend(int v) {
      if (closed) {
        throw new ClosedChanException("");
      }
      if (receive == WAITS) {
        receive = v;
        return true;
      }
      return buffer.size() < capacity && buffer.add(v);
    }

    public int tryReceive() {
      if (send == WAITS) {
        buffer.add(toSend);
        send = DONE;
      }
      return buffer.isEmpty() ? Pipe.NOTHING : buffer.remove();
    }

    public void close() {
      if (closed) {
        throw new ClosedChanException("");
      }
      closed = true;
      send = send == WAITS ? CLOSED : send;
      receive = receive == WAITS ? Pipe.NOTHING : receive;
    }

    public int length() {
      return buffer.size();
    }

    public boolean isClosed() {
      return closed;
    }

    public int standToSend(int v) {
      if (send != IDLE) {
        return WAITS; // it does not know it yet
      }
      if (trySend(v)) {
        return DONE;
      }
      toSend = v;
      send = WAITS;
      return WAITS;
    }

    public int lookSend() {
      int now = send;
      send = now == WAITS ? WAITS : IDLE;
      return now;
    }

    public int giveUpSend() {
      send = send == WAITS ? GIVEN_UP : send;
      return lookSend();
    }

    public int standToReceive() {
      if (receive != IDLE) {
        return WAITS;
      }
      int v = tryReceive();
      receive = v == Pipe.NOTHING && !closed ? WAITS : IDLE;
      return receive == WAITS ? WAITS : v;
    }

    public int lookReceive() {
      int now = receive;
      receive = now == WAITS ? WAITS : IDLE;
      return now;
    }

    public int giveUpReceive() {
      receive = receive == WAITS ? GIVEN_UP : receive;
      return lookReceive();
    }
  }

  public static class OneThreadOf0 extends OneThread {
    public OneThreadOf0() {
      super(0);
    }
  }

  public static class OneThreadOf1 extends OneThread {
    public OneThreadOf1() {
      super(1);
    }
  }

  public static class OneThreadOf3 extends OneThread {
    public OneThreadOf3() {
      super(3);
    }
  }
}
