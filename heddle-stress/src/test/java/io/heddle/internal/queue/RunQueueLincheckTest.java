package io.heddle.internal.queue;

import io.heddle.internal.queue.BrokenRunQueue.Fault;
import io.heddle.stress.Check;
import io.heddle.stress.Corner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The run queue under Lincheck: an owner, thieves and observers, compared with a sequential queue.
 *
 * <p>Everything but the theft of runNext is linearizable. That theft is not, here as in Go: while
 * the owner has put the new element into runNext and not yet appended the old one, a thief gets the
 * new element although the old one is older. The theft is therefore checked only for what it must
 * guarantee: each element comes out once.
 *
 * <p>The file is long because Lincheck requires a class for each size of the ring and for each
 * broken twin.
 */
class RunQueueLincheckTest {
  private static final Corner TAKE_AND_STEAL = new Corner("put", "takeHead", "stealA", "isEmpty");
  private static final Corner STEAL_AND_STEAL = new Corner("put", "stealA", "stealB", "isEmpty");
  private static final Corner OVERFLOW_AND_STEAL =
      new Corner("put put", "put", "stealA", "takeOverflowed takeOverflowed takeHead");
  private static final Corner KICK_AND_LOOK =
      new Corner("putNext", "putNext takeNext", "isEmpty", "takeHead");
  private static final Corner KICK_AND_STEAL_NEXT = new Corner("putNext", "putNext", "stealA", "");

  private static final Corner KICK_AND_ROB = new Corner("putNext", "putNext", "rob", "");

  private static final Corner OFFER_AND_PUT = new Corner("", "putNext", "offer", "");
  private static final Corner OFFER_AND_TAKE = new Corner("", "takeNext", "offer withdraw", "");
  private static final Corner WITHDRAW_AND_TAKE = new Corner("offer", "takeNext", "withdraw", "");
  private static final Corner WITHDRAW_AND_STEAL = new Corner("offer", "stealA", "withdraw", "");

  private static final Corner[] OFFERS = {
    OFFER_AND_PUT, OFFER_AND_TAKE, WITHDRAW_AND_TAKE, WITHDRAW_AND_STEAL
  };

  private static final Corner[] CORNERS = {
    TAKE_AND_STEAL, STEAL_AND_STEAL, OVERFLOW_AND_STEAL, KICK_AND_LOOK
  };

  @Tag("full")
  @Test
  void q1_ownerAndThievesOfARingOf2AreLinearizable() {
    Check.passes(RingOf2.class, OneThread.class, CORNERS);
  }

  /** Here a theft moves two elements, and an overflow three. */
  @Tag("full")
  @Test
  void q1_ownerAndThievesOfARingOf4AreLinearizable() {
    Corner overflow =
        new Corner("put put put put", "put", "stealA", "takeOverflowed takeOverflowed takeHead");
    Check.passes(RingOf4.class, OneThreadOf4.class, overflow);
  }

  @Test
  void q1_ownerAndThievesAreLinearizableOnRealThreads() {
    new StressOptions()
        .iterations(20)
        .invocationsPerIteration(1_000)
        .threads(3)
        .actorsPerThread(4)
        .sequentialSpecification(OneThread.class)
        .check(RingOf2.class);
  }

  @Tag("full")
  @Test
  void q8_eachElementComesOutOnceWithRunNextStolenToo() {
    Check.passes(SoundCount.class, SoundCount.class, KICK_AND_STEAL_NEXT);
  }

  @Tag("full")
  @Test
  void q8_offeredElementComesOutOnce() {
    Check.passesCorners(SoundCount.class, SoundCount.class, OFFERS);
  }

  /** The known exception; it also proves that Lincheck analyses the real queue. */
  @Tag("full")
  @Test
  void q2_theftOfRunNextIsNotLinearizable() {
    Check.fails(RingOf2.class, OneThread.class, KICK_AND_ROB);
  }

  @Tag("full")
  @Test
  void twinWithoutAFaultPasses() {
    Check.passesCorners(NoFault.class, OneThread.class, CORNERS);
    Check.passesCorners(NoFaultCount.class, NoFaultCount.class, KICK_AND_STEAL_NEXT);
    Check.passesCorners(NoFaultCount.class, NoFaultCount.class, OFFERS);
  }

  @Tag("full")
  @Test
  void q8_takeWithoutCasIsCaught() {
    Check.fails(TakeWithoutCas.class, OneThread.class, TAKE_AND_STEAL);
  }

  @Tag("full")
  @Test
  void q8_stealWithoutCasIsCaught() {
    Check.fails(StealWithoutCas.class, OneThread.class, STEAL_AND_STEAL);
  }

  @Tag("full")
  @Test
  void q3_overflowWithoutCasIsCaught() {
    Check.fails(OverflowWithoutCas.class, OneThread.class, OVERFLOW_AND_STEAL);
  }

  @Test
  void f6_emptyAtFirstCheckIsCaught() {
    Check.fails(EmptyAtFirstLook.class, OneThread.class, KICK_AND_LOOK);
  }

  @Tag("full")
  @Test
  void q8_offerWithoutCasIsCaught() {
    Check.fails(OfferWithoutCas.class, NoFaultCount.class, OFFER_AND_PUT);
  }

  @Tag("full")
  @Test
  void q8_withdrawWithoutCasIsCaught() {
    Check.fails(WithdrawWithoutCas.class, NoFaultCount.class, WITHDRAW_AND_TAKE);
    Check.fails(WithdrawWithoutCas.class, NoFaultCount.class, WITHDRAW_AND_STEAL);
  }

  @Tag("full")
  @Test
  void q8_stealNextWithoutCasIsCaught() {
    Check.fails(StealNextWithoutCas.class, StealNextWithoutCas.class, KICK_AND_STEAL_NEXT);
  }

  @Test
  void q2_putNextWithoutExchangeIsCaught() {
    Check.fails(PutNextWithoutExchange.class, PutNextWithoutExchange.class, KICK_AND_STEAL_NEXT);
  }

  /**
   * The destination of the owner's overflow; used only by the owner. It is not a lambda because
   * Lincheck cannot analyse lambdas.
   */
  private static final class Collected implements Overflow<Token> {
    private final Deque<Integer> ids = new ArrayDeque<>();

    @Override
    public void accept(Token first, Token last, int n) {
      for (Token token = first; token != null; token = token.unlink()) {
        ids.add(token.id);
      }
    }
  }

  /** The ring of an owner, which puts numbered elements, and the rings of two thieves. */
  public abstract static class Rings {
    final Ring ring;
    final Ring ringOfA;
    final Ring ringOfB;
    final Collected overflowed = new Collected();
    int made;

    Rings(Ring.Maker maker, int capacity) {
      ring = maker.make(capacity, overflowed);
      ringOfA = maker.make(capacity, Rings::refuse);
      ringOfB = maker.make(capacity, Rings::refuse);
    }

    @Operation(nonParallelGroup = "owner")
    public void put() {
      ring.put(new Token(++made), false);
    }

    @Operation(nonParallelGroup = "owner")
    public void putNext() {
      ring.put(new Token(++made), true);
    }

    private static void refuse(Token first, Token last, int n) {
      throw new AssertionError("a thief's ring overflowed");
    }

    static List<Integer> drain(Ring ring) {
      List<Integer> ids = new ArrayList<>();
      for (Token token = ring.takeHead(); token != null; token = ring.takeHead()) {
        ids.add(token.id);
      }
      return ids;
    }
  }

  /** Each thief steals from the ring alone, and drains its own ring at once. */
  public abstract static class Scene extends Rings {
    Scene(Ring.Maker maker, int capacity) {
      super(maker, capacity);
    }

    @Operation(nonParallelGroup = "owner")
    public int takeNext() {
      return Token.id(ring.takeNext());
    }

    @Operation(nonParallelGroup = "owner")
    public int takeHead() {
      return Token.id(ring.takeHead());
    }

    @Operation(nonParallelGroup = "owner")
    public int takeOverflowed() {
      return overflowed.ids.isEmpty() ? 0 : overflowed.ids.poll();
    }

    @Operation(nonParallelGroup = "thief A")
    public List<Integer> stealA() {
      return steal(ringOfA);
    }

    @Operation(nonParallelGroup = "thief B")
    public List<Integer> stealB() {
      return steal(ringOfB);
    }

    /** Not among the random operations: see {@link #q2_theftOfRunNextIsNotLinearizable}. */
    public int rob() {
      return Token.id(ring.stealInto(ringOfA, true));
    }

    @Operation
    public boolean isEmpty() {
      return ring.isEmpty();
    }

    private List<Integer> steal(Ring into) {
      Token last = ring.stealInto(into, false);
      List<Integer> stolen = drain(into);
      if (last != null) {
        stolen.add(last.id);
      }
      return stolen;
    }
  }

  public static class RingOf2 extends Scene {
    public RingOf2() {
      super(Ring.Sound::new, 2);
    }
  }

  public static class RingOf4 extends Scene {
    public RingOf4() {
      super(Ring.Sound::new, 4);
    }
  }

  public static class NoFault extends Scene {
    public NoFault() {
      super(BrokenRunQueue.with(Fault.NONE), 2);
    }
  }

  public static class TakeWithoutCas extends Scene {
    public TakeWithoutCas() {
      super(BrokenRunQueue.with(Fault.TAKE_WITHOUT_CAS), 2);
    }
  }

  public static class StealWithoutCas extends Scene {
    public StealWithoutCas() {
      super(BrokenRunQueue.with(Fault.STEAL_WITHOUT_CAS), 2);
    }
  }

  public static class OverflowWithoutCas extends Scene {
    public OverflowWithoutCas() {
      super(BrokenRunQueue.with(Fault.OVERFLOW_WITHOUT_CAS), 2);
    }
  }

  public static class EmptyAtFirstLook extends Scene {
    public EmptyAtFirstLook() {
      super(BrokenRunQueue.with(Fault.EMPTY_AT_FIRST_LOOK), 2);
    }
  }

  /** The scene on one thread: the sequential specification. */
  public static class OneThread {
    private final int capacity;
    private final Deque<Integer> ring = new ArrayDeque<>();
    private final Deque<Integer> overflowed = new ArrayDeque<>();
    private int next;
    private int made;

    public OneThread() {
      this(2);
    }

    OneThread(int capacity) {
      this.capacity = capacity;
    }

    public void put() {
      append(++made);
    }

    public void putNext() {
      int old = next;
      next = ++made;
      if (old != 0) {
        append(old);
      }
    }

    public int takeNext() {
      int taken = next;
      next = 0;
      return taken;
    }

    public int takeHead() {
      return orZero(ring.poll());
    }

    public int takeOverflowed() {
      return orZero(overflowed.poll());
    }

    public List<Integer> stealA() {
      int half = (ring.size() + 1) / 2;
      return new ArrayList<>(IntStream.range(0, half).mapToObj(_ -> ring.poll()).toList());
    }

    public List<Integer> stealB() {
      return stealA();
    }

    /** From a ring of at most one. */
    public int rob() {
      return ring.isEmpty() ? takeNext() : takeHead();
    }

    public boolean isEmpty() {
      return ring.isEmpty() && next == 0;
    }

    private void append(int id) {
      if (ring.size() < capacity) {
        ring.add(id);
        return;
      }
      for (int i = 0; i < capacity / 2; i++) {
        overflowed.add(ring.poll());
      }
      overflowed.add(id);
    }

    private static int orZero(Integer id) {
      return id == null ? 0 : id;
    }
  }

  public static class OneThreadOf4 extends OneThread {
    public OneThreadOf4() {
      super(4);
    }
  }

  /**
   * The thieves also steal runNext, and a further thread offers elements to it. The elements that
   * each thread got are counted at the end.
   */
  public abstract static class Count extends Rings {
    private static final int FIRST_OFFERED = 100;

    private final List<Integer> taken = new ArrayList<>();
    private final List<Integer> stolenByA = new ArrayList<>();
    private final List<Integer> stolenByB = new ArrayList<>();
    private final List<Integer> withdrawn = new ArrayList<>();
    private int offered;
    private Token lastOffered;

    Count(Ring.Maker maker) {
      super(maker, 2);
    }

    @Operation(nonParallelGroup = "owner")
    public void takeNext() {
      keep(ring.takeNext(), taken);
    }

    @Operation(nonParallelGroup = "owner")
    public void takeHead() {
      keep(ring.takeHead(), taken);
    }

    @Operation(nonParallelGroup = "thief A")
    public void stealA() {
      keep(ring.stealInto(ringOfA, true), stolenByA);
      stolenByA.addAll(drain(ringOfA));
    }

    @Operation(nonParallelGroup = "thief B")
    public void stealB() {
      keep(ring.stealInto(ringOfB, true), stolenByB);
      stolenByB.addAll(drain(ringOfB));
    }

    @Operation(nonParallelGroup = "offering thread")
    public void offer() {
      Token token = new Token(FIRST_OFFERED + offered++);
      if (ring.offerNext(token)) {
        lastOffered = token;
      } else {
        withdrawn.add(token.id);
      }
    }

    @Operation(nonParallelGroup = "offering thread")
    public void withdraw() {
      if (lastOffered != null && ring.withdrawNext(lastOffered)) {
        withdrawn.add(lastOffered.id);
      }
    }

    @Validate
    public void eachOnce() {
      List<Integer> all = new ArrayList<>(overflowed.ids);
      all.addAll(taken);
      all.addAll(stolenByA);
      all.addAll(stolenByB);
      all.addAll(withdrawn);
      keep(ring.takeNext(), all);
      all.addAll(drain(ring));
      all.sort(null);
      IntStream ids =
          IntStream.concat(
              IntStream.rangeClosed(1, made),
              IntStream.range(FIRST_OFFERED, FIRST_OFFERED + offered));
      if (!all.equals(ids.boxed().toList())) {
        throw new AssertionError("of " + made + " and " + offered + " came out " + all);
      }
    }

    private static void keep(Token token, List<Integer> ids) {
      if (token != null) {
        ids.add(token.id);
      }
    }
  }

  public static class SoundCount extends Count {
    public SoundCount() {
      super(Ring.Sound::new);
    }
  }

  public static class NoFaultCount extends Count {
    public NoFaultCount() {
      super(BrokenRunQueue.with(Fault.NONE));
    }
  }

  public static class StealNextWithoutCas extends Count {
    public StealNextWithoutCas() {
      super(BrokenRunQueue.with(Fault.STEAL_NEXT_WITHOUT_CAS));
    }
  }

  public static class PutNextWithoutExchange extends Count {
    public PutNextWithoutExchange() {
      super(BrokenRunQueue.with(Fault.PUT_NEXT_WITHOUT_EXCHANGE));
    }
  }

  public static class OfferWithoutCas extends Count {
    public OfferWithoutCas() {
      super(BrokenRunQueue.with(Fault.OFFER_WITHOUT_CAS));
    }
  }

  public static class WithdrawWithoutCas extends Count {
    public WithdrawWithoutCas() {
      super(BrokenRunQueue.with(Fault.WITHDRAW_WITHOUT_CAS));
    }
  }
}
