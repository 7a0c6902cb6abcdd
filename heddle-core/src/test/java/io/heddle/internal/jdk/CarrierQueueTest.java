package io.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.HangGuard;
import io.heddle.Scheduler;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@HangGuard
class CarrierQueueTest {
  /** Otherwise each wait in a SynchronousQueue spins for microseconds before it parks. */
  @Tag("jdks")
  @Test
  void theJdkSeesWorkInTheQueueOfACarrier() throws Exception {
    VirtualThreads.ensureOpen();
    MethodHandle asked =
        JdkLookup.in(ForkJoinWorkerThread.class)
            .findStatic(
                ForkJoinWorkerThread.class,
                "hasKnownQueuedWork",
                MethodType.methodType(boolean.class));
    FutureTask<Boolean> answer = new FutureTask<>(() -> ask(asked));
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      scheduler.go(answer::run);
    }
    assertThat(answer.get()).isTrue();
  }

  private static boolean ask(MethodHandle asked) {
    try {
      return (boolean) asked.invokeExact();
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }
}
