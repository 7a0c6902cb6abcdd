package io.heddle.cluster;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * Turns values into bytes and back. Both methods are called by many threads at once.
 *
 * <p>There is none that uses Java serialization, because bytes from a network must not decide which
 * classes are loaded.
 *
 * @param <T> the type of the values
 */
public interface Codec<T> {
  /**
   * Returns what this codec writes, in a few characters. It travels with each frame.
   *
   * @return for example {@code json}, or {@code protobuf:order:2}
   */
  String type();

  /**
   * Returns whether this codec can read what another version of it has written.
   *
   * @param type the {@link #type} of the writer
   * @return whether {@link #decode} may be called; if not, the value becomes a dead letter
   */
  default boolean accepts(String type) {
    return type().equals(type);
  }

  /**
   * Returns the bytes of a value.
   *
   * @param value the value, not null
   * @return the bytes, not changed afterwards
   * @throws CodecException if that cannot be done
   */
  byte[] encode(T value);

  /**
   * Returns the value of some bytes, which may come from anywhere.
   *
   * @param bytes the bytes
   * @return the value, not null
   * @throws CodecException if they are not bytes of a value
   */
  T decode(byte[] bytes);

  /**
   * Returns a codec that writes JSON. It handles records, enums, sealed interfaces of such types
   * (with a property {@code @type}), strings, numbers, booleans, {@code byte[]}, {@code java.time},
   * {@link java.util.UUID}, and lists, sets, maps with string keys, optionals and arrays of these.
   * Properties that the reader does not know are ignored; those that are missing become null, zero
   * or false.
   *
   * @param <T> the type of the values
   * @param type the class of the values
   * @return the codec
   * @throws CodecException if {@code type} or one of its components is of another kind
   */
  static <T> Codec<T> json(Class<T> type) {
    return new JsonCodec<>(type);
  }

  /**
   * Returns a codec that leaves bytes as they are.
   *
   * @return the codec
   */
  static Codec<byte[]> bytes() {
    return BytesCodec.INSTANCE;
  }

  /**
   * Returns a codec for strings, in UTF-8.
   *
   * @return the codec
   */
  static Codec<String> string() {
    return StringCodec.INSTANCE;
  }

  /**
   * Returns a codec of two functions, for example those of a class that protobuf has generated:
   *
   * {@snippet :
   * Codec<Order> codec = Codec.of("protobuf:order", Order::toByteArray, Order::parseFrom);
   * RemoteChan<Order> orders = cluster.chan("orders", codec).open();
   * }
   *
   * @param <T> the type of the values
   * @param type see {@link #type}
   * @param encode returns the bytes of a value
   * @param decode returns the value of some bytes; what it throws becomes a {@link CodecException}
   * @return the codec
   */
  static <T> Codec<T> of(String type, Function<T, byte[]> encode, Decoder<T> decode) {
    return new FunctionCodec<>(type, encode, decode);
  }

  /**
   * Reads bytes.
   *
   * @param <T> the type of the values
   */
  @FunctionalInterface
  interface Decoder<T> {
    /**
     * Returns the value of some bytes, which may come from anywhere.
     *
     * @param bytes the bytes
     * @return the value, not null
     * @throws Exception if they are not bytes of a value
     */
    T decode(byte[] bytes) throws Exception;
  }

  /** See {@link #bytes}. */
  enum BytesCodec implements Codec<byte[]> {
    /** The only one. */
    INSTANCE;

    @Override
    public String type() {
      return "bytes";
    }

    @Override
    public byte[] encode(byte[] value) {
      return value.clone();
    }

    @Override
    public byte[] decode(byte[] bytes) {
      return bytes;
    }
  }

  /** See {@link #string}. */
  enum StringCodec implements Codec<String> {
    /** The only one. */
    INSTANCE;

    @Override
    public String type() {
      return "string";
    }

    @Override
    public byte[] encode(String value) {
      return value.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String decode(byte[] bytes) {
      try {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      } catch (CharacterCodingException e) {
        throw new CodecException("not UTF-8: " + bytes.length + " bytes", e);
      }
    }
  }
}
