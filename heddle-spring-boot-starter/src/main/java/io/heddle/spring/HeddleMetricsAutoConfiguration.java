package io.heddle.spring;

import io.heddle.micrometer.HeddleMetrics;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * The figures of all schedulers as meters, if {@code heddle-micrometer} is on the class path. Boot
 * binds each bean of type {@link MeterBinder} to the registries of the application.
 */
@AutoConfiguration(after = HeddleAutoConfiguration.class)
@ConditionalOnClass({HeddleMetrics.class, MeterBinder.class})
@ConditionalOnHeddle("metrics")
public final class HeddleMetricsAutoConfiguration {
  /** Called by Spring. */
  HeddleMetricsAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  static HeddleMetrics heddleMetrics() {
    return new HeddleMetrics();
  }
}
