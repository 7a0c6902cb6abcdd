package child;

import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A program that does not use Heddle. For each way the JDK offers to start a virtual thread, it
 * prints the name of the carrier that runs the thread.
 */
public final class Adopted {
  private Adopted() {}

  public static void main(String[] args) throws Exception {
    print("start", inThread(Thread::startVirtualThread));
    print("builder", inThread(task -> Thread.ofVirtual().name("acme-1").start(task)));
    print("factory", inThread(task -> start(Thread.ofVirtual().factory().newThread(task))));
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      print("executor", executor.submit(Adopted::carrier).get());
    }
    print("child", call(() -> inThread(Thread::startVirtualThread)));
    print("name", call(() -> Thread.currentThread().getName() + "."));
    print("interrupt", interrupted());
    print("inherited", inherited());
    print("locks", call(Adopted::blocks));
    print("socket", socket());
    System.out.println("uncaught " + uncaught());
  }

  private interface StartMethod {
    Thread start(Runnable task);
  }

  private static Thread start(Thread thread) {
    thread.start();
    return thread;
  }

  private static void print(String what, Object how) {
    System.out.println(what + " " + how);
  }

  private static String inThread(StartMethod method) throws Exception {
    FutureTask<String> task = new FutureTask<>(Adopted::carrier);
    method.start(task).join();
    return task.get();
  }

  private static <T> T call(Callable<T> call) throws Exception {
    FutureTask<T> task = new FutureTask<>(call);
    Thread.startVirtualThread(task);
    return task.get();
  }

  /**
   * Returns the part of the thread's description after the {@code @}, without numbers: the name of
   * its carrier.
   */
  private static String carrier() {
    return Thread.currentThread().toString().replaceAll(".*@", "").replaceAll("[-M]*\\d+.*", "");
  }

  private static boolean interrupted() throws Exception {
    FutureTask<Boolean> task =
        new FutureTask<>(
            () -> {
              try {
                Thread.sleep(Duration.ofHours(1));
                return false;
              } catch (InterruptedException e) {
                return true;
              }
            });
    Thread.startVirtualThread(task).interrupt();
    return task.get();
  }

  private static String inherited() throws Exception {
    InheritableThreadLocal<String> local = new InheritableThreadLocal<>();
    local.set("yes");
    return call(local::get);
  }

  private static boolean blocks() throws Exception {
    Object monitor = new Object();
    ReentrantLock lock = new ReentrantLock();
    synchronized (monitor) {
      monitor.wait(1);
    }
    LockSupport.parkNanos(1);
    Thread.sleep(1);
    Thread.yield();
    return lock.tryLock(1, TimeUnit.SECONDS);
  }

  private static int socket() throws Exception {
    try (ServerSocket server = new ServerSocket(0)) {
      FutureTask<Integer> client =
          new FutureTask<>(
              () -> {
                try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
                  return socket.getInputStream().read();
                }
              });
      Thread.startVirtualThread(client);
      return call(
          () -> {
            try (Socket socket = server.accept()) {
              socket.getOutputStream().write(42);
            }
            return client.get();
          });
    }
  }

  private static String uncaught() throws Exception {
    String[] seen = new String[1];
    Thread.ofVirtual()
        .uncaughtExceptionHandler((_, e) -> seen[0] = e.getMessage())
        .start(
            () -> {
              throw new IllegalStateException("told");
            })
        .join();
    return seen[0];
  }
}
