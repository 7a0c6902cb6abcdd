package io.heddle.spring;

import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.VirtualThreadPool;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.thread.Threading;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;

/** Runs the requests of Jetty on goroutines, in the pool that Boot has configured. */
@AutoConfiguration(after = HeddleAutoConfiguration.class)
@ConditionalOnClass({
  Server.class,
  VirtualThreadPool.class,
  ConfigurableJettyWebServerFactory.class
})
@ConditionalOnThreading(Threading.VIRTUAL)
@ConditionalOnHeddle("web-server")
public final class HeddleJettyAutoConfiguration {
  /** Called by Spring. */
  HeddleJettyAutoConfiguration() {}

  @Bean
  static WebServerFactoryCustomizer<ConfigurableJettyWebServerFactory> heddleJettyCustomizer(
      HeddleSchedulers schedulers) {
    GoroutineExecutor executor = new GoroutineExecutor(schedulers.of("web-server"), "jetty-");
    return factory ->
        factory.addServerCustomizers(
            server -> {
              if (server.getThreadPool() instanceof VirtualThreadPool pool) {
                pool.setVirtualThreadsExecutor(executor);
              }
            });
  }
}
