package io.heddle.bench.rows;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/** One connection of an echo server, with blocking JDK calls. */
final class EchoConnection {
  private EchoConnection() {}

  /** Serves until the client closes the connection. */
  static void serve(Socket socket, int bytes) throws IOException {
    byte[] message = new byte[bytes];
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      while (in.readNBytes(message, 0, bytes) == bytes) {
        out.write(message);
      }
    }
  }
}
