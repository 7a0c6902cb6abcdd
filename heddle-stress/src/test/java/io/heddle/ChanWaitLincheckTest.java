package io.heddle;

import io.heddle.BrokenChan.Fault;
import io.heddle.stress.Check;
import io.heddle.stress.Corner;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Sends and receives that wait, under Lincheck, in scenarios where a partner comes: Lincheck
 * reports an endless wait as a failure.
 */
@Tag("full")
class ChanWaitLincheckTest {
  private static final Corner MEET = new Corner("", "send(1)", "receive", "tryReceive");
  private static final Corner CLOSE_SEND = new Corner("trySend(1)", "send(2)", "close", "receive");
  private static final Corner CLOSE_RECEIVE = new Corner("", "receive", "close", "receive");
  private static final Corner FULL =
      new Corner("trySend(1)", "send(2)", "receive", "receive tryReceive");

  @Test
  void unbufferedIsLinearizable() {
    Check.passesCorners(SoundOf0.class, OneThreadOf0.class, MEET, CLOSE_SEND, CLOSE_RECEIVE);
  }

  @Test
  void capacity1IsLinearizable() {
    Check.passesCorners(SoundOf1.class, OneThreadOf1.class, FULL, CLOSE_SEND);
  }

  @Test
  void twinWithoutAFaultPasses() {
    Check.passesCorners(NoFault.class, OneThreadOf0.class, MEET, CLOSE_RECEIVE);
  }

  @Test
  void unlockingBeforeJoiningTheQueueIsCaught() {
    Check.fails(LooksThenStands.class, OneThreadOf0.class, MEET);
    Check.fails(LooksThenStands.class, OneThreadOf0.class, CLOSE_RECEIVE);
  }

  /** All operations of a channel. */
  public abstract static class Scene {
    private final Pipe pipe;

    Scene(Pipe pipe) {
      this.pipe = pipe;
    }

    public void send(int v) throws InterruptedException {
      if (!pipe.send(v)) {
        throw new AssertionError("forgotten");
      }
    }

    public int receive() throws InterruptedException {
      return pipe.receive();
    }

    public boolean trySend(int v) {
      return pipe.trySend(v);
    }

    public int tryReceive() {
      return pipe.tryReceive();
    }

    public void close() {
      pipe.close();
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

  public static class NoFault extends Scene {
    public NoFault() {
      super(new BrokenChan(0, Fault.NONE));
    }
  }

  public static class LooksThenStands extends Scene {
    public LooksThenStands() {
      super(new BrokenChan(0, Fault.LOOKS_THEN_STANDS));
    }
  }

  /**
   * The scene on one thread: the sequential specification. An operation that would have to wait
   * throws, because it cannot come next. On an unbuffered channel a send comes directly before its
   * receive, with the value in between.
   */
  public abstract static class OneThread {
    private final int capacity;
    private final Deque<Integer> values = new ArrayDeque<>();
    private boolean closed;

    OneThread(int capacity) {
      this.capacity = capacity;
    }

    public void send(int v) {
      if (closed) {
        throw new ClosedChanException("");
      }
      if (values.size() == Math.max(1, capacity)) {
        throw new IllegalStateException("has to wait");
      }
      values.add(v);
    }

    public int receive() {
      if (values.isEmpty() && !closed) {
        throw new IllegalStateException("has to wait");
      }
      return tryReceive();
    }

    public boolean trySend(int v) {
      return values.size() < capacity && values.add(v);
    }

    public int tryReceive() {
      return values.isEmpty() ? Pipe.NOTHING : values.remove();
    }

    public void close() {
      closed = true;
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
}
