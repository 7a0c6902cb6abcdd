package io.heddle.internal.sched;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The status of a goroutine on real cores, under jcstress, beside a model of the JDK's own state of its thread.
 *
 * <p>The goroutine is queued, and its thread is suspended for a moment, so that a run would do nothing. Its thread goes on
 * and is submitted again while an M takes it from the queue. First whether the submitter queues it, then whether the M's
 * run does something or else the M queues it: that both give up, 0 and 0, loses it.
 */
public class GStress {
  private static final int SUSPENDED = 0;
  private static final int RUNNABLE = 1;

  private GStress() {}

  /** What G and its twin have in common. */
  interface Status {
    boolean toRunnable();

    void toRunning();

    /** Between a run that did nothing and the look behind it, as in afterRun. */
    void lookAgain();
  }

  @Outcome(
      id = {"0, 1", "1, 0", "1, 1"},
      expect = ACCEPTABLE,
      desc = "it will run")
  public abstract static class SubmitAndRun {
    private final Status status;
    private volatile int jdkState = SUSPENDED;

    SubmitAndRun(Status status) {
      this.status = status;
      queue();
      status.toRunning();
      queue();
    }

    private void queue() {
      if (!status.toRunnable()) {
        throw new AssertionError("cannot be queued");
      }
    }

    final int submit() {
      jdkState = RUNNABLE;
      return status.toRunnable() ? 1 : 0;
    }

    final int run() {
      status.toRunning();
      if (jdkState == RUNNABLE) {
        return 1;
      }
      status.lookAgain();
      return jdkState == RUNNABLE && status.toRunnable() ? 1 : 0;
    }
  }

  @JCStressTest
  @State
  public static class SubmitAgainstRun extends SubmitAndRun {
    public SubmitAgainstRun() {
      super(new Sound());
    }

    @Actor
    public void submitter(II_Result r) {
      r.r1 = submit();
    }

    @Actor
    public void m(II_Result r) {
      r.r2 = run();
    }
  }

  @JCStressTest
  @State
  public static class SubmitAgainstRunBroken extends SubmitAndRun {
    public SubmitAgainstRunBroken() {
      super(new RunWithoutFence());
    }

    @Actor
    public void submitter(II_Result r) {
      r.r1 = submit();
    }

    @Actor
    public void m(II_Result r) {
      r.r2 = run();
    }
  }

  /** The real one. */
  private static final class Sound implements Status {
    /** Of no thread that runs: only its status matters. */
    private static final class AnyG extends G {
      private static final Sched SCHED = newSched();

      AnyG() {
        super(SCHED, Thread.currentThread());
      }

      @Override
      public void run() {}

      private static Sched newSched() {
        Config config =
            new Config(
                "stress",
                1,
                Config.MAX_THREADS,
                Config.TIME_SLICE,
                Config.IDLE_TIME,
                true,
                Thread::start,
                (_, _) -> new AnyG(),
                (_, _) -> {});
        return new Sched(config, GStress.class);
      }
    }

    private final G g = new AnyG();

    @Override
    public boolean toRunnable() {
      return g.toRunnable();
    }

    @Override
    public void toRunning() {
      g.toRunning();
    }

    @Override
    public void lookAgain() {
      VarHandle.fullFence();
    }
  }

  /** The broken twin: no fence, so both looks at the JDK's state may overtake the store of status. */
  private static final class RunWithoutFence implements Status {
    private final AtomicInteger status = new AtomicInteger(G.RUNNING);

    @Override
    public boolean toRunnable() {
      return status.get() == G.RUNNING && status.compareAndSet(G.RUNNING, G.RUNNABLE);
    }

    @Override
    public void toRunning() {
      status.setRelease(G.RUNNING);
    }

    @Override
    public void lookAgain() {}
  }
}
