package acme;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/**
 * Jetty with three mistakes, and one request that only looks like a mistake.
 *
 * <ul>
 *   <li>{@code /transfer} and {@code /audit} take two locks in opposite orders, and wait for each
 *       other for ever.
 *   <li>{@code /forget} starts a task that waits for a result of which nothing else knows.
 *   <li>{@code /poll} answers with the next text that {@code /publish} brings.
 * </ul>
 */
public final class StuckServer {
  private StuckServer() {}

  public static void main(String[] args) throws Exception {
    Server server = new Server(new VirtualThreadPool());
    JettyServer.start(server, new StuckHandler(), Integer.parseInt(args[0]));
  }

  private static final class StuckHandler extends Handler.Wrapper {
    private final ReentrantLock accounts = new ReentrantLock();
    private final ReentrantLock journal = new ReentrantLock();
    private final CountDownLatch bothHaveOne = new CountDownLatch(2);
    private final BlockingQueue<String> news = new ArrayBlockingQueue<>(1);

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      String answer =
          switch (Request.getPathInContext(request)) {
            case "/transfer" -> lockBoth(accounts, journal);
            case "/audit" -> lockBoth(journal, accounts);
            case "/forget" -> forget();
            case "/poll" -> news.take();
            case "/publish" -> publish();
            default -> null;
          };
      if (answer == null) {
        return super.handle(request, response, callback);
      }
      Content.Sink.write(response, true, answer, callback);
      return true;
    }

    /** Never returns: the other request has the second lock, and waits for the first one. */
    private String lockBoth(ReentrantLock first, ReentrantLock second) throws InterruptedException {
      first.lock();
      try {
        bothHaveOne.countDown();
        bothHaveOne.await();
        second.lock();
        try {
          return "done";
        } finally {
          second.unlock();
        }
      } finally {
        first.unlock();
      }
    }

    private static String forget() {
      Thread.ofVirtual().name("forgotten").start(StuckHandler::waitForNothing);
      return "started";
    }

    private static void waitForNothing() {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private String publish() throws InterruptedException {
      news.put("news");
      return "published";
    }
  }
}
