package io.heddle.internal.sched;

import com.sun.management.UnixOperatingSystemMXBean;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.Scheduler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Opens, uses, resets and closes connections at random for a while, then prints what has leaked.
 * Runs in a JVM of its own, with the agent. Arguments: seconds, concurrent connections, procs,
 * seed.
 */
public final class SocketChurn {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  /**
   * Milliseconds after which a goroutine that still waits counts as not woken. No operation takes
   * that long, however busy the machine. Each further connection slows down all others.
   */
  private final int timeout;

  private static final int MOST = 3_000;

  private final Scheduler scheduler;
  private final ServerSocket server = new ServerSocket(0, 1_000, HERE);
  private final long end;
  private final LongAdder done = new LongAdder();
  private final LongAdder broken = new LongAdder();
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private final AtomicInteger lost = new AtomicInteger();

  private SocketChurn(Scheduler scheduler, int seconds, int connections) throws IOException {
    this.scheduler = scheduler;
    this.timeout = 30_000 + 30 * connections;
    this.end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
  }

  public static void main(String[] args) throws Exception {
    int connections = Math.min(Integer.parseInt(args[1]), (int) (descriptorLimit() / 2 - 200));
    Scheduler scheduler = Scheduler.builder().procs(Integer.parseInt(args[2])).build();
    warmUp(scheduler);
    long before = descriptors();
    SocketChurn churn = new SocketChurn(scheduler, Integer.parseInt(args[0]), connections);
    churn.run(connections, Long.parseLong(args[3]));
    System.err.println(
        connections
            + " connections at a time, "
            + churn.done
            + " done, "
            + churn.broken
            + " broken; accept said: "
            + churn.refused);
    Sched sched = Sched.of(scheduler);
    say("lost wakeups", churn.lost.get());
    say("enough was done", churn.done.sum() + churn.broken.sum() > connections ? 1 : 0);
    say("goroutines", awaitZero(scheduler::goroutines));
    say("waiters", awaitZero(sched.net::waiters));
    say(
        "timers",
        awaitZero(() -> Stream.of(sched.world.all()).mapToInt(p -> p.timers.live()).sum()));
    // Fewer descriptors than before are no leak: the JVM closes some of its own after reading them.
    say("descriptors", awaitZero(() -> Math.max(0, descriptors() - before)));
    scheduler.close();
    say("threads", sched.threads.all().size());
  }

  private static void say(String what, long n) {
    System.out.println(what + " " + n);
  }

  private interface Count {
    long get() throws Exception;
  }

  /** Returns 0 as soon as the count is 0, or the count after 15 seconds. */
  private static long awaitZero(Count count) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);
    while (count.get() != 0 && System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
    return count.get();
  }

  /** Opens everything that is opened only once per JVM. */
  private static void warmUp(Scheduler scheduler) throws Exception {
    scheduler.run(
        () -> {
          SocketChurn churn = new SocketChurn(scheduler, 0, 1);
          Goroutine acceptor = scheduler.go(churn::accept);
          churn.use(new Random(1));
          churn.server.close();
          acceptor.join();
        });
    long _ = awaitZero(scheduler::goroutines);
  }

  private void run(int connections, long seed) throws Exception {
    Goroutine acceptor = scheduler.go(this::accept);
    List<Goroutine> users = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      Random random = new Random(seed + i);
      users.add(
          scheduler.go(
              () -> {
                while (System.nanoTime() - end < 0) {
                  use(random);
                }
              }));
    }
    for (Goroutine user : users) {
      user.join();
    }
    server.close();
    acceptor.join();
  }

  /**
   * Continues when no descriptors are left for a moment, because serving goroutines have not closed
   * theirs yet.
   */
  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        scheduler.go(() -> serve(client));
      } catch (IOException e) {
        refused.add(String.valueOf(e.getMessage()));
        Go.gosched();
      }
    }
  }

  /**
   * Echoes until the other side ends the stream, or asks to be left without an answer, or to be
   * reset.
   */
  private void serve(Socket client) {
    try (client) {
      client.setSoTimeout(timeout);
      InputStream in = client.getInputStream();
      OutputStream out = client.getOutputStream();
      byte[] message = new byte[MOST];
      for (int n = in.read(message); n >= 0; n = in.read(message)) {
        switch (message[0]) {
          case 1 -> client.setSoLinger(true, 0);
          case 2 -> out.write(message, 1, n - 1); // no answer, except for the data that followed
          default -> out.write(message, 0, n);
        }
        if (message[0] == 1) {
          return;
        }
      }
    } catch (SocketTimeoutException e) {
      lost.incrementAndGet();
    } catch (IOException e) {
      broken.increment();
    }
  }

  private void use(Random random) throws InterruptedException {
    try (Socket socket = new Socket(HERE, server.getLocalPort())) {
      socket.setSoTimeout(timeout);
      for (int i = random.nextInt(5); i >= 0; i--) {
        echo(socket, random);
      }
      end(socket, random);
      done.increment();
    } catch (SocketTimeoutException e) {
      lost.incrementAndGet();
    } catch (IOException e) {
      broken.increment();
    }
  }

  private static void echo(Socket socket, Random random) throws IOException {
    byte[] message = new byte[1 + random.nextInt(MOST)];
    socket.getOutputStream().write(message);
    if (socket.getInputStream().readNBytes(message.length).length != message.length) {
      throw new IOException("the end, too early");
    }
  }

  private void end(Socket socket, Random random) throws IOException, InterruptedException {
    InputStream in = socket.getInputStream();
    OutputStream out = socket.getOutputStream();
    switch (random.nextInt(7)) {
      case 0 -> socket.setSoLinger(true, 0); // reset by this side's close
      case 1 -> { // reset by the other side, while this side reads
        out.write(1);
        int _ = in.read();
      }
      case 2 -> { // half-closed: the other side sees the end and closes
        socket.shutdownOutput();
        int _ = in.read();
      }
      case 3 -> { // no answer in time
        out.write(2);
        socket.setSoTimeout(1 + random.nextInt(20));
        expectTimeout(in);
        socket.setSoTimeout(timeout);
        echo(socket, random);
      }
      case 4 -> { // closed by another goroutine, while this side reads
        out.write(2);
        Goroutine closer = scheduler.go(socket::close);
        expectClosed(in);
        closer.join();
      }
      case 5 -> { // interrupted while it reads
        out.write(2);
        Goroutine reader = scheduler.go(() -> expectClosed(in));
        reader.interrupt();
        reader.join();
      }
      default -> {}
    }
  }

  private static void expectTimeout(InputStream in) throws IOException {
    try {
      int n = in.read();
      throw new IOException("read " + n);
    } catch (SocketTimeoutException e) {
      // As it should be.
    }
  }

  private void expectClosed(InputStream in) {
    try {
      int _ = in.read();
    } catch (SocketTimeoutException e) {
      lost.incrementAndGet();
    } catch (IOException e) {
      // As it should be.
    }
  }

  private static UnixOperatingSystemMXBean system() {
    return ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class);
  }

  private static long descriptors() {
    return system().getOpenFileDescriptorCount();
  }

  private static long descriptorLimit() {
    return system().getMaxFileDescriptorCount();
  }
}
