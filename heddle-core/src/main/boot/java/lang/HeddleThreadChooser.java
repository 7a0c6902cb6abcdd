package java.lang;

import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Makes the virtual threads of {@code ThreadBuilders.newVirtualThread}.
 * io.heddle.internal.jdk.ThreadBuilderPatch makes that method call this class.
 */
final class HeddleThreadChooser {
  /**
   * Returns the executor of a new thread with this name, which may be null; null for the JDK's
   * choice. Heddle writes this field before the JDK calls this class.
   */
  static volatile Function<String, Executor> chooser;

  private HeddleThreadChooser() {}

  static Thread newVirtualThread(
      Executor scheduler, String name, int characteristics, Runnable task) {
    Executor chosen = scheduler == null ? chooser.apply(name) : scheduler;
    return new VirtualThread(chosen, name, characteristics, task);
  }
}
