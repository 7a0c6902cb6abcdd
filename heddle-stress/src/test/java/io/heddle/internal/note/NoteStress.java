package io.heddle.internal.note;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.heddle.internal.note.BrokenNote.Fault;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The note on real cores, under jcstress: each scene with the real note, and with a broken twin.
 *
 * <p>A lost wakeup shows at the end: the wakeup has been called, but the note does not have it.
 * (The sleeper then wakes by timeout, because otherwise the twin's test would hang.) An outcome
 * that is not listed is forbidden.
 */
public class NoteStress {
  /** Mostly longer than the other thread needs to get here; the outcomes do not depend on it. */
  private static final long A_WHILE = 200_000;

  private NoteStress() {}

  /**
   * Whether the sleeper was woken, whether it then sees the plain field, whether the note has the
   * wakeup.
   */
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "woken, with the plain field")
  @Outcome(
      id = {"0, 0, 1", "0, 1, 1"},
      expect = ACCEPTABLE,
      desc = "gave up, and the wakeup found no sleeper")
  public abstract static class SleepAndWakeup {
    private final Event note;
    private int letter;

    SleepAndWakeup(Event note) {
      this.note = note;
    }

    final void sleep(long nanos, III_Result r) {
      r.r1 = note.sleep(nanos) ? 1 : 0;
      r.r2 = letter;
    }

    final void wakeup() {
      letter = 1;
      note.wakeup();
    }

    final int signaled() {
      return note.sleep(-1) ? 1 : 0;
    }
  }

  /** Rule N1: the wakeup and the sleep meet. */
  @JCStressTest
  @State
  public static class SleepAgainstWakeup extends SleepAndWakeup {
    public SleepAgainstWakeup() {
      super(new Event.Sound());
    }

    @Actor
    public void sleeper(III_Result r) {
      sleep(A_WHILE, r);
    }

    @Actor
    public void waker() {
      wakeup();
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = signaled();
    }
  }

  @JCStressTest
  @State
  public static class SleepAgainstWakeupBroken extends SleepAndWakeup {
    public SleepAgainstWakeupBroken() {
      super(new BrokenNote(Fault.REGISTER_WITHOUT_CAS));
    }

    @Actor
    public void sleeper(III_Result r) {
      sleep(A_WHILE, r);
    }

    @Actor
    public void waker() {
      wakeup();
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = signaled();
    }
  }

  /** Rule N2: the wakeup and the end of the sleeper's time meet. */
  @JCStressTest
  @State
  public static class GiveUpAgainstWakeup extends SleepAndWakeup {
    public GiveUpAgainstWakeup() {
      super(new Event.Sound());
    }

    @Actor
    public void sleeper(III_Result r) {
      sleep(0, r);
    }

    @Actor
    public void waker() {
      wakeup();
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = signaled();
    }
  }

  @JCStressTest
  @State
  public static class GiveUpAgainstWakeupBroken extends SleepAndWakeup {
    public GiveUpAgainstWakeupBroken() {
      super(new BrokenNote(Fault.GIVE_UP_WITHOUT_CAS));
    }

    @Actor
    public void sleeper(III_Result r) {
      sleep(0, r);
    }

    @Actor
    public void waker() {
      wakeup();
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = signaled();
    }
  }

  /** Rule N1 without a timeout: a lost wakeup hangs, which JcstressTest detects. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "woken, with the plain field")
  @State
  public static class EndlessSleepAgainstWakeup {
    private final Note note = new Note();
    private int letter;

    @Actor
    public void sleeper(I_Result r) {
      note.sleep();
      r.r1 = letter;
    }

    @Actor
    public void waker() {
      letter = 1;
      note.wakeup();
    }
  }
}
