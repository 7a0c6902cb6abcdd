package child;

import io.heddle.OverloadException;
import io.heddle.Scheduler;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/**
 * A program whose requests are plain virtual threads, which the agent adopts. It asks Heddle
 * whether a request may begin, before, while and after one request keeps the only P.
 */
public final class AdoptedOverload {
  private static volatile boolean over;

  private AdoptedOverload() {}

  public static void main(String[] args) throws Exception {
    System.out.println("idle " + ask());
    CountDownLatch started = new CountDownLatch(1);
    Thread hog =
        Thread.ofVirtual()
            .start(
                () -> {
                  started.countDown();
                  while (!over) {
                    Thread.onSpinWait();
                  }
                });
    started.await();
    while (Scheduler.shared().tryAdmit()) {
      Thread.onSpinWait();
    }
    System.out.println("overloaded " + ask());
    over = true;
    hog.join();
    while (!ask().equals("admitted")) {
      Thread.onSpinWait();
    }
    FutureTask<Boolean> inRequest =
        new FutureTask<>(
            () -> {
              while (!Scheduler.shared().tryAdmit()) {
                Thread.yield();
              }
              return Thread.currentThread().toString().contains("heddle-shared-M");
            });
    Thread.ofVirtual().start(inRequest);
    System.out.println("recovered, asked in a request on Heddle " + inRequest.get());
    System.out.println("counted " + (Scheduler.shared().overload().shed() > 1));
  }

  private static String ask() {
    try {
      Scheduler.shared().admit();
      return "admitted";
    } catch (OverloadException e) {
      return e.getMessage().replaceAll("wait \\d+ ms", "wait");
    }
  }
}
