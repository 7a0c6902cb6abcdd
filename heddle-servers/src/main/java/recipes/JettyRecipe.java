package recipes;

import acme.JettyServer;
import io.heddle.Scheduler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/** Jetty with its pool of virtual threads on Heddle. */
public final class JettyRecipe {
  private JettyRecipe() {}

  public static void main(String[] args) throws Exception {
    // recipe
    VirtualThreadPool pool = new VirtualThreadPool();
    pool.setVirtualThreadsExecutor(Scheduler.shared().executor());
    Server server = new Server(pool);
    // end
    JettyServer.start(server, Integer.parseInt(args[0]));
  }
}
