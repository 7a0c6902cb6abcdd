package io.heddle.bench.rows;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/**
 * A Jetty server on virtual threads that does not refer to Heddle. {@code /hello} answers with some
 * bytes; {@code /hog?millis} answers after it has computed for that many milliseconds.
 */
final class HttpTwin {
  private HttpTwin() {}

  static int start(int bytes) throws Exception {
    Server server = new Server(new VirtualThreadPool());
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    connector.setAcceptQueueSize(1_024);
    server.addConnector(connector);
    server.setHandler(new HelloHandler(bytes));
    server.start();
    return connector.getLocalPort();
  }

  private static final class HelloHandler extends Handler.Abstract {
    private final byte[] body;

    HelloHandler(int bytes) {
      body = new byte[bytes];
      Arrays.fill(body, (byte) 'x');
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      if (Request.getPathInContext(request).equals("/hog")) {
        compute(Long.parseLong(request.getHttpURI().getQuery()));
      }
      response.write(true, ByteBuffer.wrap(body), callback);
      return true;
    }

    private static void compute(long millis) {
      long end = System.nanoTime() + millis * 1_000_000;
      while (System.nanoTime() < end) {}
    }
  }
}
