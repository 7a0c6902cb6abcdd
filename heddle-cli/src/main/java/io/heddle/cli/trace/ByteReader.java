package io.heddle.cli.trace;

import java.nio.charset.StandardCharsets;

/** Reads numbers and text from a range of bytes; never reads beyond its end. */
final class ByteReader {
  /** The bytes end too early or are malformed. */
  static final class DamagedException extends Exception {
    private static final long serialVersionUID = 1;

    DamagedException(String what) {
      super(what, null, false, false);
    }
  }

  private final byte[] bytes;
  private final int end;
  private int at;

  ByteReader(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.at = from;
    this.end = to;
  }

  int at() {
    return at;
  }

  boolean hasMore() {
    return at < end;
  }

  int left() {
    return end - at;
  }

  int next() throws DamagedException {
    if (at >= end) {
      throw new DamagedException("ends in the middle of a number");
    }
    return bytes[at++] & 0xff;
  }

  long number() throws DamagedException {
    long n = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int b = next();
      n |= (long) (b & 0x7f) << shift;
      if (b < 0x80) {
        return n;
      }
    }
    throw new DamagedException("has a number that is too long");
  }

  int smallNumber(int most) throws DamagedException {
    long n = number();
    if (n < 0 || n > most) {
      throw new DamagedException("has " + n + " where at most " + most + " is allowed");
    }
    return (int) n;
  }

  long signed() throws DamagedException {
    long n = number();
    return n >>> 1 ^ -(n & 1);
  }

  String text() throws DamagedException {
    int length = smallNumber(left());
    String text = new String(bytes, at, length, StandardCharsets.UTF_8);
    at += length;
    return text;
  }

  void skip(int n) {
    at += n;
  }
}
