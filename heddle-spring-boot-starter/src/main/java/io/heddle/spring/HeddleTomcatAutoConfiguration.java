package io.heddle.spring;

import org.apache.coyote.ProtocolHandler;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.thread.Threading;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Runs the requests of Tomcat on goroutines. */
@AutoConfiguration(after = HeddleAutoConfiguration.class)
@ConditionalOnClass({ProtocolHandler.class, ConfigurableTomcatWebServerFactory.class})
@ConditionalOnThreading(Threading.VIRTUAL)
@ConditionalOnHeddle("web-server")
public final class HeddleTomcatAutoConfiguration {
  /** Called by Spring. */
  HeddleTomcatAutoConfiguration() {}

  /** After Boot's customizer, which sets an executor of virtual threads. */
  @Bean
  @Order(Ordered.LOWEST_PRECEDENCE - 100)
  static WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> heddleTomcatCustomizer(
      HeddleSchedulers schedulers) {
    GoroutineExecutor executor =
        new GoroutineExecutor(schedulers.of("web-server"), "tomcat-handler-");
    return factory ->
        factory.addProtocolHandlerCustomizers(handler -> handler.setExecutor(executor));
  }
}
