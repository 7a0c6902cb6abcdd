package acme;

import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/** Jetty on a pool of virtual threads. */
public final class JettyServer {
  private JettyServer() {}

  public static void main(String[] args) throws Exception {
    Server server = new Server(new VirtualThreadPool());
    start(server, Integer.parseInt(args[0]));
  }

  public static void start(Server server, int port) throws Exception {
    start(server, new Handler.Wrapper(), port);
  }

  /** Starts the server with a handler around the one that answers. */
  public static void start(Server server, Handler.Wrapper around, int port) throws Exception {
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    connector.setPort(port);
    server.addConnector(connector);
    around.setHandler(new AnswerHandler());
    server.setHandler(around);
    server.start();
    System.out.println("listening on " + connector.getLocalPort());
  }

  private static final class AnswerHandler extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      String answer =
          Answers.to(Request.getPathInContext(request), request.getHttpURI().getQuery());
      if (answer == null) {
        return false;
      }
      Content.Sink.write(response, true, answer, callback);
      return true;
    }
  }
}
