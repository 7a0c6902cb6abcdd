package io.heddle.cluster;

import io.heddle.cluster.spi.Wire;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What caller and worker of a remote goroutine tell each other. */
final class TaskMessages {
  /** The largest message. */
  static final int MAX_BYTES = Wire.MAX_BYTES;

  private static final byte CLAIM = 1;
  private static final byte END = 2;

  static final byte[] YES = {1};
  static final byte[] NO = {0};

  private static final Codec<Claim> CLAIMS = Codec.json(Claim.class);
  private static final Codec<End> ENDS = Codec.json(End.class);

  private TaskMessages() {}

  /**
   * A task in its channel.
   *
   * @param id unique for ever
   * @param caller the id of the node that wants the result
   * @param isDetached whether it is run even if the caller has died
   * @param input the input, as bytes of its codec
   */
  record Call(String id, String caller, boolean isDetached, byte[] input) {
    Call {
      requireAll(id, caller, input);
    }
  }

  /** Something that a worker tells the caller. */
  sealed interface ToCaller {
    String task();
  }

  /**
   * A worker asks whether to run a task. The same question has the same nonce.
   *
   * @param task the id of the task
   * @param node the id of the worker's node
   * @param nonce differs for each delivery of the task to a worker
   */
  record Claim(String task, String node, String nonce) implements ToCaller {
    Claim {
      requireAll(task, node, nonce);
    }
  }

  /**
   * A worker tells the result.
   *
   * @param task the id of the task
   * @param node the id of the worker's node
   * @param isFailure whether the function threw
   * @param result the result, as bytes of its codec; empty after a failure
   * @param thrown what was thrown; empty if nothing
   * @param stack its stack trace
   */
  record End(
      String task, String node, boolean isFailure, byte[] result, String thrown, String stack)
      implements ToCaller {
    End {
      requireAll(task, node, result, thrown, stack);
    }
  }

  /** What comes from the wire may lack parts. */
  private static void requireAll(@Nullable Object... parts) {
    for (Object each : parts) {
      Objects.requireNonNull(each, "part of a message");
    }
  }

  static byte[] encode(ToCaller message) {
    return switch (message) {
      case Claim claim -> with(CLAIM, CLAIMS.encode(claim));
      case End end -> with(END, ENDS.encode(end));
    };
  }

  private static byte[] with(byte kind, byte[] json) {
    byte[] message = new byte[json.length + 1];
    message[0] = kind;
    System.arraycopy(json, 0, message, 1, json.length);
    return message;
  }

  /** Reads a message. The bytes may come from anywhere. */
  static ToCaller decode(byte[] message) {
    byte kind = message.length == 0 ? 0 : message[0];
    byte[] json = Arrays.copyOfRange(message, Math.min(1, message.length), message.length);
    return switch (kind) {
      case CLAIM -> CLAIMS.decode(json);
      case END -> ENDS.decode(json);
      default -> throw new CodecException("message of unknown kind " + kind);
    };
  }

  /** Where a caller listens. */
  static String callerSubject(String node) {
    return "caller." + node;
  }

  /** Where a worker listens for the ids of cancelled tasks. */
  static String cancelSubject(String node) {
    return "cancel." + node;
  }

  static byte[] encodeId(String task) {
    return task.getBytes(StandardCharsets.UTF_8);
  }

  static String decodeId(byte[] task) {
    return new String(task, StandardCharsets.UTF_8);
  }

  /** The name of the channel of the tasks of a function. */
  static String channel(String function) {
    return "go." + function;
  }
}
