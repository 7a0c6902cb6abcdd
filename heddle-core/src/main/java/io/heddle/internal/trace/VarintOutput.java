package io.heddle.internal.trace;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;

/** A growing byte buffer that writes numbers in a variable-length encoding. */
final class VarintOutput {
  private static final int MAX_NUMBER_BYTES = 10;

  private byte[] bytes = new byte[4096];
  private int size;

  VarintOutput clear() {
    size = 0;
    return this;
  }

  VarintOutput put(int b) {
    ensure(1);
    bytes[size++] = (byte) b;
    return this;
  }

  private void ensure(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }

  /**
   * Appends {@code n}: seven bits per byte, low bits first; the high bit is set if more bytes
   * follow.
   */
  VarintOutput number(long n) {
    ensure(MAX_NUMBER_BYTES);
    byte[] to = bytes;
    int at = size;
    long rest = n;
    while ((rest & ~0x7fL) != 0) {
      to[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    to[at++] = (byte) rest;
    size = at;
    return this;
  }

  /**
   * Appends a signed number in zigzag encoding: a number with a small absolute value takes few
   * bytes.
   */
  VarintOutput signed(long n) {
    return number((n << 1) ^ (n >> 63));
  }

  /** Appends the length in bytes and the UTF-8 bytes of {@code text}. */
  VarintOutput text(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    number(utf8.length);
    return all(utf8, utf8.length);
  }

  VarintOutput all(byte[] more, int length) {
    ensure(length);
    System.arraycopy(more, 0, bytes, size, length);
    size += length;
    return this;
  }

  /** Returns the bytes framed as a record: type, length, bytes, and CRC-32 of type and bytes. */
  byte[] batch(int type) {
    CRC32 crc = new CRC32();
    crc.update(type);
    crc.update(bytes, 0, size);
    VarintOutput framed = new VarintOutput();
    framed.put(type).number(size).all(bytes, size);
    for (int i = 0; i < 4; i++) {
      framed.put((int) (crc.getValue() >>> (8 * i)));
    }
    return framed.toBytes();
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }
}
