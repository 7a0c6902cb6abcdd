package io.heddle;

/**
 * Says why a run of a {@link Bubble} failed, if no code in the bubble threw the failure. The reason
 * is too many steps, goroutines left behind, no scheduling point for too long, an interrupt of the
 * caller, or an error in the scheduler. The message names the reason and shows the goroutines.
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
