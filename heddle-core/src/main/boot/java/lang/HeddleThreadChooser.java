package java.lang;

import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Makes virtual threads in place of {@code ThreadBuilders.newVirtualThread}, which
 * io.heddle.internal.jdk.ThreadBuilderPatch makes call this class.
 */
final class HeddleThreadChooser {
  /**
   * Returns the executor of a new thread with this name, or null for the JDK's choice. Heddle
   * writes it before the JDK calls this class.
   */
  static volatile Function<String, Executor> chooser;

  private HeddleThreadChooser() {}

  static Thread newVirtualThread(
      Executor scheduler, String name, int characteristics, Runnable task) {
    Executor chosen = scheduler == null ? chooser.apply(name) : scheduler;
    return new VirtualThread(chosen, name, characteristics, task);
  }
}
