package child;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * A program that does not use Heddle. It prints whether the changes of Heddle are in force at its
 * start and after {@link Retransformer} has looked at the changed classes again.
 */
public final class Retransformed {
  private Retransformed() {}

  public static void main(String[] args) throws Exception {
    print("at the start");
    try (Connection before = new Connection()) {
      Retransformer.retransform();
      System.out.println("early reader: " + before.closeUnderReader());
    }
    print("later");
    System.out.println("JDK's timer thread: " + isAlive("VirtualThread-unparker"));
    System.out.println("JDK's poller: " + isAlive("Poller"));
  }

  private static void print(String when) throws Exception {
    String thread = call(() -> Thread.currentThread().toString());
    System.out.println("adopted " + when + ": " + thread.contains("@heddle-shared"));
    call(
        () -> {
          Thread.sleep(1);
          return "";
        });
    try (Connection connection = new Connection()) {
      System.out.println("reader " + when + ": " + connection.closeUnderReader());
    }
  }

  private static String call(Callable<String> body) throws Exception {
    FutureTask<String> task = new FutureTask<>(body);
    Thread.startVirtualThread(task);
    return task.get(20, TimeUnit.SECONDS);
  }

  private static boolean isAlive(String name) {
    Thread[] all = new Thread[1000];
    int count = Thread.currentThread().getThreadGroup().getParent().enumerate(all);
    for (int i = 0; i < count; i++) {
      if (all[i].getName().contains(name)) {
        return true;
      }
    }
    return false;
  }

  /** A connection of which one end is read by a virtual thread that waits. */
  private static final class Connection implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final Socket near = new Socket(server.getInetAddress(), server.getLocalPort());
    private final Socket far = server.accept();
    private final FutureTask<String> end = new FutureTask<>(this::read);

    Connection() throws IOException {
      Thread reader = Thread.startVirtualThread(end);
      while (reader.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }

    private String read() {
      try {
        return "read " + near.getInputStream().read();
      } catch (IOException e) {
        return e.getMessage();
      }
    }

    String closeUnderReader() throws Exception {
      near.close();
      return end.get(20, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws IOException {
      near.close();
      far.close();
      server.close();
    }
  }
}
