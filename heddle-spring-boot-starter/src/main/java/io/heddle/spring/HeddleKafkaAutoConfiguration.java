package io.heddle.spring;

import io.heddle.Scheduler;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.kafka.config.AbstractKafkaListenerContainerFactory;
import org.springframework.kafka.listener.ContainerProperties;

/**
 * Runs the listeners of Kafka on goroutines. A container factory with an executor of the
 * application keeps it.
 */
@AutoConfiguration(after = HeddleAutoConfiguration.class)
@ConditionalOnClass({AbstractKafkaListenerContainerFactory.class, ContainerProperties.class})
@ConditionalOnThreading(Threading.VIRTUAL)
@ConditionalOnHeddle("kafka")
public final class HeddleKafkaAutoConfiguration {
  /** The names of the threads in Boot's executor, which tell it from one of the application. */
  private static final String PREFIX = "kafka-";

  /** Called by Spring. */
  HeddleKafkaAutoConfiguration() {}

  /** Looks the scheduler up when it is needed: a post-processor must not create beans early. */
  @Bean
  static BeanPostProcessor heddleKafkaListenerPostProcessor(
      ObjectProvider<HeddleSchedulers> schedulers) {
    return new BeanPostProcessor() {
      @Override
      public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof AbstractKafkaListenerContainerFactory<?, ?, ?> factory) {
          runOnGoroutines(factory.getContainerProperties(), schedulers.getObject().of("kafka"));
        }
        return bean;
      }
    };
  }

  private static void runOnGoroutines(ContainerProperties container, Scheduler scheduler) {
    AsyncTaskExecutor executor = container.getListenerTaskExecutor();
    if (executor == null) {
      executor = new SimpleAsyncTaskExecutor(PREFIX);
      container.setListenerTaskExecutor(executor);
    }
    if (executor instanceof SimpleAsyncTaskExecutor simple
        && simple.getThreadFactory() == null
        && simple.getThreadNamePrefix().equals(PREFIX)) {
      GoroutineThreadFactory.replaceThreadsOf(simple, scheduler);
    }
  }
}
