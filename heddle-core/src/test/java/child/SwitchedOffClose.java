package child;

import io.heddle.Scheduler;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Closes a scheduler at once after it has started threads of its factory, which start others, and
 * fails if one of them lives on.
 */
public final class SwitchedOffClose {
  private SwitchedOffClose() {}

  public static void main(String[] args) {
    for (int round = Integer.parseInt(args[0]); round > 0; round--) {
      AtomicInteger ended = new AtomicInteger();
      Scheduler scheduler = Scheduler.builder().build();
      ThreadFactory factory = scheduler.threadFactory();
      Thread never = factory.newThread(() -> {});
      for (int i = 0; i < 20; i++) {
        factory.newThread(() -> startTwo(factory, scheduler, ended)).start();
      }
      scheduler.close();
      if (ended.get() != 60) {
        throw new AssertionError("closed when " + ended.get() + " of 60 had ended: " + never);
      }
    }
    System.out.println("all ended");
  }

  private static void startTwo(ThreadFactory factory, Scheduler scheduler, AtomicInteger ended) {
    factory.newThread(ended::incrementAndGet).start();
    scheduler.go(
        () -> {
          Thread.yield();
          ended.incrementAndGet();
        });
    ended.incrementAndGet();
  }
}
