package child;

import io.heddle.Scheduler;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;

/**
 * Counts the JDK's platform threads for sockets, when goroutines have run, and when one of them has
 * used a socket.
 */
public final class NoSockets {
  private NoSockets() {}

  public static void main(String[] args) throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      scheduler.go(() -> {}).join();
      long before = pollers();
      scheduler.go(NoSockets::useSocket).join();
      System.out.println("before: " + before + ", after a socket: " + pollers());
    }
  }

  private static void useSocket() throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 1, here)) {
      server.setSoTimeout(100); // long enough that it waits, which takes a poller
      server.accept();
    } catch (SocketTimeoutException e) {
      // As intended.
    }
  }

  private static long pollers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().contains("Poller"))
        .count();
  }
}
