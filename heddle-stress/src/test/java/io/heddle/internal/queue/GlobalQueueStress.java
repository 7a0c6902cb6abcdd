package io.heddle.internal.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.heddle.internal.queue.BrokenGlobalQueue.Fault;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The global queue on real cores, under jcstress: each scene with the real queue, and with a broken
 * twin.
 *
 * <p>An outcome that is not listed is forbidden. Elements are numbered from 1, 0 is none, and
 * several elements are digits.
 */
public class GlobalQueueStress {
  private GlobalQueueStress() {}

  /** Two threads put; then all elements are taken, and the size is read. */
  @Outcome(
      id = {"12, 0", "21, 0"},
      expect = ACCEPTABLE,
      desc = "both are there")
  public abstract static class PutAndPut {
    private final GlobalFifo queue;
    private final Token one = new Token(1);
    private final Token two = new Token(2);

    PutAndPut(GlobalFifo queue) {
      this.queue = queue;
    }

    final void putOne() {
      queue.put(one);
    }

    final void putTwo() {
      queue.put(two);
    }

    final void drain(II_Result r) {
      r.r1 = Token.digits(queue.takeShare(1, 10));
      r.r2 = queue.size();
    }
  }

  @JCStressTest
  @State
  public static class PutAgainstPut extends PutAndPut {
    public PutAgainstPut() {
      super(new GlobalFifo.Sound());
    }

    @Actor
    public void left() {
      putOne();
    }

    @Actor
    public void right() {
      putTwo();
    }

    @Arbiter
    public void rest(II_Result r) {
      drain(r);
    }
  }

  @JCStressTest
  @State
  public static class PutAgainstPutBroken extends PutAndPut {
    public PutAgainstPutBroken() {
      super(new BrokenGlobalQueue(Fault.PUT_UNLOCKED));
    }

    @Actor
    public void left() {
      putOne();
    }

    @Actor
    public void right() {
      putTwo();
    }

    @Arbiter
    public void rest(II_Result r) {
      drain(r);
    }
  }

  /**
   * The sleep protocol (rule F6): the submitter puts an element and checks for a sleeper; an M that
   * goes to sleep registers and checks for an element. If both find nothing, 0 and 0, the wakeup is
   * lost; a full fence on either side prevents it.
   */
  @Outcome(
      id = {"0, 1", "1, 0", "1, 1"},
      expect = ACCEPTABLE,
      desc = "one of them notices")
  public abstract static class PutAndSleep {
    private final GlobalFifo queue = new GlobalFifo.Sound();
    private final Token token = new Token(1);
    private int idle;

    final void put() {
      queue.put(token);
    }

    final int lookForSleeper() {
      return idle;
    }

    final void setIdle() {
      idle = 1;
    }

    final int lookForElement() {
      return queue.isEmpty() ? 0 : 1;
    }
  }

  @JCStressTest
  @State
  public static class PutAgainstSleep extends PutAndSleep {
    @Actor
    public void submitter(II_Result r) {
      put();
      VarHandle.fullFence(); // pairs with the sleeper's
      r.r1 = lookForSleeper();
    }

    @Actor
    public void sleeper(II_Result r) {
      setIdle();
      VarHandle.fullFence(); // pairs with the submitter's
      r.r2 = lookForElement();
    }
  }

  /** The submitter omits the fence. */
  @JCStressTest
  @State
  public static class PutAgainstSleepBroken extends PutAndSleep {
    @Actor
    public void submitter(II_Result r) {
      put();
      r.r1 = lookForSleeper();
    }

    @Actor
    public void sleeper(II_Result r) {
      setIdle();
      VarHandle.fullFence();
      r.r2 = lookForElement();
    }
  }
}
