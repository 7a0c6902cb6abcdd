package io.heddle;

/** A run in a {@link Bubble} went wrong, and no code in it has said so: the message tells what, and shows the goroutines. */
public class BubbleException extends RuntimeException {
  private static final long serialVersionUID = 1;

  BubbleException(String what, String dump) {
    super(what + dump);
  }

  BubbleException(String what, String dump, Throwable cause) {
    super(what + dump, cause);
  }
}
