package io.heddle.bench.suite;

import io.heddle.bench.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Generates load on a server, in a process of its own with one thread: each connection sends a
 * message, waits for the whole answer, and sends the next.
 * {@code echo|http port bytes warmMillis millis}; prints one line of JSON with the requests per
 * second and the latencies.
 */
public final class LoadGenerator {
  private static final int ECHO_CONNECTIONS = 1_000;
  private static final int HTTP_CONNECTIONS = 64;
  private static final Pattern CONTENT_LENGTH = Pattern.compile("(?i)content-length: *(\\d+)");

  private final Selector selector = Selector.open();
  private final List<Conversation> conversations = new ArrayList<>();
  private long[] nanos = new long[1 << 16];
  private int count;

  private LoadGenerator() throws IOException {}

  public static void main(String[] args) throws IOException {
    boolean isHttp = args[0].equals("http");
    InetSocketAddress server =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[1]));
    int bytes = Integer.parseInt(args[2]);
    int warmMillis = Integer.parseInt(args[3]);
    int millis = Integer.parseInt(args[4]);
    byte[] message = isHttp ? request("/hello") : filled(bytes);
    int answer = isHttp ? answerLength(server, message) : bytes;
    LoadGenerator load = new LoadGenerator();
    for (int i = 0; i < (isHttp ? HTTP_CONNECTIONS : ECHO_CONNECTIONS); i++) {
      load.connect(server, message, answer, isHttp);
    }
    load.run(warmMillis);
    Map<String, Double> figures = load.run(millis);
    if (isHttp) {
      int hogs = Runtime.getRuntime().availableProcessors();
      for (int i = 0; i < hogs; i++) {
        load.hog(server, millis + 500);
      }
      load.run(250); // until the hogs have started
      Map<String, Double> beside = load.run(millis);
      figures.put("hogs", beside.get("p99"));
    }
    System.out.println(Json.write(figures));
    System.exit(0);
  }

  private void connect(InetSocketAddress server, byte[] message, int answer, boolean isHttp)
      throws IOException {
    SocketChannel channel = SocketChannel.open(server);
    channel.socket().setTcpNoDelay(true);
    channel.configureBlocking(false);
    Conversation conversation = new Conversation(channel, message, answer, isHttp);
    channel.register(selector, SelectionKey.OP_READ, conversation);
    conversations.add(conversation);
  }

  /** Sends a request that computes for {@code millis}; its answer is not read. */
  private void hog(InetSocketAddress server, int millis) throws IOException {
    SocketChannel channel = SocketChannel.open(server);
    channel.write(ByteBuffer.wrap(request("/hog?" + millis)));
  }

  /** Requests without an answer at the end count with the time that they have waited. */
  private Map<String, Double> run(int millis) throws IOException {
    count = 0;
    long start = System.nanoTime();
    long end = start + millis * 1_000_000L;
    for (Conversation each : conversations) {
      each.sendUnlessWaiting();
    }
    for (long now = start; now < end; now = System.nanoTime()) {
      selector.select(this::read, Math.max(1, (end - now) / 1_000_000));
    }
    long now = System.nanoTime();
    int answered = count;
    for (Conversation each : conversations) {
      if (now - each.sentAt > (now - start) / 2) {
        add(now - each.sentAt);
      }
    }
    return figures(answered, now - start);
  }

  private Map<String, Double> figures(int answered, long elapsed) {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    Map<String, Double> figures = new HashMap<>();
    figures.put("rps", answered * 1e9 / elapsed);
    figures.put("p50", at(sorted, 50, answered));
    figures.put("p99", at(sorted, 99, answered));
    return figures;
  }

  private static double at(long[] sorted, int percent, int answered) {
    return answered == 0
        ? Double.POSITIVE_INFINITY
        : sorted[(int) ((long) sorted.length * percent / 100)];
  }

  private void read(SelectionKey key) {
    try {
      Conversation conversation = (Conversation) key.attachment();
      if (conversation.readAll()) {
        add(System.nanoTime() - conversation.sentAt);
        conversation.send();
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void add(long each) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = each;
  }

  private static byte[] request(String path) {
    return ("GET " + path + " HTTP/1.1\r\nHost: bench\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] filled(int bytes) {
    byte[] message = new byte[bytes];
    Arrays.fill(message, (byte) 'x');
    return message;
  }

  /** Reads one answer, head and body, to learn its length, which does not change. */
  private static int answerLength(InetSocketAddress server, byte[] request) throws IOException {
    try (SocketChannel channel = SocketChannel.open(server)) {
      channel.write(ByteBuffer.wrap(request));
      ByteBuffer got = ByteBuffer.allocate(4_096);
      while (channel.read(got) > 0) {
        String text = new String(got.array(), 0, got.position(), StandardCharsets.US_ASCII);
        int head = text.indexOf("\r\n\r\n") + 4;
        if (head >= 4) {
          if (!text.startsWith("HTTP/1.1 200 ")) {
            throw new IOException("the status is not 200: " + text.lines().findFirst().orElse(""));
          }
          Matcher length = CONTENT_LENGTH.matcher(text);
          if (!length.find()) {
            throw new IOException("no Content-Length in the answer");
          }
          return head + Integer.parseInt(length.group(1));
        }
      }
    }
    throw new IOException("no answer");
  }

  /** One connection. */
  private static final class Conversation {
    private final SocketChannel channel;
    private final ByteBuffer message;
    private final ByteBuffer answer;
    private final boolean isHttp;
    private boolean isWaiting;
    private long sentAt;

    Conversation(SocketChannel channel, byte[] message, int answer, boolean isHttp) {
      this.channel = channel;
      this.message = ByteBuffer.allocateDirect(message.length).put(message);
      this.answer = ByteBuffer.allocateDirect(answer);
      this.isHttp = isHttp;
    }

    void sendUnlessWaiting() throws IOException {
      if (!isWaiting) {
        send();
      }
    }

    void send() throws IOException {
      sentAt = System.nanoTime();
      isWaiting = true;
      message.flip();
      if (channel.write(message) != message.limit()) {
        throw new IOException("a small message could not be sent at once");
      }
    }

    /** Reads what is there; returns whether the answer is complete; throws if it is wrong. */
    boolean readAll() throws IOException {
      if (channel.read(answer) < 0) {
        throw new IOException("the server closed a connection");
      }
      if (answer.hasRemaining()) {
        return false;
      }
      check();
      answer.clear();
      isWaiting = false;
      return true;
    }

    private void check() throws IOException {
      int at = isHttp ? 0 : answer.limit() - 1;
      byte expected = (byte) (isHttp ? 'H' : 'x');
      if (answer.get(at) != expected || answer.get(answer.limit() - 1) != 'x') {
        throw new IOException("a wrong answer");
      }
    }
  }
}
