package io.heddle.servers;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A client connection with at most one pending request. It is kept alive until the server closes
 * it, and then reopened. Answers must have a Content-Length.
 */
final class HttpConnection implements AutoCloseable {
  private static final int ROOM = 16 * 1024;
  private static final String END_OF_HEAD = "\r\n\r\n";
  private static final String LENGTH = "\r\ncontent-length:";

  private static final String CLOSES = "\r\nconnection: close";

  private final RequestSpec work;
  private final InetSocketAddress server;
  private final Selector selector;
  private final ByteBuffer in = ByteBuffer.allocate(ROOM);
  private SocketChannel channel;
  private long number;
  private long dueNanos;

  HttpConnection(RequestSpec work, InetSocketAddress server, Selector selector) throws IOException {
    this.work = work;
    this.server = server;
    this.selector = selector;
    this.channel = open();
  }

  private SocketChannel open() throws IOException {
    SocketChannel opened = SocketChannel.open(server);
    opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
    if (work.isLast()) {
      // Closes with a reset: otherwise thousands of connections per second would use up the ports
      // within seconds.
      opened.setOption(StandardSocketOptions.SO_LINGER, 0);
    }
    opened.configureBlocking(false);
    opened.register(selector, SelectionKey.OP_READ, this);
    return opened;
  }

  RequestSpec work() {
    return work;
  }

  /** The time at which the pending request was due. */
  long dueNanos() {
    return dueNanos;
  }

  /** Sends the {@code i}th request, which was due at {@code dueNanos}. */
  void send(long i, long dueNanos) throws IOException {
    this.number = work.number(i);
    this.dueNanos = dueNanos;
    ByteBuffer out = ByteBuffer.wrap(work.request(number));
    channel.write(out);
    if (out.hasRemaining()) {
      throw new IOException("no room for a request of " + out.limit() + " bytes");
    }
  }

  /**
   * Reads the available bytes; returns whether the answer is complete.
   *
   * @throws IOException also if the answer is wrong
   */
  boolean receive() throws IOException {
    if (channel.read(in) < 0) {
      throw new EOFException("the server closed the connection in answer to " + question());
    }
    String text = new String(in.array(), 0, in.position(), StandardCharsets.ISO_8859_1);
    int end = text.indexOf(END_OF_HEAD);
    if (end < 0) {
      return false;
    }
    String head = text.substring(0, end + 2).toLowerCase(Locale.ROOT);
    String body = text.substring(end + END_OF_HEAD.length());
    if (body.length() < length(head)) {
      return false;
    }
    in.clear();
    check(head, body);
    if (work.isLast() || head.contains(CLOSES)) {
      channel.close();
      channel = open();
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private int length(String head) throws IOException {
    int start = head.indexOf(LENGTH);
    if (start < 0) {
      throw new IOException("no Content-Length in the answer to " + question() + ": " + head);
    }
    int from = start + LENGTH.length();
    return Integer.parseInt(head.substring(from, head.indexOf("\r\n", from)).strip());
  }

  private void check(String head, String body) throws IOException {
    if (!head.startsWith("http/1.1 200") || !body.equals(work.answer().apply(number))) {
      throw new IOException("the answer to " + question() + " is wrong: " + head + "\n" + body);
    }
  }

  private String question() {
    return work.path() + "?n=" + number;
  }
}
