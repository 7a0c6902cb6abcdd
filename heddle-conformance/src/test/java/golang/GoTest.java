package golang;

import io.heddle.Scheduler;
import io.heddle.Task;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** A test modelled on one of Go's files, on 1, 2 and 8 Ps. It fails if it hangs. */
@ParameterizedClass(name = "{0} Ps, round {1}")
@ArgumentsSource(Rounds.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class GoTest {
  @Parameter(0)
  protected int procs;

  @Parameter(1)
  protected int round;

  /**
   * Runs a Go program: it ends with its main goroutine or with that goroutine's exception. Then all
   * its goroutines must end.
   */
  protected final void run(Task main) throws Exception {
    try (CheckedTrace trace = new CheckedTrace();
        Scheduler scheduler = Scheduler.builder().name("go").procs(procs).build()) {
      trace.begin(scheduler);
      scheduler.run(main);
    }
  }
}
