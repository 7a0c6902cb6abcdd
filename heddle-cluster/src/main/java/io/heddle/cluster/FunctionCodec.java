package io.heddle.cluster;

import java.util.Objects;
import java.util.function.Function;

/** See {@link Codec#of}. */
record FunctionCodec<T>(String type, Function<T, byte[]> encoder, Codec.Decoder<T> decoder)
    implements Codec<T> {
  FunctionCodec {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(encoder, "encode");
    Objects.requireNonNull(decoder, "decode");
  }

  @Override
  public byte[] encode(T value) {
    return encoder.apply(value);
  }

  @Override
  public T decode(byte[] bytes) {
    try {
      return decoder.decode(bytes);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new CodecException(e.getMessage() == null ? e.toString() : e.getMessage(), e);
    }
  }
}
