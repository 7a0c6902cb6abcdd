package io.heddle;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** The implementations of {@link Carry} that {@link ServiceLoader} finds. */
final class LoadedCarries {
  /** No carries: for a scheduler that carries nothing, and if the search finds none. */
  static final Carry[] NONE = {};

  /** A search with one class loader ends after this number of providers that failed to load. */
  private static final int MAX_ERRORS = 16;

  // Guarded by the class.
  private static Carry @Nullable [] loaded;
  private static boolean loading;

  private LoadedCarries() {}

  /**
   * Returns the carries. They are loaded once for the process. The context class loader of the
   * first caller is tried first, because in an application server or an executable jar this
   * library's own loader may not find the providers. The own loader is tried if that one finds
   * none. Returns null if the caller is a provider that is just being loaded.
   */
  static synchronized Carry @Nullable [] get() {
    if (loaded == null && !loading) {
      loading = true;
      try {
        loaded = load();
      } finally {
        loading = false;
      }
    }
    return loaded;
  }

  private static Carry[] load() {
    ClassLoader own = Carry.class.getClassLoader();
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    List<Carry> found = load(context);
    if (found.isEmpty() && context != own) {
      found = load(own);
    }
    return found.isEmpty() ? NONE : found.toArray(Carry[]::new);
  }

  private static List<Carry> load(@Nullable ClassLoader loader) {
    List<Carry> found = new ArrayList<>();
    Iterator<Carry> providers = ServiceLoader.load(Carry.class, loader).iterator();
    for (int errors = 0; errors < MAX_ERRORS; ) {
      try {
        if (!providers.hasNext()) {
          break;
        }
        found.add(providers.next());
      } catch (ServiceConfigurationError | LinkageError e) {
        errors++;
        System.getLogger("io.heddle")
            .log(Level.ERROR, "an implementation of io.heddle.Carry cannot be loaded", e);
      }
    }
    return found;
  }
}
