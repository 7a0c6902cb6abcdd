package io.heddle.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.Scheduler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.task.SimpleAsyncTaskExecutorCustomizer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** The scheduler bean, and the tasks on it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HeddleAutoConfigurationTest {
  private static final String VIRTUAL = "spring.threads.virtual.enabled=true";

  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  HeddleAutoConfiguration.class,
                  TaskExecutionAutoConfiguration.class,
                  TaskSchedulingAutoConfiguration.class))
          .withPropertyValues(VIRTUAL);

  @Test
  void tasksRunOnGoroutinesOfTheSharedScheduler() {
    application.run(
        tested(
            context -> {
              assertThat(context).getBean(Scheduler.class).isSameAs(Scheduler.shared());
              Goroutines.assertOnGoroutines(executor(context), "task-");
            }));
  }

  @Test
  void settingsOfTheExecutorStay() {
    application
        .withPropertyValues(
            "spring.task.execution.thread-name-prefix=chore-",
            "spring.task.execution.simple.concurrency-limit=3")
        .run(
            tested(
                context -> {
                  Goroutines.assertOnGoroutines(executor(context), "chore-1");
                  assertThat(((SimpleAsyncTaskExecutor) executor(context)).getConcurrencyLimit())
                      .isEqualTo(3);
                }));
  }

  @Test
  void scheduledTasksRunOnGoroutines() {
    application
        .withUserConfiguration(Scheduling.class)
        .run(
            tested(
                context -> {
                  Scheduling tasks = context.getBean(Scheduling.class);
                  assertThat(tasks.atARate.get(30, TimeUnit.SECONDS))
                      .contains("scheduling-", Goroutines.SHARED);
                  assertThat(tasks.withADelay.get(30, TimeUnit.SECONDS))
                      .contains("scheduling-", Goroutines.SHARED);
                }));
  }

  @Test
  void switchedOffEverythingIsAsWithoutTheStarter() {
    application
        .withPropertyValues("heddle.enabled=false")
        .run(
            tested(
                context -> {
                  assertThat(context).doesNotHaveBean(Scheduler.class);
                  Goroutines.assertOnTheJdksScheduler(executor(context));
                }));
  }

  @Test
  void onePartCanBeSwitchedOff() {
    application
        .withPropertyValues("heddle.task-execution.enabled=false")
        .run(
            tested(
                context -> {
                  assertThat(context).hasSingleBean(Scheduler.class);
                  Goroutines.assertOnTheJdksScheduler(executor(context));
                }));
  }

  @Test
  void applicationThatWantsPlatformThreadsKeepsThem() {
    application
        .withPropertyValues("spring.threads.virtual.enabled=false")
        .run(
            tested(
                context ->
                    assertThat(Goroutines.threadOf(executor(context)))
                        .startsWith("Thread[#")
                        .contains("task-")));
  }

  @Test
  void customizerOfTheApplicationHasTheLastWord() {
    application
        .withBean(
            SimpleAsyncTaskExecutorCustomizer.class,
            () -> executor -> executor.setThreadFactory(Thread.ofPlatform().name("mine").factory()))
        .run(
            tested(context -> assertThat(Goroutines.threadOf(executor(context))).contains("mine")));
  }

  @Test
  void ownSchedulerHasItsSettingsAndEndsWithTheApplication() {
    Scheduler[] own = new Scheduler[1];
    application
        .withPropertyValues(
            "heddle.scheduler.procs=1",
            "heddle.scheduler.max-threads=50",
            "heddle.scheduler.time-slice=5ms",
            "spring.application.name=shop")
        .run(
            tested(
                context -> {
                  own[0] = context.getBean(Scheduler.class);
                  assertThat(own[0].procs()).isEqualTo(1);
                  assertThat(Goroutines.threadOf(executor(context))).contains("@heddle-shop-M");
                }));
    assertThatThrownBy(() -> own[0].go(() -> {})).hasMessage("scheduler shop is closed");
  }

  @Test
  void endDoesNotWaitForGoroutinesThatIgnoreIt() {
    CountDownLatch end = new CountDownLatch(1);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    application
        .withPropertyValues("heddle.scheduler.name=stubborn", "heddle.shutdown-timeout=10ms")
        .run(
            tested(
                context ->
                    context
                        .getBean(Scheduler.class)
                        .go(
                            () -> {
                              boolean wasInterrupted = false;
                              while (end.getCount() > 0) {
                                try {
                                  end.await();
                                } catch (InterruptedException e) {
                                  wasInterrupted = true;
                                  interrupted.complete(true);
                                }
                              }
                              assertThat(wasInterrupted).isTrue();
                            })));
    assertThat(interrupted.orTimeout(30, TimeUnit.SECONDS).join()).isTrue();
    end.countDown();
  }

  @ParameterizedTest
  @CsvSource({
    "heddle.scheduler.procs, 0, procs is 0: allowed is 1 to 1024",
    "heddle.scheduler.max-threads, -1, maxThreads is -1",
    "heddle.scheduler.time-slice, 2h, timeSlice"
  })
  void settingOutOfRangeIsNamed(String name, String value, String reason) {
    application
        .withPropertyValues(name + "=" + value)
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .isInstanceOfSatisfying(
                        InvalidConfigurationPropertyValueException.class,
                        e -> {
                          assertThat(e.getName()).isEqualTo(name);
                          assertThat(e.getReason()).contains(reason);
                        }));
  }

  @Test
  void schedulerOfTheApplicationIsUsedAndNotClosed() {
    try (Scheduler mine = Scheduler.builder().name("mine").procs(1).build()) {
      application
          .withBean("mine", Scheduler.class, () -> mine, definition -> {})
          .withInitializer(
              context ->
                  context.addBeanFactoryPostProcessor(
                      factory ->
                          ((org.springframework.beans.factory.support.AbstractBeanDefinition)
                                  factory.getBeanDefinition("mine"))
                              .setDestroyMethodName("")))
          .run(
              tested(
                  context ->
                      assertThat(Goroutines.threadOf(executor(context)))
                          .contains("@heddle-mine-M")));
      assertThat(mine.go(() -> {})).isNotNull();
    }
  }

  @Test
  void withoutTheOtherLibrariesTheStarterIsQuiet() {
    application
        .withClassLoader(
            new FilteredClassLoader(
                "org.apache.coyote", "org.eclipse.jetty", "org.springframework.kafka", "io.grpc"))
        .withConfiguration(
            AutoConfigurations.of(
                HeddleTomcatAutoConfiguration.class,
                HeddleJettyAutoConfiguration.class,
                HeddleKafkaAutoConfiguration.class,
                HeddleGrpcAutoConfiguration.class,
                HeddleActuatorAutoConfiguration.class))
        .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Scheduler.class));
  }

  private static Executor executor(AssertableApplicationContext context) {
    return context.getBean("applicationTaskExecutor", Executor.class);
  }

  private static ContextConsumer<AssertableApplicationContext> tested(
      ContextConsumer<AssertableApplicationContext> test) {
    return context -> {
      assertThat(context).hasNotFailed();
      test.accept(context);
    };
  }

  @Configuration(proxyBeanMethods = false)
  @EnableScheduling
  static class Scheduling {
    final CompletableFuture<String> atARate = new CompletableFuture<>();
    final CompletableFuture<String> withADelay = new CompletableFuture<>();

    @Scheduled(fixedRate = 1000)
    void atARate() {
      atARate.complete(Thread.currentThread().toString());
    }

    @Scheduled(fixedDelay = 1000)
    void withADelay() {
      withADelay.complete(Thread.currentThread().toString());
    }
  }
}
