package recipes;

import acme.JdkServer;
import com.sun.net.httpserver.HttpServer;
import io.heddle.Scheduler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The JDK's HTTP server with a goroutine for each request. */
public final class JdkServerRecipe {
  private JdkServerRecipe() {}

  public static void main(String[] args) throws IOException {
    int port = Integer.parseInt(args[0]);
    // recipe
    InetAddress loopback = InetAddress.getLoopbackAddress();
    HttpServer server = HttpServer.create(new InetSocketAddress(loopback, port), 1024);
    server.setExecutor(Scheduler.shared().executor());
    // end
    JdkServer.start(server);
  }
}
