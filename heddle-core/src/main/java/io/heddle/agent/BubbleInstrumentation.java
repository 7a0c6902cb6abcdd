package io.heddle.agent;

import io.heddle.internal.explore.ExploredClasses;
import io.heddle.internal.explore.ExploringDriver;
import io.heddle.internal.jdk.ClassChanges;
import io.heddle.internal.jdk.ClockPatch;
import io.heddle.internal.jdk.JdkFeature;
import io.heddle.internal.jdk.JdkRelease;
import io.heddle.internal.jdk.OffNotices;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.jdk.YieldPoint;
import io.heddle.internal.sched.Preempt;
import io.heddle.internal.sched.SchedClock;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Instruments classes for tests in a {@code Bubble}: a closed world in which a seed decides the
 * order of the goroutines, and time jumps. The JDK's timed waits then read the bubble's clock. The
 * classes that a test names get a scheduling point before each step, such as a call or a field
 * access. At a scheduling point another goroutine may continue.
 */
final class BubbleInstrumentation implements ClassFileTransformer {
  /*
   * The agent always offers this instrumentation to the classes of bubbles. But no class is changed
   * before the first bubble requests it, so a program in production is not affected.
   *
   * A class into which no scheduling points can be woven stays unchanged. Goroutines that run its
   * code then have fewer scheduling points.
   */
  private static final ClassFile FILE =
      ClassFile.of(
          ClassFile.StackMapsOption.DROP_STACK_MAPS, // because StepRewriter writes them itself
          ClassFile.DeadCodeOption.KEEP_DEAD_CODE);

  private final Instrumentation instrumentation;

  /**
   * The patterns of class names that tests have passed to {@link #explore}. The patterns of a call
   * that failed are removed, so that a later call tries them again.
   */
  private final Set<String> asked = ConcurrentHashMap.newKeySet();

  /** A class of the program is instrumented if one of these filters matches its name. */
  private final List<Filter> filters = new CopyOnWriteArrayList<>();

  /** The keys of the messages that were printed; each is printed once. */
  private final Set<String> said = ConcurrentHashMap.newKeySet();

  private BubbleInstrumentation(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** Registers the instrumentation with the classes of bubbles, which call it when they need it. */
  static void offer(Instrumentation instrumentation) {
    if (!JdkRelease.current().isKnown()) {
      return; // there are no bubbles on a JDK that Heddle does not know
    }
    BubbleInstrumentation exploring = new BubbleInstrumentation(instrumentation);
    ExploringDriver.onFirstUse(exploring::fakeTime);
    ExploredClasses.registerAgent(exploring::explore);
  }

  /**
   * Lets the JDK's timed waits, and {@code java.time}, read the bubble's clock if the calling
   * thread is in a bubble. If that fails, prints a message.
   */
  private void fakeTime() {
    try {
      ClockPatch.open(
          ClassChanges.byAgent(instrumentation),
          SchedClock::nanoTime,
          () -> {
            ExploringDriver driver = ExploringDriver.ofCaller();
            return driver == null ? System.currentTimeMillis() : driver.instant().toEpochMilli();
          },
          () -> {
            ExploringDriver driver = ExploringDriver.ofCaller();
            return driver == null ? null : driver.instant();
          });
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      OffNotices.publish(JdkFeature.CLOCK, e);
      System.err.println(JdkFeature.CLOCK.offBecause(e));
    }
  }

  /**
   * Weaves scheduling points into the classes that match {@code names}: those loaded already, and
   * all that are loaded from now on. Returns false if this JVM cannot do it.
   */
  private synchronized boolean explore(String... names) {
    ExploringDriver.prepare(); // replaces the clock before a woven class reads it
    String[] added = Stream.of(names).filter(asked::add).toArray(String[]::new);
    if (added.length == 0) {
      return true;
    }
    try {
      VirtualThreads.ensureOpen();
      YieldPoint.open(Preempt::yieldIfAsked);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      asked.removeAll(List.of(added));
      say("weave", "no class can be explored: " + e);
      return false;
    }
    if (filters.isEmpty()) {
      instrumentation.addTransformer(this, true);
    }
    filters.add(new Filter(List.of(added)));
    weaveLoaded();
    return true;
  }

  /** Weaves the classes that the filters match and that are loaded already. */
  private void weaveLoaded() {
    Class<?>[] loaded =
        Arrays.stream(instrumentation.getAllLoadedClasses())
            .filter(type -> !type.isArray() && !type.isHidden())
            .filter(type -> isWanted(type.getClassLoader(), type.getName()))
            .filter(instrumentation::isModifiableClass)
            .toArray(Class<?>[]::new);
    for (Class<?> type : loaded) {
      try {
        instrumentation.retransformClasses(type);
      } catch (UnmodifiableClassException | RuntimeException | LinkageError e) {
        say(type.getName(), "the class " + type.getName() + " is not explored: " + e);
      }
    }
  }

  private boolean isWanted(@Nullable ClassLoader loader, String name) {
    return loader != null
        && loader != ClassLoader.getPlatformClassLoader()
        && filters.stream().anyMatch(filter -> filter.matches(name));
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable Module module,
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> type,
      @Nullable ProtectionDomain domain,
      byte[] bytes) {
    if (name == null
        || domain == BubbleInstrumentation.class.getProtectionDomain()
        || !isWanted(loader, name.replace('/', '.'))) {
      return null;
    }
    try {
      ClassModel model = FILE.parse(bytes);
      return FILE.transformClass(model, weave(model));
    } catch (Throwable t) {
      say(name, "the class " + name.replace('/', '.') + " is not explored: " + t);
      return null;
    }
  }

  /**
   * Returns the class transform that inserts the scheduling points. It skips static initializers,
   * because a goroutine cannot yield in a static initializer.
   */
  private static ClassTransform weave(ClassModel model) {
    return (out, element) -> {
      if (element instanceof MethodModel method
          && !method.methodName().equalsString("<clinit>")
          && method.code().orElse(null) instanceof CodeAttribute code) {
        out.transformMethod(
            method, MethodTransform.transformingCode(new StepRewriter(model, code)));
      } else {
        out.with(element);
      }
    };
  }

  /** Prints a message, unless one with the same key was printed before. */
  private void say(String key, String what) {
    if (said.add(key)) {
      System.err.println("heddle: " + what);
    }
  }
}
