package io.heddle.internal.inspect;

import io.heddle.internal.sched.CpuTimes;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.HandOff;
import io.heddle.internal.sched.M;
import io.heddle.internal.sched.MonitorListener;
import io.heddle.internal.sched.Sched;
import org.jspecify.annotations.Nullable;

/**
 * The observers of one scheduler, as its {@link MonitorListener}: deadlock detector, stall
 * detector, hand-off log, CPU times and trace session.
 */
public final class Inspector implements MonitorListener {
  private final TraceSession traces;
  private final DeadlockDetector deadlocks;
  private final StallDetector stalls;
  private final HandOffLog handOffs;
  private final CheckResults checks = new CheckResults();
  private final CpuTimes cpuTimes;

  public Inspector(Sched sched) {
    traces = new TraceSession(sched);
    deadlocks = new DeadlockDetector(sched, traces);
    stalls = new StallDetector(sched, traces);
    handOffs = new HandOffLog(sched);
    cpuTimes = new CpuTimes(sched);
  }

  /** Returns the observers of a scheduler that was made with {@code Inspector::new}. */
  public static Inspector of(Sched sched) {
    return (Inspector) sched.listener();
  }

  public TraceSession traces() {
    return traces;
  }

  public DeadlockDetector deadlocks() {
    return deadlocks;
  }

  public CheckResults checks() {
    return checks;
  }

  public CpuTimes cpuTimes() {
    return cpuTimes;
  }

  public HandOffLog handOffs() {
    return handOffs;
  }

  @Override
  public void onLook(long now) {
    cpuTimes.look(now);
    stalls.look(now);
  }

  @Override
  public void onRetake(HandOff.Reason reason, M m, @Nullable G g) {
    handOffs.note(reason, m, g);
  }

  @Override
  public void onQuiet() {
    deadlocks.check();
  }

  @Override
  public boolean onDoze() {
    return cpuTimes.doze();
  }

  @Override
  public void onMAsleep() {
    deadlocks.onMAsleep();
  }

  @Override
  public void onClose() {
    traces.closeAll();
  }
}
