package io.heddle.spring;

import java.io.Serial;

/** The scheduler cannot be made, because {@code java.lang} is not open to the library. */
final class JavaLangNotOpenException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  JavaLangNotOpenException(IllegalStateException cause) {
    super(cause.getMessage(), cause);
  }
}
