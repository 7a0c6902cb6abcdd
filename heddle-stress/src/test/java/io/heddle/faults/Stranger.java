package io.heddle.faults;

import io.heddle.Go;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Child: virtual threads, a sleep and a socket, as in any program; then the library, on request.
 */
public final class Stranger {
  private Stranger() {}

  public static void main(String[] args) throws Exception {
    Thread.startVirtualThread(Stranger::work).join();
    if (args.length > 0) {
      Go.main(() -> System.out.println("library works"));
    }
  }

  private static void work() {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept()) {
      Thread.startVirtualThread(
          () -> {
            try {
              Thread.sleep(5);
              client.getOutputStream().write(7);
            } catch (Exception e) {
              e.printStackTrace();
            }
          });
      System.out.println("read " + accepted.getInputStream().read());
    } catch (Exception e) {
      e.printStackTrace();
    }
  }
}
