package io.heddle.agent;

import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.jdk.YieldPoint;
import io.heddle.internal.sched.Preempt;
import io.heddle.internal.sched.SocketHooks;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Weaves the classes of the program that the agent's option {@code preempt} names: {@link Weaver}
 * adds checks to them, so that goroutines yield at the end of their time slice. Classes of the JDK
 * and of Heddle are never woven.
 */
final class Weaving implements ClassFileTransformer {
  /*
   * A class of the JDK is never woven, because its code may hold a lock that virtual threads need
   * in order to yield.
   *
   * If the weaving of a class fails, the class is loaded unchanged. A goroutine that computes in it
   * does not yield. As without weaving, it then loses its P (the right to run) by force. Each kind
   * of failure is reported once, with the name of the first class or method, because there may be
   * thousands of failures.
   */
  private static final String PROPERTY = "heddle.preempt";
  private static final String VARIABLE = "HEDDLE_PREEMPT";
  private static final String OURS = "io.heddle.";

  /**
   * Whether begin was called. Further calls do nothing. There is a second call if the agent starts
   * twice: from the command line and from JAVA_TOOL_OPTIONS.
   */
  private static final AtomicBoolean BEGUN = new AtomicBoolean();

  private final Filter filter;
  private final Weaver weaver = new Weaver(YieldPoint.HOLDER, this::leftOut);

  /** The kinds of failures that were reported. */
  private final Set<String> said = ConcurrentHashMap.newKeySet();

  private Weaving(Filter filter) {
    this.filter = filter;
  }

  /**
   * Returns the filter from the system property or the environment variable. Returns null if
   * neither is set, or if the text says that no class is woven.
   */
  static @Nullable Filter asked() {
    String text = System.getProperty(PROPERTY, System.getenv(VARIABLE));
    return text == null ? null : Options.preempt(text);
  }

  /**
   * Weaves the classes that {@code filter} matches: those loaded already, and all that are loaded
   * from now on. Only the first call has an effect.
   *
   * @throws ReflectiveOperationException if Heddle does not know the internals of this JDK
   */
  static void begin(Instrumentation instrumentation, Filter filter)
      throws ReflectiveOperationException {
    if (!BEGUN.compareAndSet(false, true)) {
      return;
    }
    VirtualThreads.ensureOpen(); // before a class of the scheduler is loaded
    YieldPoint.open(Preempt::yieldIfAsked);
    if (SocketHooks.areKnown()) {
      SocketHooks.prepare(); // so that sysmon knows which threads wait for a CPU
    }
    Weaving weaving = new Weaving(filter);
    instrumentation.addTransformer(weaving, instrumentation.isRetransformClassesSupported());
    weaving.weaveLoaded(instrumentation);
  }

  /** Weaves the classes that are loaded already, if this JVM can change loaded classes. */
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
        boolean _ = retransform(instrumentation, type); // now a failure affects only that class
      }
    }
  }

  /**
   * Lets the JVM transform the loaded classes {@code types} again. Returns false if that failed;
   * then all of them stay unchanged.
   */
  private boolean retransform(Instrumentation instrumentation, Class<?>... types) {
    try {
      instrumentation.retransformClasses(types);
      return true;
    } catch (UnmodifiableClassException | RuntimeException | LinkageError | InternalError e) {
      if (types.length == 1) {
        say("loaded", "the loaded class " + types[0].getName() + " stays unchanged: " + e);
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

  /**
   * Whether a class is Heddle's own: its {@code domain}, which may be null, is that of Heddle's
   * jar, and the class is in package {@code io.heddle} or one of its packages {@code internal} and
   * {@code agent}.
   */
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
      say("error", "the class " + name.replace('/', '.') + " is loaded unchanged: " + t);
      return null;
    }
  }

  private void leftOut(String method, String why) {
    say("method", "the method " + method + " stays unchanged, because " + why);
  }

  private void say(String kind, String what) {
    if (said.add(kind)) {
      System.err.println("heddle: preempt: " + what + " (reported once)");
    }
  }
}
