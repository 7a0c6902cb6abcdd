package frameworks;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * Shows that tasks of a framework run although one task per CPU computes, and on which threads. On
 * the JDK's scheduler this does not end.
 *
 * <ol>
 *   <li>One task for each CPU begins, and computes until a last task has run.
 *   <li>When all of them compute, the last task starts. It must take a CPU from one of them.
 *   <li>It prints its thread, and all end.
 * </ol>
 */
final class Proof {
  private static final int CPUS = Runtime.getRuntime().availableProcessors();
  private static final CountDownLatch COMPUTING = new CountDownLatch(CPUS);
  private static final CountDownLatch ENDED = new CountDownLatch(CPUS);
  private static volatile boolean isAnswered;

  private Proof() {}

  /** Gives the tasks to {@code framework}, which runs each on a thread of its own. */
  static void of(Consumer<Runnable> framework) throws InterruptedException {
    for (int i = 0; i < CPUS; i++) {
      framework.accept(Proof::compute);
    }
    COMPUTING.await();
    framework.accept(Proof::answer);
    ENDED.await();
    System.exit(0); // whatever the framework has started
  }

  /** As {@link #of}, by requests to a server on this machine, which must call {@link #request}. */
  static void ofRequests(int port) throws InterruptedException {
    HttpClient client = HttpClient.newHttpClient();
    of(
        task -> {
          String path = COMPUTING.getCount() > 0 ? "compute" : "answer";
          URI uri = URI.create("http://127.0.0.1:" + port + "/" + path);
          client
              .sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
              .thenAccept(answer -> System.out.println(path + ": " + answer.statusCode()));
        });
  }

  /** Serves a request: computes, or answers with the thread. */
  static String request(String path) {
    if (path.endsWith("compute")) {
      compute();
    } else {
      answer();
    }
    return "ok";
  }

  private static void compute() {
    COMPUTING.countDown();
    while (!isAnswered) {
      Thread.onSpinWait();
    }
    ENDED.countDown();
  }

  private static void answer() {
    System.out.println("answered beside " + CPUS + " hogs on " + Thread.currentThread());
    isAnswered = true;
  }
}
