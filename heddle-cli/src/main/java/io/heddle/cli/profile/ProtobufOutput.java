package io.heddle.cli.profile;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes the fields of a Protocol Buffers message. */
final class ProtobufOutput {
  private static final int VARINT = 0;
  private static final int BYTES = 2;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** Writes a number; 0 is the default, which is not written. */
  ProtobufOutput number(int field, long value) {
    if (value != 0) {
      varint((long) field << 3 | VARINT);
      varint(value);
    }
    return this;
  }

  /** Writes several numbers as one packed field. */
  ProtobufOutput packed(int field, List<Long> values) {
    ProtobufOutput all = new ProtobufOutput();
    values.forEach(all::varint);
    return message(field, all);
  }

  ProtobufOutput text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  ProtobufOutput message(int field, ProtobufOutput value) {
    return bytes(field, value.toBytes());
  }

  private ProtobufOutput bytes(int field, byte[] value) {
    varint((long) field << 3 | BYTES);
    varint(value.length);
    out.writeBytes(value);
    return this;
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.write((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  byte[] toBytes() {
    return out.toByteArray();
  }
}
