package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** The JMX bean of a scheduler. */
@HangGuard
class ManagementTest {
  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final CountDownLatch gate = new CountDownLatch(1);

  @Test
  void beanIsRegisteredUntilTheSchedulerCloses() throws Exception {
    ObjectName name = new ObjectName("io.heddle:type=Scheduler,name=managed");
    try (Scheduler scheduler = Scheduler.builder().name("managed").procs(3).build()) {
      scheduler.go(gate::await);
      SchedulerMXBean bean = await(name);

      assertThat(bean.getName()).isEqualTo("managed");
      assertThat(bean.getStats().procs()).isEqualTo(3);
      assertThat(bean.getStats().localQueues()).hasSize(3);
      Await.until(() -> bean.getGoroutinesByState().containsKey("park (CountDownLatch)"));
      assertThat(bean.getGoroutinesByState()).containsOnlyKeys("park (CountDownLatch)");
      assertThat(bean.getStats().goroutines()).isOne();
      assertThat(bean.getHandOffs()).isEqualTo(scheduler.handOffs());
      assertThat(bean.getProcs()).extracting(SchedulerMXBean.Proc::number).containsExactly(0, 1, 2);
      assertThat(bean.dump()).contains("scheduler managed: 1 goroutine", "CountDownLatch.await");
      assertThat(bean.dumpGrouped()).contains("1 goroutine [park (CountDownLatch)]: 1\n");
      gate.countDown();
    }
    assertThat(server.isRegistered(name)).isFalse();
  }

  @Test
  void runningPNamesItsThreadAndGoroutine() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().name("busy").procs(1).build()) {
      SchedulerMXBean bean = new SchedulerBean(scheduler);
      Goroutine hog =
          scheduler.go(
              () -> {
                while (gate.getCount() > 0) {
                  Thread.onSpinWait();
                }
              });
      Await.until(() -> bean.getProcs().getFirst().goroutine() == hog.id());
      assertThat(bean.getProcs().getFirst().state()).isEqualTo("running");
      assertThat(bean.getProcs().getFirst().thread()).startsWith("heddle-busy-M");
      gate.countDown();
    }
  }

  @Test
  void latencyAndCountsReachJmx() throws Exception {
    ObjectName name = new ObjectName("io.heddle:type=Scheduler,name=measured");
    try (Scheduler scheduler =
        Scheduler.builder().name("measured").procs(1).maxThreads(77).build()) {
      scheduler.run(
          () -> {
            for (int i = 0; i < 6_400; i++) {
              Go.gosched();
            }
          });
      scheduler.go(gate::await);
      SchedulerMXBean bean = await(name);
      Latency latency = scheduler.latency();
      SchedulerMXBean.LatencySummary summary = bean.getLatency();
      assertThat(summary.samples()).isBetween(80L, latency.samples() + 10);
      assertThat(summary.totalNanos()).isPositive();
      assertThat(summary.upTo1ms()).isBetween(1L, summary.upTo10ms());
      assertThat(summary.upTo100ms()).isBetween(summary.upTo100us(), summary.upTo1s());
      assertThat(summary.upTo1s()).isLessThanOrEqualTo(summary.samples());
      Map<String, Long> buckets = bean.getLatencyBuckets();
      assertThat(buckets).hasSize(23).containsKeys("0.000001", "0.1", "10");
      assertThat(buckets.get("+Inf")).isGreaterThanOrEqualTo(buckets.get("10"));
      assertThat(buckets.get("+Inf")).isGreaterThanOrEqualTo(summary.samples());
      assertThat(bean.getMaxThreads()).isEqualTo(77);
      assertThat(bean.getBusyProcs()).isBetween(0, 1);
      assertThat(bean.getBusyThreads()).isBetween(0, 77);
      assertThat(bean.getLocalQueue()).isZero();
      Await.until(() -> bean.getGoroutineCounts().event() == 1);
      assertThat(bean.getGoroutineCounts().waiting()).isEqualTo(1);
      gate.countDown();
    }
  }

  @Test
  void secondSchedulerOfTheSameNameHasANumber() throws Exception {
    try (Scheduler first = Scheduler.builder().name("twin: a").procs(1).build();
        Scheduler second = Scheduler.builder().name("twin: a").procs(1).build()) {
      assertThat(first).isNotEqualTo(second);
      await(new ObjectName("io.heddle:type=Scheduler,name=\"twin: a\""));
      await(new ObjectName("io.heddle:type=Scheduler,name=\"twin: a\",id=2"));
    }
    assertThat(server.queryNames(new ObjectName("io.heddle:name=\"twin*\",*"), null)).isEmpty();
  }

  private SchedulerMXBean await(ObjectName name) {
    Await.until(() -> server.isRegistered(name));
    return JMX.newMXBeanProxy(server, name, SchedulerMXBean.class);
  }
}
