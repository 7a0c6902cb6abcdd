package io.heddle.internal.jdk;

import org.jspecify.annotations.Nullable;

/**
 * Selects the {@link Mounter} of this process: the one that the setting {@code heddle.mount} names,
 * or {@link OwnMounter} if it works here, else {@link JdkMounter}.
 */
final class MounterChoice {
  /*
   * The class initializer waits for a thread that tries OwnMounter out. That thread must not use
   * this class: it would wait for the initializer, and neither could continue.
   */
  private static final String PROPERTY = "heddle.mount";
  private static final String VARIABLE = "HEDDLE_MOUNT";
  private static final MounterChoice CHOICE = choose();

  static final Mounter MOUNTER = CHOICE.mounter;

  private final Mounter mounter;

  /** Why the setting {@code heddle.mount} cannot be honoured; null if it can be, or is absent. */
  private final @Nullable String failure;

  private MounterChoice(Mounter mounter, @Nullable String failure) {
    this.mounter = mounter;
    this.failure = failure;
  }

  /**
   * Checks the setting {@code heddle.mount}.
   *
   * @throws IllegalArgumentException if the setting names an implementation that does not exist or
   *     does not work here
   */
  static void ensureValid() {
    if (CHOICE.failure != null) {
      throw new IllegalArgumentException(CHOICE.failure);
    }
  }

  private static MounterChoice choose() {
    String wanted = System.getProperty(PROPERTY, System.getenv(VARIABLE));
    if (!VirtualThreads.isOpen() || "jdk".equals(wanted)) {
      return new MounterChoice(new JdkMounter(), null);
    }
    if (wanted != null && !wanted.equals("own")) {
      String failure = PROPERTY + " is \"" + wanted + "\": allowed is own or jdk";
      return new MounterChoice(new JdkMounter(), failure);
    }
    try {
      return new MounterChoice(OwnMounter.open(), null);
    } catch (Exception | LinkageError | VirtualMachineError e) {
      String failure =
          wanted == null ? null : PROPERTY + " is own, which does not work here: " + causeOf(e);
      return new MounterChoice(new JdkMounter(), failure);
    }
  }

  private static Throwable causeOf(Throwable t) {
    return t instanceof ExceptionInInitializerError && t.getCause() != null ? t.getCause() : t;
  }
}
