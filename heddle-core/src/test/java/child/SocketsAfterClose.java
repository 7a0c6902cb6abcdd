package child;

import io.heddle.Scheduler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/**
 * A goroutine uses the first socket of the JVM, its scheduler closes, and a plain virtual thread
 * uses the next socket.
 */
public final class SocketsAfterClose {
  private SocketsAfterClose() {}

  public static void main(String[] args) throws Exception {
    FutureTask<Integer> first = new FutureTask<>(readDelayed(42));
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      scheduler.go(first::run);
    }
    FutureTask<Integer> second = new FutureTask<>(readDelayed(43));
    Thread.ofVirtual().start(second).join();
    System.out.println("goroutine: " + first.get() + ", virtual thread: " + second.get());
  }

  /** Reads a byte that is written only after the reader waits for it. */
  private static Callable<Integer> readDelayed(int value) {
    return () -> {
      InetAddress here = InetAddress.getLoopbackAddress();
      try (ServerSocket server = new ServerSocket(0, 1, here);
          Socket client = new Socket(here, server.getLocalPort());
          Socket accepted = server.accept()) {
        Thread reader = Thread.currentThread();
        Thread.ofPlatform().start(() -> writeWhenWaiting(reader, accepted, value));
        return client.getInputStream().read();
      }
    };
  }

  private static void writeWhenWaiting(Thread reader, Socket socket, int value) {
    try {
      while (reader.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      socket.getOutputStream().write(value);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
