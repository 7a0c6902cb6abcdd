package openjdk.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Two connected sockets on this machine. */
record Connection(Socket one, Socket other) implements AutoCloseable {
  static Connection open() throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 1, here)) {
      Socket one = new Socket(here, server.getLocalPort());
      return new Connection(one, server.accept());
    }
  }

  @Override
  public void close() throws IOException {
    one.close();
    other.close();
  }
}
