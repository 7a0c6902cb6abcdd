package io.heddle.internal.dashboard;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One HTTP request with full control of its headers. The JDK's client does not let a test set the
 * Host header.
 */
final class RawHttpClient implements AutoCloseable {
  /** The server's response. */
  record Reply(int status, Map<String, String> headers, String body) {
    Object json() {
      return JsonReader.read(body);
    }
  }

  /** One event of a stream. */
  record Event(String name, String data) {
    @SuppressWarnings("unchecked")
    Map<String, Object> json() {
      return (Map<String, Object>) JsonReader.read(data);
    }
  }

  private final Socket socket;
  private final InputStream in;

  private RawHttpClient(int port, int receiveBuffer) throws IOException {
    socket = new Socket();
    if (receiveBuffer > 0) {
      socket.setReceiveBufferSize(receiveBuffer);
    }
    socket.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    in = new BufferedInputStream(socket.getInputStream());
  }

  static Reply get(int port, String path, String... headers) throws IOException {
    return request(port, "GET", path, headers);
  }

  /**
   * Sends {@code Host: localhost}, unless the headers (names and values in turn) contain another
   * host.
   */
  static Reply request(int port, String method, String path, String... headers) throws IOException {
    try (RawHttpClient browser = new RawHttpClient(port, 0)) {
      browser.send(method, path, headers);
      return browser.reply(method);
    }
  }

  /** Opens an event stream. */
  static RawHttpClient openStream(int port, String path, String... headers) throws IOException {
    RawHttpClient browser = new RawHttpClient(port, 0);
    browser.send("GET", path, headers);
    browser.head();
    return browser;
  }

  /** Requests an event stream and never reads it. */
  static RawHttpClient openWithoutReading(int port, String path) throws IOException {
    RawHttpClient browser = new RawHttpClient(port, 2_048);
    browser.send("GET", path);
    return browser;
  }

  /** Returns the next event. Fails if the stream ends before. */
  Event next() throws IOException {
    String name = "";
    String data = "";
    while (true) {
      String line = chunkedLine();
      if (line.startsWith("event: ")) {
        name = line.substring(7);
      } else if (line.startsWith("data: ")) {
        data = line.substring(6);
      } else if (line.isEmpty() && !name.isEmpty()) {
        return new Event(name, data);
      }
    }
  }

  /** Returns the next event of that name. */
  Event next(String name) throws IOException {
    Event event = next();
    while (!event.name().equals(name)) {
      event = next();
    }
    return event;
  }

  /** Whether the server has closed the connection, after all sent data. */
  boolean isEnded() throws IOException {
    try {
      return in.skip(Long.MAX_VALUE) >= 0 && in.read() < 0;
    } catch (java.net.SocketException e) {
      return true; // reset
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private void send(String method, String path, String... headers) throws IOException {
    StringBuilder text = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
    Map<String, String> all = new LinkedHashMap<>(Map.of("Host", "localhost:" + socket.getPort()));
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i], headers[i + 1]);
    }
    all.forEach((name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
    text.append("\r\n");
    socket.getOutputStream().write(text.toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  private Reply reply(String method) throws IOException {
    Map<String, String> headers = head();
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    byte[] body = method.equals("HEAD") ? new byte[0] : in.readNBytes(length);
    int status = Integer.parseInt(headers.get("").split(" ")[1]);
    return new Reply(status, headers, new String(body, StandardCharsets.UTF_8));
  }

  private Map<String, String> head() throws IOException {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("", line());
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return headers;
  }

  private int left;

  /** Reads a line of a chunked body. */
  private String chunkedLine() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int b = chunkedByte(); b != '\n'; b = chunkedByte()) {
      bytes.write(b);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private int chunkedByte() throws IOException {
    while (left == 0) {
      String size = line();
      left = size.isEmpty() ? 0 : Integer.parseInt(size, 16);
      if (!size.isEmpty() && left == 0) {
        throw new IOException("the stream has ended");
      }
    }
    left--;
    return byteOrFail();
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = byteOrFail(); b != '\n'; b = byteOrFail()) {
      if (b != '\r') {
        line.append((char) b);
      }
    }
    return line.toString();
  }

  private int byteOrFail() throws IOException {
    int b = in.read();
    if (b < 0) {
      throw new IOException("the connection was closed");
    }
    return b;
  }
}
