package openjdk.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import openjdk.VirtualTest;
import org.junit.jupiter.api.Test;

/**
 * Class initialisers that wait, and threads that wait for them, all pinned: KlassInit.java,
 * Starvation.java.
 */
class ClassInitTest extends VirtualTest {
  private static final CountDownLatch SLOW_MAY_END = new CountDownLatch(1);
  private static final CountDownLatch SLOW_HAS_BEGUN = new CountDownLatch(1);

  private static final class Slow {
    static final Object VALUE;

    static {
      SLOW_HAS_BEGUN.countDown();
      try {
        SLOW_MAY_END.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      VALUE = new Object();
    }
  }

  private static final class Parks {
    static final int VALUE;

    static {
      LockSupport.parkNanos(1_000_000);
      Thread.yield();
      VALUE = Integer.parseInt("42");
    }
  }

  private static final class Fails {
    static final int VALUE = fail();

    static int fail() {
      Thread.yield();
      throw new IllegalStateException("in the initialiser");
    }
  }

  /** More threads than carriers: some cannot even start before the gate opens. */
  @Test
  void manyWaitForOne() throws Exception {
    List<Started<Object>> all = new ArrayList<>();
    all.add(call(() -> Slow.VALUE));
    SLOW_HAS_BEGUN.await();
    for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
      all.add(call(() -> Slow.VALUE));
    }
    SLOW_MAY_END.countDown();
    for (Started<Object> each : all) {
      assertThat(each.result()).isSameAs(Slow.VALUE);
    }
  }

  @Test
  void anInitialiserMayParkAndYield() throws Exception {
    assertThat(call(() -> Parks.VALUE).result()).isEqualTo(42);
  }

  @Test
  void anInitialiserThatFails() throws Exception {
    virtually(
        () ->
            assertThatExceptionOfType(ExceptionInInitializerError.class)
                .isThrownBy(() -> assertThat(Fails.VALUE).isZero()));
    virtually(
        () ->
            assertThatExceptionOfType(NoClassDefFoundError.class)
                .isThrownBy(() -> assertThat(Fails.VALUE).isZero()));
  }
}
