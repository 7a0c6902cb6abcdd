package io.heddle.spring;

import io.heddle.Scheduler;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The endpoint {@code goroutines} and the health indicator {@code heddle}. Names Boot's class in a
 * string, because an application without actuator does not have it.
 */
@AutoConfiguration(
    after = HeddleAutoConfiguration.class,
    beforeName =
        "org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration")
@ConditionalOnHeddle
public final class HeddleActuatorAutoConfiguration {
  /** Called by Spring. */
  HeddleActuatorAutoConfiguration() {}

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
  @ConditionalOnAvailableEndpoint(GoroutinesEndpoint.class)
  static class EndpointConfiguration {
    @Bean
    @ConditionalOnMissingBean
    GoroutinesEndpoint goroutinesEndpoint(Scheduler scheduler) {
      return new GoroutinesEndpoint(scheduler);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
  @ConditionalOnEnabledHealthIndicator("heddle")
  static class HealthConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "heddleHealthIndicator")
    HealthIndicator heddleHealthIndicator(Scheduler scheduler) {
      return new SchedulerHealthIndicator(scheduler, SchedulerHealthIndicator.PATIENCE);
    }
  }
}
