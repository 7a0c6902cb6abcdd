package io.heddle.cluster;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Writes dead letters: texts, a number, and the bytes as they are. */
enum LetterCodec implements Codec<DeadLetter> {
  INSTANCE;

  private static final int MAX_TEXT = 1_000;

  @Override
  public String type() {
    return "dead-letter:1";
  }

  @Override
  public byte[] encode(DeadLetter letter) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeUTF(letter.channel());
      out.writeUTF(cut(letter.id()));
      out.writeUTF(cut(letter.reason()));
      out.writeInt(letter.attempts());
      out.writeUTF(cut(letter.sender()));
      out.writeUTF(letter.node());
      out.writeUTF(cut(letter.codec()));
      String trace = letter.trace();
      out.writeBoolean(trace != null);
      out.writeUTF(trace == null ? "" : cut(trace));
      out.write(letter.bytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen: the bytes stay in memory
    }
    return bytes.toByteArray();
  }

  private static String cut(String text) {
    return text.substring(0, Math.min(MAX_TEXT, text.length()));
  }

  @Override
  public DeadLetter decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      String channel = in.readUTF();
      String id = in.readUTF();
      String reason = in.readUTF();
      int attempts = in.readInt();
      String sender = in.readUTF();
      String node = in.readUTF();
      String codec = in.readUTF();
      boolean hasTrace = in.readBoolean();
      String trace = in.readUTF();
      byte[] item = in.readAllBytes();
      return new DeadLetter(
          channel, id, reason, attempts, sender, node, codec, item, hasTrace ? trace : null);
    } catch (IOException e) {
      throw new CodecException("not a dead letter: " + bytes.length + " bytes", e);
    }
  }
}
