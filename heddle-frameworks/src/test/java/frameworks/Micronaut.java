package frameworks;

import io.heddle.Scheduler;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.Async;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;

/** Micronaut's executors of virtual threads, replaced by two beans. */
final class Micronaut {
  private Micronaut() {}

  public static void main(String[] args) throws InterruptedException {
    Chores chores = ApplicationContext.run().getBean(Chores.class);
    AtomicInteger given = new AtomicInteger();
    Proof.of(
        task -> {
          if (given.getAndIncrement() % 2 == 0) {
            chores.inBackground(task);
          } else {
            chores.onVirtualThread(task);
          }
        });
  }

  // recipe
  @Factory
  static class OnGoroutines {
    @Singleton
    @Bean(preDestroy = "close")
    @Named(TaskExecutors.VIRTUAL)
    @Replaces(bean = ExecutorService.class, named = TaskExecutors.VIRTUAL)
    ExecutorService virtual() {
      return Scheduler.shared().executor();
    }

    @Singleton
    @Bean(preDestroy = "close")
    @Named(TaskExecutors.BLOCKING)
    @Replaces(bean = ExecutorService.class, named = TaskExecutors.BLOCKING)
    ExecutorService blocking() {
      return Scheduler.shared().executor();
    }
  }

  // end

  @Singleton
  static class Chores {
    @Async(TaskExecutors.BLOCKING)
    void inBackground(Runnable task) {
      task.run();
    }

    @Async(TaskExecutors.VIRTUAL)
    void onVirtualThread(Runnable task) {
      task.run();
    }
  }
}
