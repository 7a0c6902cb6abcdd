package openjdk.child;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A program with virtual threads that ends in the requested way. */
public final class Ends {
  private Ends() {}

  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "outlived" -> outlived();
      case "exit" -> exit();
      case "throws" -> throwing();
      case "late" -> late();
      case "locals" -> Thread.startVirtualThread(Ends::locals).join();
      case "many" -> many();
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private static void outlived() throws InterruptedException {
    CountDownLatch running = new CountDownLatch(2);
    Thread.startVirtualThread(
        () -> {
          running.countDown();
          LockSupport.park();
          System.out.println("never");
        });
    Thread.startVirtualThread(
        () -> {
          running.countDown();
          while (true) {
            Thread.onSpinWait();
          }
        });
    running.await();
    System.out.println("main ends");
  }

  private static void exit() throws InterruptedException {
    CountDownLatch hooked = new CountDownLatch(1);
    Thread virtual =
        Thread.ofVirtual()
            .unstarted(
                () -> {
                  try {
                    hooked.await();
                    Thread.sleep(5);
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                  System.out.println("virtual hook");
                });
    Thread.startVirtualThread(
            () -> {
              Runtime.getRuntime()
                  .addShutdownHook(
                      new Thread(
                          () -> {
                            System.out.println("hook");
                            hooked.countDown();
                          }));
              Runtime.getRuntime().addShutdownHook(virtual);
              System.exit(3);
            })
        .join();
  }

  private static void throwing() throws InterruptedException {
    Thread.ofVirtual().name("duke").start(Ends::fail).join();
    Thread.startVirtualThread(() -> System.out.println("goes on")).join();
  }

  /** Sets the handler after the thread has started to run. */
  private static void late() throws InterruptedException {
    Thread thread =
        Thread.startVirtualThread(
            () -> {
              LockSupport.park();
              fail();
            });
    while (thread.getState() != Thread.State.WAITING) {
      Thread.yield();
    }
    Thread.setDefaultUncaughtExceptionHandler(
        (_, e) -> System.out.println("handled " + e.getMessage()));
    LockSupport.unpark(thread);
    thread.join();
  }

  private static void locals() {
    new ThreadLocal<String>().set("seen");
    LockSupport.parkNanos(1_000);
    Thread.yield();
  }

  private static void many() throws InterruptedException {
    AtomicInteger ran = new AtomicInteger();
    Thread[] threads = new Thread[1_000];
    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          Thread.startVirtualThread(
              () -> {
                LockSupport.parkNanos(1_000_000);
                Thread.yield();
                ran.incrementAndGet();
              });
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(ran);
  }

  private static void fail() {
    throw new IllegalStateException("told");
  }
}
