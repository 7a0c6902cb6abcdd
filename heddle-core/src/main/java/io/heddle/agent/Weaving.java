package io.heddle.agent;

import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.jdk.YieldPoint;
import io.heddle.internal.sched.Preempt;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Has the classes that a program loads, or has loaded, woven: those that were asked for, never the JDK's or ours. */
final class Weaving implements ClassFileTransformer {
  /*
   * A class of the JDK's own is never woven: it may hold what its virtual threads need in order to yield.
   *
   * Whatever goes wrong with a class, it is loaded as it was, and its goroutines lose their P by force, as without. That is
   * said once per kind, with the name of the first: there may be thousands.
   */
  private static final String PROPERTY = "heddle.preempt";
  private static final String VARIABLE = "HEDDLE_PREEMPT";
  private static final String OURS = "io.heddle.";

  /** The agent may be asked for twice: on the command line, and in JAVA_TOOL_OPTIONS. */
  private static final AtomicBoolean BEGUN = new AtomicBoolean();

  private final Filter filter;
  private final Weaver weaver = new Weaver(YieldPoint.HOLDER, this::leftOut);
  private final Set<String> said = ConcurrentHashMap.newKeySet();

  private Weaving(Filter filter) {
    this.filter = filter;
  }

  /** What a system property or an environment variable asks for; null if none does. */
  static @Nullable Filter asked() {
    String text = System.getProperty(PROPERTY, System.getenv(VARIABLE));
    return text == null ? null : Options.preempt(text);
  }

  /**
   * From now on, and those that are loaded; the first time.
   *
   * @throws ReflectiveOperationException if this JDK is not as we know it
   */
  static void begin(Instrumentation instrumentation, Filter filter)
      throws ReflectiveOperationException {
    if (!BEGUN.compareAndSet(false, true)) {
      return;
    }
    VirtualThreads.ensureOpen(); // before anything of the scheduler is loaded
    YieldPoint.open(Preempt::yieldIfAsked);
    Weaving weaving = new Weaving(filter);
    instrumentation.addTransformer(weaving, instrumentation.isRetransformClassesSupported());
    weaving.weaveLoaded(instrumentation);
  }

  private void weaveLoaded(Instrumentation instrumentation) {
    if (!instrumentation.isRetransformClassesSupported()) {
      return;
    }
    Class<?>[] loaded =
        Arrays.stream(instrumentation.getAllLoadedClasses())
            .filter(type -> isWanted(type) && instrumentation.isModifiableClass(type))
            .toArray(Class<?>[]::new);
    if (loaded.length > 0 && !retransform(instrumentation, loaded)) {
      for (Class<?> type : loaded) {
        boolean _ = retransform(instrumentation, type); // all but the one that did not want to
      }
    }
  }

  private boolean retransform(Instrumentation instrumentation, Class<?>... types) {
    try {
      instrumentation.retransformClasses(types);
      return true;
    } catch (UnmodifiableClassException | RuntimeException | LinkageError | InternalError e) {
      if (types.length == 1) {
        say("loaded", "the class " + types[0].getName() + " is loaded and stays as it is: " + e);
      }
      return false;
    }
  }

  private boolean isWanted(Class<?> type) {
    return !type.isArray()
        && !type.isHidden()
        && isWanted(type.getClassLoader(), type.getName(), type.getProtectionDomain());
  }

  private boolean isWanted(
      @Nullable ClassLoader loader, String name, @Nullable ProtectionDomain domain) {
    return loader != null
        && loader != ClassLoader.getPlatformClassLoader()
        && filter.matches(name)
        && !isOurs(name, domain);
  }

  private static boolean isOurs(String name, @Nullable ProtectionDomain domain) {
    return domain == Weaving.class.getProtectionDomain()
        && name.startsWith(OURS)
        && (name.startsWith("internal.", OURS.length())
            || name.startsWith("agent.", OURS.length())
            || name.indexOf('.', OURS.length()) < 0);
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable Module module,
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> type,
      @Nullable ProtectionDomain domain,
      byte[] bytes) {
    if (name == null || !isWanted(loader, name.replace('/', '.'), domain)) {
      return null;
    }
    try {
      return weaver.weave(bytes);
    } catch (Throwable t) {
      say("error", "the class " + name.replace('/', '.') + " is loaded as it is: " + t);
      return null;
    }
  }

  private void leftOut(String method, String why) {
    say("method", "the method " + method + " stays as it is, since " + why);
  }

  private void say(String kind, String what) {
    if (said.add(kind)) {
      System.err.println("heddle: preempt: " + what + " (said once)");
    }
  }
}
