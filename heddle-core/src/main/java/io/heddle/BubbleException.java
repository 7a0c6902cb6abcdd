package io.heddle;

/**
 * The failure of a run in a {@link Bubble} that was not thrown by code in the bubble: too many
 * steps, goroutines left behind, no scheduling point for too long, an interrupt of the caller, or
 * an error in the scheduler. The message names the failure and shows the goroutines.
 */
public class BubbleException extends RuntimeException {
  private static final long serialVersionUID = 1;

  BubbleException(String what, String dump) {
    super(what + dump);
  }

  BubbleException(String what, String dump, Throwable cause) {
    super(what + dump, cause);
  }
}
