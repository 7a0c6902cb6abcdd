package child;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;

/**
 * A program that does not use Heddle and waits for sockets in virtual threads in every way that the
 * JDK offers. Prints the outcome of each, and at the end the JDK threads that poll. The file is
 * long because each way has a method.
 */
public final class SocketUser {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  private SocketUser() {}

  /** The argument is the number of connections that wait at the same time. */
  public static void main(String[] args) throws Exception {
    say("echo", SocketUser::echo);
    say("channel", SocketUser::channel);
    say("unix", SocketUser::unix);
    say("datagram channel", SocketUser::datagramChannel);
    say("datagram socket", SocketUser::datagramSocket);
    say("datagram reconnected", SocketUser::datagramReconnected);
    say("pipe", SocketUser::pipe);
    say("selector", SocketUser::selector);
    say("http", SocketUser::http);
    say("read in time", () -> timedRead(60_000));
    say("read timeout", () -> timedRead(20));
    say("accept timeout", SocketUser::acceptTimeout);
    say("receive timeout", SocketUser::receiveTimeout);
    say("close while reading", SocketUser::closeWhileReading);
    say("close while accepting", SocketUser::closeWhileAccepting);
    say("close while writing", SocketUser::closeWhileWriting);
    say("close of a channel", SocketUser::closeOfChannel);
    say("interrupt of a socket", SocketUser::interruptOfSocket);
    say("interrupt of a channel", SocketUser::interruptOfChannel);
    say("half-closed by the other", SocketUser::halfClosedByOther);
    say("half-closed by itself", SocketUser::halfClosedByItself);
    say("reset", SocketUser::reset);
    say("reader and writer", SocketUser::readerAndWriter);
    say("numbers again and again", SocketUser::sameNumbers);
    say("many", () -> many(Integer.parseInt(args[0])));
    System.out.println("JDK pollers " + jdkPollers());
  }

  private static void say(String what, Callable<?> scene) {
    Object came;
    try {
      came = in(scene).get();
    } catch (Exception e) {
      came = e;
    }
    System.out.println(what + ": " + came);
  }

  /** Runs {@code call} in a virtual thread. */
  private static <T> FutureTask<T> in(Callable<T> call) {
    FutureTask<T> task = new FutureTask<>(call);
    Thread.startVirtualThread(task);
    return task;
  }

  /** Returns the number of JDK threads that wait for the sockets of virtual threads. */
  private static long jdkPollers() {
    Thread[] all = new Thread[1000];
    ThreadGroup group = Thread.currentThread().getThreadGroup().getParent();
    int n = group.enumerate(all);
    return Arrays.stream(all, 0, n).filter(t -> t.getName().contains("Poller")).count();
  }

  /** Two connected sockets, and a virtual thread that waits until one of them is readable. */
  private static final class SocketPair implements AutoCloseable {
    final ServerSocket server;
    final Socket near;
    final Socket far;

    SocketPair() throws IOException {
      server = new ServerSocket(0, 0, HERE);
      near = new Socket(HERE, server.getLocalPort());
      far = server.accept();
    }

    /** Reads one byte in a virtual thread. Returns when the thread waits. */
    Reading read() throws Exception {
      return new Reading(() -> near.getInputStream().read());
    }

    @Override
    public void close() throws IOException {
      server.close();
      near.close();
      far.close();
    }
  }

  private static final class Reading {
    final Thread thread;
    final FutureTask<Object> task;

    Reading(Callable<Object> call) {
      task =
          new FutureTask<>(
              () -> {
                try {
                  return call.call();
                } catch (IOException e) {
                  return e.getClass().getSimpleName() + " " + e.getMessage();
                }
              });
      thread = Thread.startVirtualThread(task);
      while (thread.getState() == Thread.State.RUNNABLE || thread.getState() == Thread.State.NEW) {
        Thread.yield();
      }
    }

    Object came() throws Exception {
      return task.get();
    }
  }

  private static Object echo() throws Exception {
    try (SocketPair pair = new SocketPair()) {
      FutureTask<Long> other =
          in(() -> pair.far.getInputStream().transferTo(pair.far.getOutputStream()));
      byte[] sent = new byte[1_000_000];
      sent[999_999] = 42;
      FutureTask<byte[]> reader = in(() -> pair.near.getInputStream().readNBytes(sent.length));
      pair.near.getOutputStream().write(sent);
      int last = reader.get()[999_999];
      pair.near.shutdownOutput();
      return last + " of " + other.get();
    }
  }

  private static Object channel() throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(HERE, 0));
      return exchange(server, server.getLocalAddress());
    }
  }

  private static Object unix() throws Exception {
    Path dir = Files.createTempDirectory("heddle");
    Path file = dir.resolve("socket");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      UnixDomainSocketAddress address = UnixDomainSocketAddress.of(file);
      server.bind(address);
      return exchange(server, address);
    } finally {
      Files.deleteIfExists(file);
      Files.delete(dir);
    }
  }

  private static Object exchange(ServerSocketChannel server, SocketAddress address)
      throws Exception {
    FutureTask<Integer> client =
        in(
            () -> {
              try (SocketChannel channel = SocketChannel.open(address)) {
                ByteBuffer buffer = ByteBuffer.allocate(10);
                int n = channel.read(buffer);
                return n + channel.write(buffer.flip());
              }
            });
    try (SocketChannel accepted = server.accept()) {
      accepted.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
      return client.get() + accepted.read(ByteBuffer.allocate(10));
    }
  }

  private static Object datagramChannel() throws Exception {
    try (DatagramChannel receiver = DatagramChannel.open(StandardProtocolFamily.INET)) {
      receiver.bind(new InetSocketAddress(HERE, 0));
      Reading reading = new Reading(() -> receive(receiver));
      try (DatagramChannel sender = DatagramChannel.open(StandardProtocolFamily.INET)) {
        sender.send(ByteBuffer.wrap(new byte[7]), receiver.getLocalAddress());
      }
      return reading.came();
    }
  }

  private static int receive(DatagramChannel channel) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(100);
    channel.receive(buffer);
    return buffer.position();
  }

  /** Disconnecting may put another socket behind the same number. */
  private static Object datagramReconnected() throws Exception {
    int sum = 0;
    try (DatagramChannel receiver = DatagramChannel.open(StandardProtocolFamily.INET);
        DatagramChannel sender = DatagramChannel.open(StandardProtocolFamily.INET)) {
      sender.bind(new InetSocketAddress(HERE, 0));
      for (int i = 1; i <= 3; i++) {
        receiver.connect(sender.getLocalAddress());
        Reading reading = new Reading(() -> receive(receiver));
        sender.send(ByteBuffer.wrap(new byte[i]), receiver.getLocalAddress());
        sum += (Integer) reading.came();
        receiver.disconnect();
      }
    }
    return sum;
  }

  private static Object datagramSocket() throws Exception {
    try (DatagramSocket receiver = new DatagramSocket(0, HERE);
        DatagramSocket sender = new DatagramSocket(0, HERE)) {
      DatagramPacket packet = new DatagramPacket(new byte[100], 100);
      Reading reading =
          new Reading(
              () -> {
                receiver.receive(packet);
                return packet.getLength();
              });
      sender.send(new DatagramPacket(new byte[9], 9, receiver.getLocalSocketAddress()));
      return reading.came();
    }
  }

  private static Object pipe() throws Exception {
    Pipe pipe = Pipe.open();
    try (Pipe.SourceChannel source = pipe.source();
        Pipe.SinkChannel sink = pipe.sink()) {
      FutureTask<Integer> reader =
          in(
              () -> {
                int sum = 0;
                ByteBuffer buffer = ByteBuffer.allocate(4096);
                for (int n = source.read(buffer); n >= 0; n = source.read(buffer.clear())) {
                  sum += n;
                }
                return sum;
              });
      for (int i = 0; i < 100; i++) {
        ByteBuffer out = ByteBuffer.allocate(10_000);
        while (out.hasRemaining()) {
          sink.write(out);
        }
      }
      sink.close();
      return reader.get();
    }
  }

  private static Object selector() throws Exception {
    Pipe pipe = Pipe.open();
    try (Selector selector = Selector.open();
        Pipe.SourceChannel source = pipe.source();
        Pipe.SinkChannel sink = pipe.sink()) {
      source.configureBlocking(false);
      source.register(selector, SelectionKey.OP_READ);
      Reading first = new Reading(selector::select);
      selector.wakeup();
      Object woken = first.came();
      Object timed = in(() -> selector.select(10)).get();
      Reading second = new Reading(selector::select);
      sink.write(ByteBuffer.allocate(1));
      return woken + " " + timed + " " + second.came();
    }
  }

  private static Object http() throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress(HERE, 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          byte[] answer = exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    URI uri = URI.create("http://" + HERE.getHostAddress() + ":" + server.getAddress().getPort());
    try (HttpClient client =
        HttpClient.newBuilder().executor(Executors.newVirtualThreadPerTaskExecutor()).build()) {
      int sum = 0;
      for (int i = 0; i < 20; i++) {
        HttpRequest request =
            HttpRequest.newBuilder(uri)
                .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[i * 1000]))
                .build();
        sum += client.send(request, HttpResponse.BodyHandlers.ofByteArray()).body().length;
      }
      return sum;
    } finally {
      server.stop(0);
    }
  }

  private static Object timedRead(int timeout) throws Exception {
    try (SocketPair pair = new SocketPair()) {
      pair.near.setSoTimeout(timeout);
      Reading reading = pair.read();
      if (timeout > 1000) {
        pair.far.getOutputStream().write(11);
      }
      Object first = reading.came();
      pair.far.getOutputStream().write(12);
      return first + " " + pair.near.getInputStream().read();
    }
  }

  private static Object acceptTimeout() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 0, HERE)) {
      server.setSoTimeout(20);
      return new Reading(server::accept).came();
    }
  }

  private static Object receiveTimeout() throws Exception {
    try (DatagramSocket socket = new DatagramSocket(0, HERE)) {
      socket.setSoTimeout(20);
      socket.receive(new DatagramPacket(new byte[1], 1));
      return "received";
    } catch (SocketTimeoutException e) {
      return e.getMessage();
    }
  }

  private static Object closeWhileReading() throws Exception {
    try (SocketPair pair = new SocketPair()) {
      Reading reading = pair.read();
      pair.near.close();
      return reading.came();
    }
  }

  private static Object closeWhileAccepting() throws Exception {
    ServerSocket server = new ServerSocket(0, 0, HERE);
    Reading reading = new Reading(server::accept);
    server.close();
    return reading.came();
  }

  private static Object closeWhileWriting() throws Exception {
    try (SocketPair pair = new SocketPair()) {
      Reading writing =
          new Reading(
              () -> {
                OutputStream out = pair.near.getOutputStream();
                for (; ; ) {
                  out.write(new byte[100_000]);
                }
              });
      pair.near.close();
      return writing.came();
    }
  }

  private static Object closeOfChannel() throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(HERE, 0));
      try (SocketChannel near = SocketChannel.open(server.getLocalAddress());
          SocketChannel far = server.accept()) {
        Reading reading = new Reading(() -> near.read(ByteBuffer.allocate(1)));
        near.close();
        return reading.came() + " " + far.read(ByteBuffer.allocate(1));
      }
    }
  }

  private static Object interruptOfSocket() throws Exception {
    try (SocketPair pair = new SocketPair()) {
      Reading reading = pair.read();
      reading.thread.interrupt();
      return reading.came() + " " + pair.near.isClosed();
    }
  }

  private static Object interruptOfChannel() throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(HERE, 0));
      Reading reading = new Reading(server::accept);
      reading.thread.interrupt();
      return reading.came() + " " + server.isOpen();
    }
  }

  private static Object halfClosedByOther() throws Exception {
    try (SocketPair pair = new SocketPair()) {
      Reading reading = pair.read();
      pair.far.shutdownOutput();
      pair.near.getOutputStream().write(5);
      return reading.came() + " " + pair.far.getInputStream().read();
    }
  }

  private static Object halfClosedByItself() throws Exception {
    try (SocketPair pair = new SocketPair()) {
      Reading reading = pair.read();
      pair.near.shutdownInput();
      return reading.came();
    }
  }

  private static Object reset() throws Exception {
    try (SocketPair pair = new SocketPair()) {
      Reading reading = pair.read();
      pair.far.setSoLinger(true, 0);
      pair.far.close();
      return reading.came();
    }
  }

  private static Object readerAndWriter() throws Exception {
    try (SocketPair pair = new SocketPair()) {
      Reading reading = pair.read();
      byte[] much = new byte[20_000_000];
      Reading writing =
          new Reading(
              () -> {
                pair.near.getOutputStream().write(much);
                return "written";
              });
      pair.far.getOutputStream().write(77);
      Object read = reading.came();
      InputStream in = pair.far.getInputStream();
      int n = in.readNBytes(much.length).length;
      return read + " " + writing.came() + " " + n;
    }
  }

  /**
   * The system reuses the lowest free descriptor number, so a new socket often has the number of a
   * closed one.
   */
  private static Object sameNumbers() throws Exception {
    int sum = 0;
    for (int i = 0; i < 300; i++) {
      try (SocketPair pair = new SocketPair()) {
        Reading reading = pair.read();
        if (i % 3 == 0) {
          pair.near.close();
          reading.came();
        } else {
          pair.far.getOutputStream().write(1);
          sum += (Integer) reading.came();
        }
      }
    }
    return sum;
  }

  private static Object many(int connections) throws Exception {
    List<Socket> far = new ArrayList<>();
    List<FutureTask<Integer>> near = new ArrayList<>();
    CountDownLatch connected = new CountDownLatch(connections);
    try (ServerSocket server = new ServerSocket(0, 1000, HERE)) {
      for (int i = 0; i < connections; i++) {
        near.add(
            in(
                () -> {
                  try (Socket socket = new Socket(HERE, server.getLocalPort())) {
                    connected.countDown();
                    return socket.getInputStream().read();
                  }
                }));
        far.add(server.accept());
      }
      connected.await();
      for (Socket socket : far) {
        socket.getOutputStream().write(1);
      }
      int sum = 0;
      for (FutureTask<Integer> each : near) {
        sum += each.get();
      }
      for (Socket socket : far) {
        socket.close();
      }
      return sum;
    }
  }
}
