package io.heddle.internal.note;

import io.heddle.internal.note.BrokenNote.Fault;
import io.heddle.stress.Check;
import io.heddle.stress.Corner;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The note under Lincheck: registering, giving up and the wakeup, as seen by a sleeper whose time
 * is already over.
 *
 * <p>Only this part is tested here. Lincheck lets a park return at any time, so it cannot detect a
 * lost wakeup of a sleeper that parks; NoteStress and NoteTest do that.
 */
@Tag("full")
class NoteLincheckTest {
  private static final Corner SLEEP_AND_WAKEUP = new Corner("", "trySleep", "wakeup", "trySleep");

  @Test
  void n2_givingUpAndWakeupAreLinearizable() {
    Check.passes(Sound.class, OneThread.class, SLEEP_AND_WAKEUP);
  }

  @Test
  void twinWithoutAFaultPasses() {
    Check.passesCorners(NoFault.class, OneThread.class, SLEEP_AND_WAKEUP);
  }

  @Test
  void n1_registeringWithoutCasIsCaught() {
    Check.fails(RegisterWithoutCas.class, OneThread.class, SLEEP_AND_WAKEUP);
  }

  @Test
  void n2_givingUpWithoutCasIsCaught() {
    Check.fails(GiveUpWithoutCas.class, OneThread.class, SLEEP_AND_WAKEUP);
  }

  /** One sleeper and any number of wakers; all wakers but the first get an exception. */
  public abstract static class Scene {
    private final Event note;

    Scene(Event note) {
      this.note = note;
    }

    @Operation(nonParallelGroup = "sleeper")
    public boolean trySleep() {
      return note.sleep(-1);
    }

    @Operation
    public void wakeup() {
      note.wakeup();
    }
  }

  public static class Sound extends Scene {
    public Sound() {
      super(new Event.Sound());
    }
  }

  public static class NoFault extends Scene {
    public NoFault() {
      super(new BrokenNote(Fault.NONE));
    }
  }

  public static class RegisterWithoutCas extends Scene {
    public RegisterWithoutCas() {
      super(new BrokenNote(Fault.REGISTER_WITHOUT_CAS));
    }
  }

  public static class GiveUpWithoutCas extends Scene {
    public GiveUpWithoutCas() {
      super(new BrokenNote(Fault.GIVE_UP_WITHOUT_CAS));
    }
  }

  /** The scene on one thread: the sequential specification. */
  public static class OneThread {
    private boolean signaled;

    public boolean trySleep() {
      return signaled;
    }

    public void wakeup() {
      if (signaled) {
        throw new IllegalStateException();
      }
      signaled = true;
    }
  }
}
