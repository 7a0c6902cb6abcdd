package io.heddle.context.propagation;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Go;
import io.heddle.Group;
import io.heddle.Scheduler;
import io.heddle.Timer;
import io.heddle.WaitGroup;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshotFactory;
import io.micrometer.context.integration.Slf4jThreadLocalAccessor;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;

/** The MDC and a thread-local variable arrive in goroutines, without any line of configuration. */
@Timeout(30)
class ContextPropagationCarryTest {
  private static final String USER_KEY = "user";
  private static final ThreadLocal<String> USER = new ThreadLocal<>();

  private final BlockingQueue<String> arrived = new ArrayBlockingQueue<>(10);

  @BeforeEach
  void register() {
    ContextRegistry.getInstance()
        .registerThreadLocalAccessor(USER_KEY, USER)
        .registerThreadLocalAccessor(new Slf4jThreadLocalAccessor());
    USER.set("ann");
    MDC.put("request", "r-1");
  }

  @AfterEach
  void deregister() {
    ContextRegistry.getInstance().removeThreadLocalAccessor(USER_KEY);
    ContextRegistry.getInstance().removeThreadLocalAccessor(Slf4jThreadLocalAccessor.KEY);
    USER.remove();
    MDC.clear();
  }

  @Test
  void goroutinesOfTheSharedScheduler() throws Exception {
    Go.go(this::report).join();
    assertArrived();
    Go.main(
        () -> {
          Go.go(this::report).join();
          assertArrived();
          WaitGroup waitGroup = new WaitGroup();
          waitGroup.go(this::report);
          waitGroup.await();
          assertArrived();
          try (Group group = new Group()) {
            group.go(this::report);
            group.await();
          }
          assertArrived();
          Timer _ = Timer.schedule(Duration.ZERO, this::report);
          assertArrived();
        });
    Timer _ = Timer.schedule(Duration.ZERO, this::report);
    assertArrived();
  }

  @Test
  void executorsAndThreadFactories() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      try (ExecutorService executor = scheduler.executor()) {
        executor.submit(this::report).get();
        assertArrived();
      }
      scheduler.threadFactory().newThread(this::report).start();
      assertArrived();
    }
  }

  /** What the other tests show is not the doing of the JDK or of Logback. */
  @Test
  void nothingArrivesWithoutTheAdapter() throws Exception {
    try (Scheduler without = Scheduler.builder().procs(1).carry().build()) {
      without.go(this::report);
      assertThat(arrived.take()).isEqualTo("null null");
    }
  }

  @Test
  void valuesOfTheCallerStay() throws Exception {
    Go.go(
            () -> {
              USER.set("bob");
              MDC.put("request", "r-2");
            })
        .join();
    Go.go(this::report).join();
    assertArrived();
    assertThat(USER.get()).isEqualTo("ann");
  }

  @Test
  void nothingIsCapturedWhereThereIsNothing() {
    assertThat(new ContextPropagationCarry().capture()).isNotNull();
    USER.remove();
    MDC.clear();
    assertThat(new ContextPropagationCarry().capture()).isNull();
  }

  @Test
  void otherFactoryDecidesWhatIsCarried() throws Exception {
    ContextSnapshotFactory some =
        ContextSnapshotFactory.builder().captureKeyPredicate(USER_KEY::equals).build();
    try (Scheduler scheduler =
        Scheduler.builder().procs(1).carry(new ContextPropagationCarry(some)).build()) {
      scheduler.go(this::report);
      assertThat(arrived.take()).isEqualTo("ann null");
    }
  }

  private void report() {
    arrived.add(USER.get() + " " + MDC.get("request"));
  }

  private void assertArrived() throws InterruptedException {
    assertThat(arrived.take()).isEqualTo("ann r-1");
  }
}
