package recipes;

import acme.JettyServer;
import io.heddle.Scheduler;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/** Jetty that answers with status 503 while it is overloaded. Its threads must be adopted. */
public final class JettyOverloadRecipe {
  private JettyOverloadRecipe() {}

  public static void main(String[] args) throws Exception {
    Server server = new Server(new VirtualThreadPool());
    JettyServer.start(server, new SheddingHandler(), Integer.parseInt(args[0]));
  }

  private static final class SheddingHandler extends Handler.Wrapper {
    // recipe
    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      if (Scheduler.shared().tryAdmit()) {
        return super.handle(request, response, callback);
      }
      response.setStatus(503);
      callback.succeeded();
      return true;
    }
    // end
  }
}
