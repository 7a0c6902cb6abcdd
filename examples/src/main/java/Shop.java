/*
 * A service of virtual threads that does not use Heddle, with two planted faults: a report that
 * computes, and a codec whose class initializer waits while it loads a table. Each of them holds a
 * carrier of the JDK's scheduler, so on two CPUs both together keep every other request waiting.
 * first-week.sh finds them and ends the starvation.
 */

import com.sun.net.httpserver.*;
import java.io.IOException;
import java.util.concurrent.*;

/** Ends the faults, on request. */
static final CountDownLatch ENOUGH = new CountDownLatch(1);

/** How long the faults last without such a request. */
static long seconds;

void main(String[] args) throws IOException {
  seconds = seconds(args);
  InetAddress loopback = InetAddress.getLoopbackAddress();
  HttpServer server = HttpServer.create(new InetSocketAddress(loopback, 0), 1024);
  server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
  serve(server, "/hello", () -> "hello from " + Thread.currentThread());
  serve(server, "/report", () -> report());
  serve(server, "/codec", () -> Codec.TABLE);
  serve(server, "/enough", () -> enough());
  server.start();
  IO.println("listening on " + server.getAddress().getPort());
}

String report() {
  IO.println("a report begins");
  long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
  long sum = 0;
  // The planted hog: it computes.
  for (; ENOUGH.getCount() > 0 && System.nanoTime() < end; sum = sum * 31 + 1) {}
  return "the sum is " + sum;
}

static final class Codec {
  static final String TABLE = load();

  static String load() {
    IO.println("the codec loads its table");
    try {
      // The planted pin: it waits in a class initializer, which no virtual thread can leave.
      boolean _ = ENOUGH.await(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return "a table";
  }
}

String enough() {
  ENOUGH.countDown();
  return "the faults end";
}

void serve(HttpServer server, String path, Callable<String> answer) {
  server.createContext(
      path,
      exchange -> {
        try (exchange) {
          byte[] bytes = (answer.call() + "\n").getBytes();
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
        } catch (Exception e) {
          throw new IOException(e);
        }
      });
}

long seconds(String[] args) {
  String seconds = String.join(" ", args);
  if (!seconds.matches("[1-9][0-9]{0,3}")) {
    System.err.println("How many seconds do the faults last? 1 to 9999, not: " + seconds);
    System.exit(2);
  }
  return Long.parseLong(seconds);
}
