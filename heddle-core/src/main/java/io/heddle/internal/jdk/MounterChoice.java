package io.heddle.internal.jdk;

import io.heddle.internal.base.InvalidSettingException;
import io.heddle.internal.base.ProcessStatus;
import org.jspecify.annotations.Nullable;

/**
 * Selects the {@link Mounter} of this process: {@link OwnMounter} if it works here, else {@link
 * JdkMounter}. The setting {@code heddle.mount} may name one of them. If the named mounter does not
 * work here, {@link #ensureValid} throws.
 */
final class MounterChoice {
  /*
   * Under Heddle's agent the choice is made as late as possible, when the first goroutine runs. By
   * then the other agents on the command line have made their changes, and OwnMountCheck sees them.
   * Without the agent the choice is made when the first channel, lock or other object with waiters
   * is made. By then the program runs, and all its agents have started. If the setting names the
   * own mount, the choice is made with the first scheduler, because the program must be told if the
   * setting cannot be honoured.
   *
   * The initializer of Chosen waits for a thread that tries out OwnMounter. That thread must not
   * use Chosen: it would wait for the initializer, and neither could continue.
   */
  private static final String PROPERTY = "heddle.mount";
  private static final String VARIABLE = "HEDDLE_MOUNT";
  private static final String OWN = "own";
  private static final String JDK = "jdk";

  private static volatile boolean late;

  private MounterChoice() {}

  static void chooseLate() {
    late = true;
  }

  static boolean isLate() {
    return late;
  }

  /**
   * Checks the setting {@code heddle.mount}.
   *
   * @throws IllegalArgumentException if the setting names an implementation that does not exist or
   *     does not work here
   */
  static void ensureValid() {
    String wanted = wanted();
    if (wanted == null || wanted.equals(JDK)) {
      return;
    }
    if (!wanted.equals(OWN)) {
      throw new InvalidSettingException(PROPERTY + " is \"" + wanted + "\": allowed is own or jdk");
    }
    if (Chosen.REASON_AGAINST_OWN != null) {
      throw new InvalidSettingException(
          PROPERTY + " is own, which does not work here: " + Chosen.REASON_AGAINST_OWN);
    }
  }

  private static @Nullable String wanted() {
    return System.getProperty(PROPERTY, System.getenv(VARIABLE));
  }

  /** Holds the choice. The initializer of this class makes it. */
  static final class Chosen {
    /** Why {@link OwnMounter} does not work here; null if it works, or was not tried. */
    static final @Nullable String REASON_AGAINST_OWN;

    static final Mounter MOUNTER;

    static {
      String wanted = wanted();
      OwnMounter own = null;
      String reason = null;
      if (VirtualThreads.isOpen() && (wanted == null || wanted.equals(OWN))) {
        try {
          own = OwnMounter.open(wanted != null);
        } catch (Exception | LinkageError | VirtualMachineError e) {
          reason = reasonIn(e);
          if (wanted == null) {
            OffNotices.add(JdkFeature.OWN_MOUNT, reason);
          } // else ensureValid throws the reason
        }
      }
      REASON_AGAINST_OWN = reason;
      MOUNTER = own == null ? new JdkMounter() : own;
      if (VirtualThreads.isOpen()) {
        String because = reason == null ? "" : " (" + reason + ")";
        ProcessStatus.put(ProcessStatus.MOUNT, MOUNTER.name() + because);
      }
    }

    private Chosen() {}

    private static String reasonIn(Throwable t) {
      Throwable cause =
          t instanceof ExceptionInInitializerError && t.getCause() != null ? t.getCause() : t;
      String message = cause.getMessage();
      return cause instanceof IllegalStateException && message != null ? message : "" + cause;
    }
  }
}
