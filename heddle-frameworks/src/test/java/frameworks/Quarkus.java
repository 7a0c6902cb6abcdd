package frameworks;

import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.ShutdownContext;
import io.quarkus.virtual.threads.VirtualThreadsConfig;
import io.quarkus.virtual.threads.VirtualThreadsRecorder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/**
 * The executor of {@code @RunOnVirtualThread} and {@code @VirtualThreads}, set up as Quarkus does
 * when an application starts. The build of Quarkus is not involved.
 */
final class Quarkus {
  private Quarkus() {}

  public static void main(String[] args) throws InterruptedException {
    new VirtualThreadsRecorder(new Defaults())
        .setupVirtualThreads(new NoShutdown(), LaunchMode.NORMAL);
    ExecutorService virtualThreads = VirtualThreadsRecorder.getCurrent();
    Proof.of(virtualThreads::execute);
  }

  private static final class Defaults implements VirtualThreadsConfig {
    @Override
    public Optional<String> namePrefix() {
      return Optional.of("quarkus-virtual-thread-");
    }

    @Override
    public Duration shutdownTimeout() {
      return Duration.ofSeconds(1);
    }

    @Override
    public Optional<Duration> shutdownCheckInterval() {
      return Optional.empty();
    }

    @Override
    public boolean enabled() {
      return true;
    }
  }

  private static final class NoShutdown implements ShutdownContext {
    @Override
    public void addShutdownTask(Runnable task) {
      // The proof ends the JVM.
    }

    @Override
    public void addLastShutdownTask(Runnable task) {
      // The proof ends the JVM.
    }
  }
}
