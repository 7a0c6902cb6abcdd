package io.heddle.bench.echo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * The clients of the echo server: many connections, each of which sends a message, waits for the
 * echo, checks it, and sends the next. They run on one thread, so that they take little CPU from
 * the server.
 */
public final class EchoLoad {
  /** The longest latency that is told apart, in microseconds; longer ones count as this. */
  private static final int LONGEST = 1_000_000;

  private final Selector selector = Selector.open();
  private final int[] histogram = new int[LONGEST + 1];
  private long count;
  private boolean isMeasured;

  private static final class Connection {
    final SocketChannel channel;
    final ByteBuffer buffer = ByteBuffer.allocateDirect(EchoServer.MESSAGE);
    long number;
    long sent;

    Connection(SocketChannel channel) {
      this.channel = channel;
    }

    void send() throws IOException {
      buffer.clear();
      buffer.putLong(0, ++number);
      sent = System.nanoTime();
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      buffer.clear();
    }

    /** Reads what is there; returns whether the echo is complete. */
    boolean receive() throws IOException {
      if (channel.read(buffer) < 0) {
        throw new IOException("the server has closed a connection");
      }
      if (buffer.hasRemaining()) {
        return false;
      }
      if (buffer.getLong(0) != number) {
        throw new IOException("not the echo of what was sent");
      }
      return true;
    }
  }

  private EchoLoad() throws IOException {}

  /**
   * Arguments: port, connections, seconds to warm up, seconds to measure. Prints requests per
   * second, p50 and p99 in µs.
   */
  public static void main(String[] args) throws IOException {
    EchoLoad load = new EchoLoad();
    load.connect(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
    load.run(Integer.parseInt(args[2]));
    load.isMeasured = true;
    long start = System.nanoTime();
    load.run(Integer.parseInt(args[3]));
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        "%.0f %d %d%n", load.count / seconds, load.percentile(0.5), load.percentile(0.99));
  }

  private void connect(int port, int connections) throws IOException {
    InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    for (int i = 0; i < connections; i++) {
      SocketChannel channel = SocketChannel.open(server);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      Connection connection = new Connection(channel);
      channel.register(selector, SelectionKey.OP_READ, connection);
      connection.send();
    }
  }

  private void run(int seconds) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (System.nanoTime() - end < 0) {
      int n = selector.select(this::answer, 1_000);
      if (n == 0) {
        throw new IOException("no echo for a second");
      }
    }
  }

  private void answer(SelectionKey key) {
    Connection connection = (Connection) key.attachment();
    try {
      if (connection.receive()) {
        note(System.nanoTime() - connection.sent);
        connection.send();
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void note(long nanos) {
    if (isMeasured) {
      count++;
      histogram[(int) Math.min(LONGEST, nanos / 1_000)]++;
    }
  }

  private int percentile(double share) {
    long seen = 0;
    for (int i = 0; i < LONGEST; i++) {
      seen += histogram[i];
      if (seen >= share * count) {
        return i;
      }
    }
    return LONGEST;
  }
}
