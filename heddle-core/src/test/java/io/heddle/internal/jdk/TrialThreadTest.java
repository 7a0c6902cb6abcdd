package io.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.HangGuard;
import io.heddle.internal.base.SystemThreadGroup;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A trial of the JDK that fails or hangs ends with an exception. */
@HangGuard
class TrialThreadTest {
  private static final Duration SHORT = Duration.ofSeconds(1);

  @Test
  void trialThatDoesNotEndFails() {
    CountDownLatch end = new CountDownLatch(1);
    assertThatThrownBy(() -> TrialThread.run(SHORT, () -> await(end)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the trial of a virtual thread did not end within 1 s");
    end.countDown();
  }

  @Test
  void failureIsTheCause() {
    RuntimeException cause = new UnsupportedOperationException("another JDK");
    assertThatThrownBy(
            () ->
                TrialThread.run(
                    TrialThread.LIMIT,
                    () -> {
                      throw cause;
                    }))
        .hasCause(cause)
        .hasMessageContaining("another JDK");
  }

  @Test
  void trialIsInTheSystemsGroupAndKeepsTheInterruptStatus() {
    AtomicReference<ThreadGroup> group = new AtomicReference<>();
    Thread.currentThread().interrupt();
    TrialThread.run(TrialThread.LIMIT, () -> group.set(Thread.currentThread().getThreadGroup()));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(group.get()).isSameAs(SystemThreadGroup.get());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
