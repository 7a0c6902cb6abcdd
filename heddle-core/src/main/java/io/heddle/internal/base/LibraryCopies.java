package io.heddle.internal.base;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Tells the user that several class loaders have loaded Heddle, such as those of two web
 * applications. Each copy works, with schedulers of its own.
 */
public final class LibraryCopies {
  /*
   * The copies have no class in common. So the first copy sets a system property, and the later
   * copies find it. The property's value is a string, because Properties.store fails for any other
   * value. Its name does not begin with "heddle.", because it is no setting.
   */
  private static final String PROPERTY = "io.heddle.loader";

  private static final AtomicBoolean DONE = new AtomicBoolean();

  private LibraryCopies() {}

  /**
   * Prints one line on standard error if another copy of Heddle has called this method before. Does
   * nothing after the first call.
   */
  public static void warnOnce() {
    if (!DONE.compareAndSet(false, true)) {
      return;
    }
    String loader = describe(LibraryCopies.class.getClassLoader());
    Object first = System.getProperties().putIfAbsent(PROPERTY, loader);
    if (first != null) {
      System.err.println(
          "heddle: another copy of Heddle is loaded by "
              + loader
              + ", the first was by "
              + first
              + "; each has its own schedulers, and the agent serves only the copy in its own jar");
    }
  }

  private static String describe(@Nullable ClassLoader loader) {
    String name = loader == null ? "boot" : loader.getName();
    return name == null ? String.valueOf(loader) : name;
  }
}
