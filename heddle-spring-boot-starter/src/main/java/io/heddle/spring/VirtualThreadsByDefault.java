package io.heddle.spring;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Sets {@code spring.threads.virtual.enabled=true} unless the application sets it, because Boot
 * then creates a thread per request and task, and this starter turns these threads into goroutines.
 * With {@code heddle.enabled=false} nothing is set.
 */
final class VirtualThreadsByDefault implements EnvironmentPostProcessor, Ordered {
  private static final String VIRTUAL_THREADS = "spring.threads.virtual.enabled";

  /** Called by Spring Boot. */
  VirtualThreadsByDefault() {}

  /** After the files of the application have been read. */
  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    if (environment.getProperty("heddle.enabled", Boolean.class, true)) {
      environment
          .getPropertySources()
          .addLast(new MapPropertySource("heddle", Map.of(VIRTUAL_THREADS, true)));
    }
  }
}
