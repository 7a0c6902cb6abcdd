package io.heddle.cli.attach;

/** Thrown if a process cannot be inspected; the message says why, and what to do. */
public final class TargetException extends Exception {
  private static final long serialVersionUID = 1;

  TargetException(String message) {
    super(message);
  }

  static TargetException doesNotAnswer(long pid, Exception cause) {
    return new TargetException(
        "process "
            + pid
            + " does not answer: "
            + cause.getMessage()
            + ". It must be a JVM of the same user, without -XX:+DisableAttachMechanism and"
            + " with the module jdk.management.agent.",
        cause);
  }

  public TargetException(String message, Throwable cause) {
    super(message, cause);
  }
}
