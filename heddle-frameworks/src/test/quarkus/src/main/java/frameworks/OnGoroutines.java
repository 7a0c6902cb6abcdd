package frameworks;

import io.heddle.Scheduler;
import io.quarkus.virtual.threads.VirtualThreads;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import java.util.concurrent.ExecutorService;

/** The executor that Quarkus injects for {@code @VirtualThreads}, replaced by a bean. */
// recipe
class OnGoroutines {
  @Produces
  @Alternative
  @Priority(1)
  @ApplicationScoped
  @VirtualThreads
  ExecutorService executor() {
    return Scheduler.shared().executor();
  }
}
// end
