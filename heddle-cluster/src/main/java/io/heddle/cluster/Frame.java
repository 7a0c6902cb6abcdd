package io.heddle.cluster;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One message in a log: some items of one node, with what travels beside them.
 *
 * <p>The bytes: version (1), sender, first sequence (8), codec type, number of items (4), and for
 * each item a byte of flags, the milliseconds left until its deadline (8, if flag 1), its trace
 * context (if flag 2), and its bytes with their length (4). A text is UTF-8 with its length (2).
 *
 * @param sender the id of the node that sent it
 * @param first the number of the first item among all that the node has sent to the channel
 * @param codec the type of the codec
 * @param items the items, one or more
 */
record Frame(String sender, long first, String codec, List<Item> items) {
  private static final int VERSION = 1;
  private static final int DEADLINE = 1;
  private static final int TRACE = 2;
  private static final int MAX_TEXT = 1_024;

  /** The most bytes that a frame has beside its items. */
  static final int HEADER = 2 * MAX_TEXT + 64;

  /** The most bytes that an item has beside its own. */
  static final int ITEM_HEADER = MAX_TEXT + 16;

  /** The largest deadline that is sent: a year. */
  private static final long MAX_LEFT = 365L * 24 * 3_600 * 1_000;

  /**
   * A value with what travels beside it.
   *
   * @param bytes the value
   * @param left milliseconds until the sender's deadline; -1 if there is none
   * @param trace the trace context; null if there is none
   */
  record Item(byte[] bytes, long left, @Nullable String trace) {}

  /** Thrown if bytes are not those of a frame. */
  static final class FrameException extends Exception {
    private static final long serialVersionUID = 1;

    FrameException(String message) {
      super(message);
    }
  }

  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      write(out, sender);
      out.writeLong(first);
      write(out, codec);
      out.writeInt(items.size());
      for (Item item : items) {
        String trace = item.trace;
        out.writeByte((item.left >= 0 ? DEADLINE : 0) | (trace != null ? TRACE : 0));
        if (item.left >= 0) {
          out.writeLong(Math.min(item.left, MAX_LEFT));
        }
        if (trace != null) {
          write(out, trace);
        }
        out.writeInt(item.bytes.length);
        out.write(item.bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen: the bytes stay in memory
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, String text) throws IOException {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    if (utf8.length > MAX_TEXT) {
      throw new ClusterException(
          "text of " + utf8.length + " bytes in a frame: allowed are " + MAX_TEXT);
    }
    out.writeShort(utf8.length);
    out.write(utf8);
  }

  /** Reads a frame. The bytes may come from anywhere. */
  static Frame decode(byte[] bytes) throws FrameException {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    need(in, 1);
    int version = in.get();
    if (version != VERSION) {
      throw new FrameException("frame version " + version + ": known is " + VERSION);
    }
    String sender = text(in);
    need(in, 8);
    long first = in.getLong();
    String codec = text(in);
    need(in, 4);
    int n = in.getInt();
    if (n < 1 || n > in.remaining() / 5) {
      throw new FrameException(n + " items in " + in.remaining() + " bytes");
    }
    List<Item> items = new ArrayList<>(n);
    for (int i = 0; i < n; i++) {
      items.add(item(in));
    }
    if (in.hasRemaining()) {
      throw new FrameException(in.remaining() + " bytes after the last item");
    }
    return new Frame(sender, first, codec, items);
  }

  private static Item item(ByteBuffer in) throws FrameException {
    need(in, 1);
    int flags = in.get();
    if ((flags & ~(DEADLINE | TRACE)) != 0) {
      throw new FrameException("unknown flags " + flags);
    }
    long left = -1;
    if ((flags & DEADLINE) != 0) {
      need(in, 8);
      left = in.getLong();
      if (left < 0 || left > MAX_LEFT) {
        throw new FrameException("a deadline in " + left + " ms");
      }
    }
    String trace = (flags & TRACE) == 0 ? null : text(in);
    need(in, 4);
    int length = in.getInt();
    if (length < 0) {
      throw new FrameException("an item of " + length + " bytes");
    }
    need(in, length);
    byte[] value = new byte[length];
    in.get(value);
    return new Item(value, left, trace);
  }

  private static String text(ByteBuffer in) throws FrameException {
    need(in, 2);
    int length = Short.toUnsignedInt(in.getShort());
    if (length > MAX_TEXT) {
      throw new FrameException("a text of " + length + " bytes: allowed are " + MAX_TEXT);
    }
    need(in, length);
    byte[] utf8 = new byte[length];
    in.get(utf8);
    return new String(utf8, StandardCharsets.UTF_8);
  }

  private static void need(ByteBuffer in, int bytes) throws FrameException {
    if (in.remaining() < bytes) {
      throw new FrameException(
          "ends early: " + in.remaining() + " bytes where " + bytes + " are needed");
    }
  }
}
