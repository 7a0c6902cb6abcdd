package io.heddle.internal.queue;

import io.heddle.internal.queue.BrokenGlobalQueue.Fault;
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
 * The global queue under Lincheck.
 */
@Tag("full")
class GlobalQueueLincheckTest {
  private static final Corner PUT_AND_PUT = new Corner("", "put(1)", "put(2)", "take take size");
  private static final Corner PUT_AND_TAKE = new Corner("put(1)", "put(2)", "take", "take size");
  private static final Corner PUT_AND_FRONT =
      new Corner("", "put(1)", "putPairFirst(2)", "take takePair size");
  private static final Corner TAKE_AND_TAKE = new Corner("put(1)", "take", "take", "size");
  private static final Corner PAIR_AND_PAIR =
      new Corner("putPair(1)", "putPair(2)", "takePair", "takePair size");

  private static final Corner SWAP_AND_SWAP =
      new Corner("put(1)", "swap(2)", "swap(3)", "take size");
  private static final Corner SWAP_AND_TAKE = new Corner("put(1)", "swap(2)", "take", "take size");
  private static final Corner SWAP_AND_LOOK = new Corner("put(1)", "swap(2)", "size", "take");

  private static final Corner[] CORNERS = {
    PUT_AND_PUT,
    PUT_AND_TAKE,
    PUT_AND_FRONT,
    TAKE_AND_TAKE,
    PAIR_AND_PAIR,
    SWAP_AND_SWAP,
    SWAP_AND_TAKE,
    SWAP_AND_LOOK
  };

  @Test
  void q5_isLinearizable() {
    Check.passes(Sound.class, OneThread.class, CORNERS);
  }

  @Test
  void twinWithoutAFaultPasses() {
    Check.passesCorners(NoFault.class, OneThread.class, CORNERS);
  }

  @Test
  void q5_unlockedPutIsCaught() {
    Check.fails(PutUnlocked.class, OneThread.class, PUT_AND_PUT);
  }

  @Test
  void q5_unlockedPutFirstIsCaught() {
    Check.fails(PutFirstUnlocked.class, OneThread.class, PUT_AND_FRONT);
  }

  @Test
  void q5_unlockedTakeIsCaught() {
    Check.fails(TakeUnlocked.class, OneThread.class, TAKE_AND_TAKE);
  }

  @Test
  void g6_unlockedSwapIsCaught() {
    Check.fails(SwapUnlocked.class, OneThread.class, SWAP_AND_SWAP);
  }

  @Test
  void f6_swapInTwoStepsIsCaught() {
    Check.fails(SwapInTwo.class, OneThread.class, SWAP_AND_LOOK);
  }

  /** Every thread performs every operation. */
  @Param(name = "id", gen = IntGen.class, conf = "1:4")
  public abstract static class Scene {
    private final GlobalFifo queue;

    Scene(GlobalFifo queue) {
      this.queue = queue;
    }

    @Operation
    public void put(@Param(name = "id") int id) {
      queue.put(new Token(id));
    }

    @Operation
    public void putPair(@Param(name = "id") int id) {
      Token tail = new Token(id + 1);
      queue.putAll(pair(id, tail), tail, 2);
    }

    @Operation
    public void putPairFirst(@Param(name = "id") int id) {
      Token tail = new Token(id + 1);
      queue.putAllFirst(pair(id, tail), tail, 2);
    }

    @Operation
    public int take() {
      return Token.digits(queue.take());
    }

    @Operation
    public int swap(@Param(name = "id") int id) {
      return queue.swap(new Token(id)).id;
    }

    @Operation
    public int takePair() {
      return Token.digits(queue.takeShare(1, 2));
    }

    @Operation
    public int size() {
      return queue.size();
    }

    private static Token pair(int id, Token tail) {
      Token head = new Token(id);
      head.link = tail;
      return head;
    }
  }

  public static class Sound extends Scene {
    public Sound() {
      super(new GlobalFifo.Sound());
    }
  }

  public static class NoFault extends Scene {
    public NoFault() {
      super(new BrokenGlobalQueue(Fault.NONE));
    }
  }

  public static class PutUnlocked extends Scene {
    public PutUnlocked() {
      super(new BrokenGlobalQueue(Fault.PUT_UNLOCKED));
    }
  }

  public static class PutFirstUnlocked extends Scene {
    public PutFirstUnlocked() {
      super(new BrokenGlobalQueue(Fault.PUT_FIRST_UNLOCKED));
    }
  }

  public static class TakeUnlocked extends Scene {
    public TakeUnlocked() {
      super(new BrokenGlobalQueue(Fault.TAKE_UNLOCKED));
    }
  }

  public static class SwapUnlocked extends Scene {
    public SwapUnlocked() {
      super(new BrokenGlobalQueue(Fault.SWAP_UNLOCKED));
    }
  }

  public static class SwapInTwo extends Scene {
    public SwapInTwo() {
      super(new BrokenGlobalQueue(Fault.SWAP_IN_TWO));
    }
  }

  /** The scene on one thread: the sequential specification. */
  public static class OneThread {
    private final Deque<Integer> queue = new ArrayDeque<>();

    public void put(int id) {
      queue.addLast(id);
    }

    public void putPair(int id) {
      queue.addLast(id);
      queue.addLast(id + 1);
    }

    public void putPairFirst(int id) {
      queue.addFirst(id + 1);
      queue.addFirst(id);
    }

    public int take() {
      return queue.isEmpty() ? 0 : queue.removeFirst();
    }

    public int swap(int id) {
      put(id);
      return take();
    }

    public int takePair() {
      int one = take();
      return queue.isEmpty() ? one : one * 10 + take();
    }

    public int size() {
      return queue.size();
    }
  }
}
