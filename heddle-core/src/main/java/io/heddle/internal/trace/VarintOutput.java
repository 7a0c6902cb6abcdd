package io.heddle.internal.trace;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;

/** Bytes that are put together, with numbers as long as they need to be. */
final class VarintOutput {
  private static final int LONGEST_NUMBER = 10;

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

  /** Seven bits a byte, the low ones first; the highest bit says that more follow. */
  VarintOutput number(long n) {
    ensure(LONGEST_NUMBER);
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

  /** One that may be negative: small either way is short. */
  VarintOutput signed(long n) {
    return number((n << 1) ^ (n >> 63));
  }

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

  /** These bytes as a batch of that type: what a file is made of. */
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
