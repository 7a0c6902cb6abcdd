package acme;

import io.heddle.Go;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/**
 * Jetty beside batch work that computes on every CPU without an end, in the background. {@code
 * /rounds} answers with the progress of the batch work.
 */
public final class BatchServer {
  private BatchServer() {}

  public static void main(String[] args) throws Exception {
    AtomicLong rounds = new AtomicLong();
    for (int i = Runtime.getRuntime().availableProcessors(); i > 0; i--) {
      Go.background(() -> compute(rounds));
    }
    Server server = new Server(new VirtualThreadPool());
    JettyServer.start(server, new RoundsHandler(rounds), Integer.parseInt(args[0]));
  }

  private static void compute(AtomicLong rounds) throws InterruptedException {
    while (true) {
      String _ = Answers.to("/compute", 5);
      rounds.incrementAndGet();
    }
  }

  private static final class RoundsHandler extends Handler.Wrapper {
    private final AtomicLong rounds;

    RoundsHandler(AtomicLong rounds) {
      this.rounds = rounds;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      if (!Request.getPathInContext(request).equals("/rounds")) {
        return super.handle(request, response, callback);
      }
      Content.Sink.write(response, true, rounds.toString(), callback);
      return true;
    }
  }
}
