package acme;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** The JDK's HTTP server on virtual threads. */
public final class JdkServer {
  private JdkServer() {}

  public static void main(String[] args) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    int port = Integer.parseInt(args[0]);
    HttpServer server = HttpServer.create(new InetSocketAddress(loopback, port), 1024);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    start(server);
  }

  public static void start(HttpServer server) {
    server.createContext("/", JdkServer::answer);
    server.start();
    System.out.println("listening on " + server.getAddress().getPort());
  }

  private static void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      URI uri = exchange.getRequestURI();
      String answer = Answers.to(uri.getPath(), uri.getQuery());
      if (answer == null) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
