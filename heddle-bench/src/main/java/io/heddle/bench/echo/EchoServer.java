package io.heddle.bench.echo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A plain echo server with one virtual thread per connection. It does not refer to Heddle. */
public final class EchoServer {
  static final int MESSAGE = 64;

  private EchoServer() {}

  /** Prints its port and serves until its input ends. */
  public static void main(String[] args) throws IOException {
    ServerSocket server = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
    System.out.println(server.getLocalPort());
    Thread.startVirtualThread(() -> accept(server));
    int _ = System.in.read();
    server.close();
  }

  private static void accept(ServerSocket server) {
    try {
      for (; ; ) {
        Socket client = server.accept();
        client.setTcpNoDelay(true);
        Thread.startVirtualThread(() -> serve(client));
      }
    } catch (IOException e) {
      // the standard input has ended
    }
  }

  private static void serve(Socket client) {
    byte[] message = new byte[MESSAGE];
    try (client) {
      InputStream in = client.getInputStream();
      OutputStream out = client.getOutputStream();
      while (in.readNBytes(message, 0, MESSAGE) == MESSAGE) {
        out.write(message);
      }
    } catch (IOException e) {
      // the client has closed the connection
    }
  }
}
