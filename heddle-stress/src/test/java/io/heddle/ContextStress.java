package io.heddle;

import static io.heddle.Interruptible.calm;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Contexts on real cores, under jcstress. An outcome that is not listed is forbidden. */
public class ContextStress {
  private ContextStress() {}

  private static int isDone(Context context) {
    return ((Chan<Void>) context.done()).isClosed() ? 1 : 0;
  }

  /** A waiter for the end sees the plain writes before it, and the cause. */
  @JCStressTest
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "the plain field, the error and the cause")
  @State
  public static class CancelAgainstDone {
    private final Context.Cancelable context = Context.background().withCancel();
    private final Throwable cause = new Throwable("cause");
    private int letter;

    @Actor
    public void canceller() {
      letter = 1;
      context.cancel(cause);
    }

    @Actor
    public void receiver(III_Result r) {
      int _ = calm(() -> context.done().receive() == null ? 0 : 1);
      r.r1 = letter;
      r.r2 = context.err() == null ? 0 : 1;
      r.r3 = context.cause() == cause ? 1 : 0;
    }
  }

  /** After its own cancel, a caller finds the context done. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "done for both")
  @State
  public static class CancelAgainstCancel {
    private final Context.Cancelable context = Context.background().withCancel();

    @Actor
    public void one(II_Result r) {
      context.cancel();
      r.r1 = isDone(context);
    }

    @Actor
    public void other(II_Result r) {
      context.cancel();
      r.r2 = isDone(context);
    }
  }

  /** The second canceller does not wait until the first one has closed the channel. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "done for both")
  @State
  public static class CancelAgainstCancelBroken {
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Chan<Void> done = Chan.make();

    @Actor
    public void one(II_Result r) {
      r.r1 = cancel();
    }

    @Actor
    public void other(II_Result r) {
      r.r2 = cancel();
    }

    private int cancel() {
      if (ended.compareAndSet(false, true)) {
        done.close();
      }
      return done.isClosed() ? 1 : 0;
    }
  }

  /** If there is an error, the context is done. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "ended")
  @Outcome(id = "-1", expect = ACCEPTABLE, desc = "not yet")
  @State
  public static class CancelAgainstErr {
    private final Context.Cancelable context = Context.background().withCancel();

    @Actor
    public void canceller() {
      context.cancel();
    }

    @Actor
    public void looker(I_Result r) {
      r.r1 = context.err() == null ? -1 : isDone(context);
    }
  }
}
