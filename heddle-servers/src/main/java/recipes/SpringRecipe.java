package recipes;

import acme.spring.SpringServer;
import io.heddle.Scheduler;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.tomcat.TomcatProtocolHandlerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.support.TaskExecutorAdapter;

/** Spring Boot with a goroutine for each request and for each {@code @Async} call. */
@SpringBootApplication
@Import(SpringServer.class)
public class SpringRecipe {
  public static void main(String[] args) {
    SpringServer.start(SpringRecipe.class, "--server.port=" + args[0]);
  }

  // recipe
  @Bean
  TomcatProtocolHandlerCustomizer<?> requestsOnHeddle() {
    return handler -> handler.setExecutor(Scheduler.shared().executor());
  }

  @Bean
  AsyncTaskExecutor applicationTaskExecutor() {
    return new TaskExecutorAdapter(Scheduler.shared().executor());
  }
  // end
}
