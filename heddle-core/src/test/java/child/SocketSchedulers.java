package child;

import io.heddle.Scheduler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Several schedulers, and virtual threads that are not goroutines, use the same sockets. The
 * schedulers close one after the other and must give back their system resources.
 */
public final class SocketSchedulers {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();
  private static final int ROUNDS = 200;

  private static long netpolls;

  private SocketSchedulers() {}

  public static void main(String[] args) throws Exception {
    long before = pollers();
    for (int i = 0; i < 20; i++) {
      readAndWriteInTwoSchedulers();
    }
    System.out.println("our poller " + (netpolls > 0));
    System.out.println("pollers left " + left(before));
    waitAfterClose();
    plainThreads();
  }

  /**
   * Returns the number of pollers that are left, 0 in the end. Some may have existed before, when
   * the last M of an earlier scheduler had not ended yet.
   */
  private static long left(long before) throws Exception {
    long end = System.nanoTime() + 10_000_000_000L;
    while (pollers() > before && System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
    return Math.max(0, pollers() - before);
  }

  /** Two schedulers wait for the same sockets: one to read, the other to write. */
  private static void readAndWriteInTwoSchedulers() throws Exception {
    byte[] much = new byte[3_000_000];
    try (Scheduler readers = Scheduler.builder().procs(1).build();
        Scheduler writers = Scheduler.builder().procs(2).build();
        ServerSocket server = new ServerSocket(0, 0, HERE);
        Socket near = new Socket(HERE, server.getLocalPort());
        Socket far = server.accept()) {
      FutureTask<Integer> nearReads = new FutureTask<>(() -> read(near, much.length));
      FutureTask<Integer> farReads = new FutureTask<>(() -> read(far, much.length));
      readers.go(nearReads::run);
      readers.go(farReads::run);
      writers.go(() -> near.getOutputStream().write(much));
      writers.go(() -> far.getOutputStream().write(much));
      if (nearReads.get() + farReads.get() != 2 * much.length) {
        System.out.println("read too little");
      }
      netpolls += readers.stats().netpolls();
    }
  }

  private static int read(Socket socket, int n) throws IOException {
    return socket.getInputStream().readNBytes(n).length;
  }

  /** A thread that is started after its scheduler was closed can still wait for sockets. */
  private static void waitAfterClose() throws Exception {
    Scheduler scheduler = Scheduler.builder().procs(1).build();
    AtomicInteger sum = new AtomicInteger();
    Thread late;
    try (ServerSocket server = new ServerSocket(0, 0, HERE)) {
      scheduler.run(() -> pingPong(server, sum));
      late = scheduler.threadFactory().newThread(() -> pingPong(server, sum));
      scheduler.close();
      late.start();
      late.join();
    }
    System.out.println("early and late " + sum);
  }

  private static void plainThreads() throws Exception {
    AtomicInteger sum = new AtomicInteger();
    try (ServerSocket server = new ServerSocket(0, 0, HERE)) {
      Thread.ofVirtual().start(() -> pingPong(server, sum)).join();
    }
    System.out.println("plain " + sum);
  }

  private static void pingPong(ServerSocket server, AtomicInteger sum) {
    try (Socket near = new Socket(HERE, server.getLocalPort());
        Socket far = server.accept()) {
      CountDownLatch over = new CountDownLatch(1);
      Thread.startVirtualThread(
          () -> {
            try {
              for (int i = 0; i < ROUNDS; i++) {
                far.getOutputStream().write(far.getInputStream().read() + 1);
              }
            } catch (IOException e) {
              e.printStackTrace();
            } finally {
              over.countDown();
            }
          });
      for (int i = 0; i < ROUNDS; i++) {
        near.getOutputStream().write(1);
        sum.addAndGet(near.getInputStream().read());
      }
      over.await();
    } catch (IOException | InterruptedException e) {
      e.printStackTrace();
    }
  }

  /** Returns the number of open poller descriptors of this process. */
  private static long pollers() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.filter(SocketSchedulers::isPoller).count();
    }
  }

  private static boolean isPoller(Path fd) {
    try {
      String what = Files.readSymbolicLink(fd).toString();
      return what.contains("eventpoll") || what.contains("eventfd");
    } catch (IOException e) {
      return false; // closed meanwhile
    }
  }
}
