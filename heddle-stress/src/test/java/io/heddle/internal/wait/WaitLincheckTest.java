package io.heddle.internal.wait;

import io.heddle.internal.wait.BrokenWait.Fault;
import io.heddle.stress.Check;
import io.heddle.stress.Corner;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * The word of a wait under Lincheck: each round ends once, for any number of threads and however
 * late they come.
 */
class WaitLincheckTest {
  private static final Corner TWO_FIRE = new Corner("begin", "fireA(1)", "fireB(1)", "ended(1)");
  private static final Corner FIRE_AND_GIVE_UP =
      new Corner("begin", "giveUp(1)", "fireA(1)", "ended(1)");
  private static final Corner LATE_FIRE =
      new Corner("begin", "giveUp(1) begin", "fireA(1)", "ended(1) ended(2) fireB(2)");

  private static final Corner[] CORNERS = {TWO_FIRE, FIRE_AND_GIVE_UP, LATE_FIRE};

  @Test
  void isLinearizable() {
    Check.passes(Sound.class, OneThread.class, CORNERS);
  }

  @Test
  void twinWithoutAFaultPasses() {
    Check.passesCorners(NoFault.class, OneThread.class, CORNERS);
  }

  @Test
  void firingWithoutCasIsCaught() {
    Check.fails(FireWithoutCas.class, OneThread.class, TWO_FIRE);
  }

  @Test
  void givingUpWithoutCasIsCaught() {
    Check.fails(GiveUpWithoutCas.class, OneThread.class, FIRE_AND_GIVE_UP);
  }

  @Test
  void wordWithoutTheRoundIsCaught() {
    Check.fails(NoRound.class, OneThread.class, LATE_FIRE);
  }

  /**
   * One waiter with two wait nodes. A thread that fires or asks names the round that it means; the
   * first round is 1.
   */
  @Param(name = "round", gen = IntGen.class, conf = "1:3")
  public abstract static class Scene {
    /** The distance between rounds in the word. */
    private static final long ROUND = 1 << 16;

    private final Ending wait;
    private long round;
    private boolean gaveUp = true;

    Scene(Ending wait) {
      this.wait = wait;
    }

    /** The number of the new round; 0 if the previous round is not over. */
    @Operation(nonParallelGroup = "waiter")
    public long begin() {
      if (!gaveUp && wait.ended(round) < 0) {
        return 0;
      }
      gaveUp = false;
      round = wait.begin();
      return round / ROUND;
    }

    @Operation(nonParallelGroup = "waiter")
    public boolean giveUp(@Param(name = "round") int n) {
      boolean now = wait.giveUp(n * ROUND);
      gaveUp |= now;
      return now;
    }

    @Operation
    public boolean fireA(@Param(name = "round") int n) {
      return wait.fire(n * ROUND, 0);
    }

    @Operation
    public boolean fireB(@Param(name = "round") int n) {
      return wait.fire(n * ROUND, 1);
    }

    @Operation
    public int ended(@Param(name = "round") int n) {
      return wait.ended(n * ROUND);
    }
  }

  public static class Sound extends Scene {
    public Sound() {
      super(new Ending.Sound());
    }
  }

  public static class NoFault extends Scene {
    public NoFault() {
      super(new BrokenWait(Fault.NONE));
    }
  }

  public static class FireWithoutCas extends Scene {
    public FireWithoutCas() {
      super(new BrokenWait(Fault.FIRE_WITHOUT_CAS));
    }
  }

  public static class GiveUpWithoutCas extends Scene {
    public GiveUpWithoutCas() {
      super(new BrokenWait(Fault.GIVE_UP_WITHOUT_CAS));
    }
  }

  public static class NoRound extends Scene {
    public NoRound() {
      super(new BrokenWait(Fault.NO_ROUND));
    }
  }

  /** The scene on one thread: the sequential specification. */
  public static class OneThread {
    private static final int OPEN = -2;
    private static final int GIVEN_UP = -1;

    private int round;
    private int end = GIVEN_UP;

    public long begin() {
      if (end == OPEN) {
        return 0;
      }
      end = OPEN;
      return ++round;
    }

    public boolean giveUp(int n) {
      return end(n, GIVEN_UP);
    }

    public boolean fireA(int n) {
      return end(n, 0);
    }

    public boolean fireB(int n) {
      return end(n, 1);
    }

    public int ended(int n) {
      return n == round ? Math.max(end, -1) : -1;
    }

    private boolean end(int n, int how) {
      boolean ends = n == round && end == OPEN;
      end = ends ? how : end;
      return ends;
    }
  }
}
