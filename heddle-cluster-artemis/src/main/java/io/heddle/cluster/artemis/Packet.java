package io.heddle.cluster.artemis;

import io.heddle.cluster.spi.Registry.Entry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One step of the protocol, written field by field: an {@link Op}, the number of a request, and the
 * fields of the operation. A message of Artemis carries one packet or several.
 */
final class Packet {
  /** The largest text in a packet: keys, names, ids and reasons. */
  private static final int MAX_TEXT_BYTES = 32_768;

  private static final int FIRST_BYTES = 64;
  private byte[] bytes;
  private int size;

  Packet(Op op, long number) {
    this(op, number, FIRST_BYTES);
  }

  /** Begins a request, which gets its number when it is sent. */
  Packet(Op op) {
    this(op, 0, FIRST_BYTES);
  }

  /** Sets the number of a request. */
  void setNumber(long number) {
    ByteBuffer.wrap(bytes).putLong(1, number);
  }

  /** Begins a packet with room for {@code payload} bytes. */
  @SuppressWarnings("EnumOrdinal") // the order is part of the protocol
  Packet(Op op, long number, int payload) {
    bytes = new byte[FIRST_BYTES + payload];
    bytes[size++] = (byte) op.ordinal();
    add(number);
  }

  /** Begins a record: fields without an operation. */
  Packet(int payload) {
    bytes = new byte[FIRST_BYTES + payload];
  }

  private ByteBuffer room(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
    }
    ByteBuffer at = ByteBuffer.wrap(bytes, size, more);
    size += more;
    return at;
  }

  Packet add(long value) {
    room(Long.BYTES).putLong(value);
    return this;
  }

  Packet add(int value) {
    room(Integer.BYTES).putInt(value);
    return this;
  }

  Packet add(boolean value) {
    room(1).put((byte) (value ? 1 : 0));
    return this;
  }

  Packet add(byte[] value) {
    room(Integer.BYTES + value.length).putInt(value.length).put(value);
    return this;
  }

  Packet add(String value) {
    return add(value.getBytes(StandardCharsets.UTF_8));
  }

  Packet add(Entry entry) {
    return add(entry.key()).add(entry.value()).add(entry.revision());
  }

  int size() {
    return size;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  /** Appends this packet with its length. */
  void appendTo(ByteBuffer message) {
    message.putInt(size).put(bytes, 0, size);
  }

  /** Reads fields in the order in which they were written; never beyond the end. */
  static final class Reader {
    private final ByteBuffer from;

    Reader(byte[] bytes) {
      this(ByteBuffer.wrap(bytes));
    }

    Reader(ByteBuffer from) {
      this.from = from;
    }

    boolean hasMore() {
      return from.hasRemaining();
    }

    /** Returns the next packet of a message. */
    Reader packet() {
      int length = length(from.remaining());
      Reader packet = new Reader(from.slice(from.position(), length));
      from.position(from.position() + length);
      return packet;
    }

    private int length(int max) {
      int length = integer();
      if (length < 0 || length > max || length > from.remaining()) {
        throw new BadPacketException("a length is " + length + ", at most " + max + " is allowed");
      }
      return length;
    }

    private ByteBuffer need(int count) {
      if (from.remaining() < count) {
        throw new BadPacketException("a packet ends too early");
      }
      return from;
    }

    Op op() {
      return Op.of(need(1).get());
    }

    long number() {
      return need(Long.BYTES).getLong();
    }

    int integer() {
      return need(Integer.BYTES).getInt();
    }

    boolean flag() {
      return need(1).get() != 0;
    }

    byte[] bytes() {
      byte[] value = new byte[length(from.remaining())];
      from.get(value);
      return value;
    }

    String text() {
      byte[] value = new byte[length(MAX_TEXT_BYTES)];
      from.get(value);
      return new String(value, StandardCharsets.UTF_8);
    }

    Entry entry() {
      return new Entry(text(), bytes(), number());
    }
  }
}
