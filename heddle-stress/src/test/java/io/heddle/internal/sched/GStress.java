package io.heddle.internal.sched;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.GStress.Twin.Fault;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The status of a goroutine on real cores, under jcstress, together with the JDK's state of its
 * thread.
 *
 * <p>The goroutine is queued, and an M takes it to run it. Meanwhile its thread becomes runnable
 * and is submitted once more. The first result is whether the submitter queues it; the second is
 * whether the M's run does something, or else whether the M queues it. If both give up, 0 and 0,
 * the goroutine is lost.
 */
public class GStress {
  // The numbers of java.lang.VirtualThread in JDK 25.
  private static final int PARKED = 4;
  private static final int UNPARKED = 9;
  private static final int YIELDED = 11;
  private static final int SUSPENDED = 1 << 8;

  private GStress() {}

  /** The common interface of G and its twin. */
  interface Status {
    /** Unparks as the JDK does. */
    void jdkState(int state);

    boolean toRunnable();

    void toRunning();

    boolean canGoOn();

    /** The check after a run that did nothing, as in afterRun: false if the check is omitted. */
    boolean looksAgain();
  }

  @Outcome(
      id = {"0, 1", "1, 0", "1, 1"},
      expect = ACCEPTABLE,
      desc = "it will run")
  public abstract static class SubmitAndRun {
    private final Status status;

    SubmitAndRun(Status status, int jdkState) {
      this.status = status;
      status.jdkState(jdkState);
      if (!status.toRunnable()) {
        throw new AssertionError("cannot be queued");
      }
    }

    final int submitAfter(int... jdkStates) {
      for (int state : jdkStates) {
        status.jdkState(state);
      }
      return status.toRunnable() ? 1 : 0;
    }

    final int run() {
      status.toRunning();
      if (status.canGoOn()) {
        return 1;
      }
      return status.looksAgain() && status.canGoOn() && status.toRunnable() ? 1 : 0;
    }
  }

  /** A thread that inspected its stack releases it. */
  @JCStressTest
  @State
  public static class ResumeAgainstRun extends SubmitAndRun {
    public ResumeAgainstRun() {
      super(new Sound(), YIELDED | SUSPENDED);
    }

    @Actor
    public void submitter(II_Result r) {
      r.r1 = submitAfter(YIELDED);
    }

    @Actor
    public void m(II_Result r) {
      r.r2 = run();
    }
  }

  @JCStressTest
  @State
  public static class ResumeAgainstRunBroken extends SubmitAndRun {
    public ResumeAgainstRunBroken() {
      super(new Twin(Fault.NO_FENCE), YIELDED | SUSPENDED);
    }

    @Actor
    public void submitter(II_Result r) {
      r.r1 = submitAfter(YIELDED);
    }

    @Actor
    public void m(II_Result r) {
      r.r2 = run();
    }
  }

  /** It was queued by a late submission, and is unparked now. */
  @JCStressTest
  @State
  public static class UnparkAgainstRun extends SubmitAndRun {
    public UnparkAgainstRun() {
      super(new Sound(), PARKED);
    }

    @Actor
    public void submitter(II_Result r) {
      r.r1 = submitAfter(UNPARKED);
    }

    @Actor
    public void m(II_Result r) {
      r.r2 = run();
    }
  }

  @JCStressTest
  @State
  public static class UnparkAgainstRunBroken extends SubmitAndRun {
    public UnparkAgainstRunBroken() {
      super(new Twin(Fault.FENCE_ONLY_IF_SUSPENDED), PARKED);
    }

    @Actor
    public void submitter(II_Result r) {
      r.r1 = submitAfter(UNPARKED);
    }

    @Actor
    public void m(II_Result r) {
      r.r2 = run();
    }
  }

  /** A thread inspects its stack between the M's first check and its run. */
  @JCStressTest
  @State
  public static class SuspendAgainstRun extends SubmitAndRun {
    public SuspendAgainstRun() {
      super(new Sound(), YIELDED);
    }

    @Actor
    public void submitter(II_Result r) {
      r.r1 = submitAfter(YIELDED | SUSPENDED, YIELDED);
    }

    @Actor
    public void m(II_Result r) {
      r.r2 = run();
    }
  }

  @JCStressTest
  @State
  public static class SuspendAgainstRunBroken extends SubmitAndRun {
    public SuspendAgainstRunBroken() {
      super(new Twin(Fault.NO_SECOND_LOOK), YIELDED);
    }

    @Actor
    public void submitter(II_Result r) {
      r.r1 = submitAfter(YIELDED | SUSPENDED, YIELDED);
    }

    @Actor
    public void m(II_Result r) {
      r.r2 = run();
    }
  }

  /** The real goroutine. */
  private static final class Sound implements Status {
    private static final VarHandle JDK_STATE = jdkState();

    /** Its thread never runs: only the states matter. */
    private static final class AnyG extends G {
      private static final Sched SCHED = newSched();

      AnyG() {
        super(SCHED, null, null);
      }

      @Override
      public void run() {}

      private static Sched newSched() {
        SchedConfig config =
            new SchedConfig(
                "stress",
                1,
                SchedConfig.MAX_THREADS,
                SchedConfig.TIME_SLICE_NANOS,
                SchedConfig.IDLE_TIME_NANOS,
                true,
                false,
                0,
                false,
                Thread::start,
                (_, _, _) -> new AnyG(),
                (_, _) -> {});
        return new Sched(config, GStress.class, _ -> MonitorListener.NONE);
      }
    }

    private final G g = new AnyG();

    Sound() {
      boolean _ = g.toRunnable();
      g.toRunning();
    }

    @Override
    public void jdkState(int state) {
      JDK_STATE.setVolatile(g.thread, state);
    }

    @Override
    public boolean toRunnable() {
      return g.toRunnable();
    }

    @Override
    public void toRunning() {
      g.toRunning();
    }

    @Override
    public boolean canGoOn() {
      return VirtualThreads.isRunnable(g.thread);
    }

    @Override
    public boolean looksAgain() {
      if (VirtualThreads.isSuspended(g.thread)) {
        VarHandle.fullFence();
      }
      return true;
    }

    private static VarHandle jdkState() {
      try {
        Class<?> type = Class.forName("java.lang.VirtualThread");
        return MethodHandles.privateLookupIn(type, MethodHandles.lookup())
            .findVarHandle(type, "state", int.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }
  }

  /** The broken twin, without one step of the protocol. */
  static final class Twin implements Status {
    /** The omitted step. */
    enum Fault {
      /**
       * No fence at all, so that every read of the JDK's state may overtake the store of status.
       */
      NO_FENCE,
      /** No fence in toRunning for a goroutine that is not runnable. */
      FENCE_ONLY_IF_SUSPENDED,
      /**
       * No check after a run that did nothing; and the store of status is delayed as long as a
       * store buffer may delay it.
       */
      NO_SECOND_LOOK
    }

    private final Fault fault;
    private final AtomicInteger status = new AtomicInteger(G.RUNNING);
    private volatile int jdkState;

    Twin(Fault fault) {
      this.fault = fault;
    }

    @Override
    public void jdkState(int state) {
      jdkState = state;
    }

    @Override
    public boolean toRunnable() {
      return status.get() == G.RUNNING && status.compareAndSet(G.RUNNING, G.RUNNABLE);
    }

    @Override
    public void toRunning() {
      if (fault != Fault.NO_SECOND_LOOK) {
        status.setRelease(G.RUNNING);
      }
    }

    @Override
    public boolean canGoOn() {
      int state = jdkState;
      return state == UNPARKED || state == YIELDED;
    }

    @Override
    public boolean looksAgain() {
      if (fault == Fault.NO_SECOND_LOOK) {
        status.setRelease(G.RUNNING);
        return false;
      }
      if (fault == Fault.FENCE_ONLY_IF_SUSPENDED && (jdkState & SUSPENDED) != 0) {
        VarHandle.fullFence();
      }
      return true;
    }
  }
}
