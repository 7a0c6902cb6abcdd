package io.heddle.spring;

import io.heddle.Scheduler;
import jakarta.servlet.Filter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/** Sheds requests if the scheduler of the web server has an overload control. */
@AutoConfiguration(after = HeddleAutoConfiguration.class)
@ConditionalOnClass({Filter.class, FilterRegistrationBean.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnHeddle("web-server")
public final class HeddleOverloadAutoConfiguration {
  /** Called by Spring. */
  HeddleOverloadAutoConfiguration() {}

  /** Before all other filters, because a refused request must cost little. */
  @Bean
  static FilterRegistrationBean<OverloadFilter> heddleOverloadFilter(
      HeddleSchedulers schedulers, HeddleProperties properties) {
    Scheduler scheduler = schedulers.of("web-server");
    FilterRegistrationBean<OverloadFilter> registration =
        new FilterRegistrationBean<>(
            new OverloadFilter(scheduler, properties.webServer().overloadExclude()));
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
    registration.setEnabled(scheduler.overload().targetNanos() > 0);
    return registration;
  }
}
