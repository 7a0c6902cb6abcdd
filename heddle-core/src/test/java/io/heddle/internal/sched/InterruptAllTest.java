package io.heddle.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.Await;
import io.heddle.HangGuard;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** {@link GoroutineRegistry#interruptAll} counts its calls, however they end. */
@HangGuard
class InterruptAllTest {
  private final CountDownLatch end = new CountDownLatch(1);

  @Test
  void interruptThatThrowsIsCountedAsEnded() throws Exception {
    BareSched bare = new BareSched().procs(1).open();
    GoroutineRegistry registry = bare.sched().registry();
    BareSched.BareG g = bare.go(() -> new ThrowingChannel().block(end));
    Await.until(g.thread()::getState, Thread.State.WAITING);

    assertThatThrownBy(registry::interruptAll).hasMessage("close");

    assertThat(registry.interruptsBegun()).isEqualTo(1);
    assertThat(registry.interruptsEnded()).isEqualTo(1);
    end.countDown();
    g.join();
    bare.close();
  }

  /** An interrupt of the thread that uses it closes it, and that throws. */
  private static final class ThrowingChannel extends AbstractInterruptibleChannel {
    @Override
    protected void implCloseChannel() {
      throw new IllegalStateException("close");
    }

    void block(CountDownLatch latch) {
      begin();
      while (latch.getCount() > 0) {
        try {
          latch.await();
        } catch (InterruptedException e) {
          // The channel has thrown, and the JDK had set the flag before.
        }
      }
    }
  }
}
