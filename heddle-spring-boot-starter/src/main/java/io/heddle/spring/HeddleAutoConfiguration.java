package io.heddle.spring;

import io.heddle.Scheduler;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.task.SimpleAsyncTaskExecutorCustomizer;
import org.springframework.boot.task.SimpleAsyncTaskSchedulerCustomizer;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Makes the scheduler bean, and lets the tasks of the application run on it. An application that
 * has a {@link Scheduler} bean of its own keeps that one.
 */
@AutoConfiguration(
    before = {TaskExecutionAutoConfiguration.class, TaskSchedulingAutoConfiguration.class})
@ConditionalOnHeddle
@EnableConfigurationProperties(HeddleProperties.class)
public final class HeddleAutoConfiguration {
  /** Called by Spring. */
  HeddleAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean(Scheduler.class)
  static SchedulerFactoryBean heddleScheduler(
      ObjectProvider<HeddleProperties> properties, Environment environment) {
    return new SchedulerFactoryBean(
        properties, environment.getProperty("spring.application.name", "spring"));
  }

  @Bean
  @ConditionalOnMissingBean
  static HeddleSchedulers heddleSchedulers(
      ObjectProvider<Scheduler> applications, ObjectProvider<HeddleProperties> properties) {
    return new HeddleSchedulers(applications, properties);
  }

  /** Before the customizers of the application, which therefore have the last word. */
  @Bean
  @Order(Ordered.HIGHEST_PRECEDENCE)
  @ConditionalOnThreading(Threading.VIRTUAL)
  @ConditionalOnHeddle("task-execution")
  static SimpleAsyncTaskExecutorCustomizer heddleTaskExecutorCustomizer(
      HeddleSchedulers schedulers) {
    Scheduler scheduler = schedulers.of("task-execution");
    return executor -> GoroutineThreadFactory.replaceThreadsOf(executor, scheduler);
  }

  @Bean
  @Order(Ordered.HIGHEST_PRECEDENCE)
  @ConditionalOnThreading(Threading.VIRTUAL)
  @ConditionalOnHeddle("task-scheduling")
  static SimpleAsyncTaskSchedulerCustomizer heddleTaskSchedulerCustomizer(
      HeddleSchedulers schedulers) {
    Scheduler scheduler = schedulers.of("task-scheduling");
    return executor -> GoroutineThreadFactory.replaceThreadsOf(executor, scheduler);
  }
}
