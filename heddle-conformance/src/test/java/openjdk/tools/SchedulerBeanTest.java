package openjdk.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.management.VirtualThreadSchedulerMXBean;
import openjdk.VirtualTest;
import openjdk.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The bean of the JDK's scheduler: VirtualThreadSchedulerMXBeanTest.java. The only test here whose
 * result differs between the worlds.
 */
class SchedulerBeanTest extends VirtualTest {
  private final VirtualThreadSchedulerMXBean bean =
      ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
  private final AtomicBoolean done = new AtomicBoolean();

  @AfterEach
  void end() {
    done.set(true);
  }

  @Test
  void countsOnlyThreadsOfTheJdksScheduler() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    Started<Void> started =
        start(
            () -> {
              running.countDown();
              while (!done.get()) {
                Thread.onSpinWait();
              }
            });
    running.await();
    int expected = World.current() == World.JDK ? 1 : 0;
    until(() -> bean.getMountedVirtualThreadCount() == expected);
    done.set(true);
    started.result();
  }

  @Test
  void parallelismCanBeChangedWithoutEffectOnThreads() throws Exception {
    int before = bean.getParallelism();
    assertThat(before).isPositive();
    bean.setParallelism(before + 1);
    assertThat(bean.getParallelism()).isEqualTo(before + 1);
    virtually(Thread::yield);
    bean.setParallelism(before);
  }
}
