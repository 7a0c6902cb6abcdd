package io.heddle.internal.jdk;

import io.heddle.internal.base.MasterSwitch;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * Finds and probes the method handles of {@link VirtualThreads}.
 *
 * <p>If {@link #failure} is not null, the handles are placeholders and must not be called.
 */
final class VirtualThreadHandles {
  /** Why this JVM cannot run goroutines, in one sentence for the user; null if it can. */
  @Nullable String failure;

  @SuppressWarnings("NullAway.Init") // null only after a failure, and then not used
  ForkJoinPool defaultPool;

  MethodHandle newThread = never();
  MethodHandle carrier = never();
  MethodHandle osYield = never();
  MethodHandle state = never();
  MethodHandle continuation = never();
  MethodHandle threadOf = never();
  Class<?> continuationType = Runnable.class;
  Class<?> type = Thread.class;
  MethodHandle getExecutor = never();

  /** The offset of the field {@code scheduler} in a virtual thread. */
  long executorOffset;

  /** Whether {@link #setState}, {@link #casState} and {@link #setContainer} were found. */
  boolean writesStates;

  MethodHandle setState = never();
  MethodHandle casState = never();
  MethodHandle setContainer = never();

  /** Used only by VirtualThreadTrial. */
  MethodHandle run = never();

  private VirtualThreadHandles() {}

  static VirtualThreadHandles find() {
    VirtualThreadHandles handles = new VirtualThreadHandles();
    if (MasterSwitch.isOff()) {
      handles.failure = MasterSwitch.missing("Heddle's scheduler");
      return handles;
    }
    MethodHandles.Lookup lookup;
    try {
      lookup = JdkLookup.inJavaLang();
    } catch (IllegalAccessException e) {
      handles.failure = notOpenMessage();
      return handles;
    }
    try {
      handles.findAll(lookup);
      handles.probe();
      // A subclass of the JDK's internals that does not fit must not fail later, in a scheduler.
      MethodHandles.lookup().ensureInitialized(Carrier.class);
      MethodHandles.lookup().ensureInitialized(DumpContainer.class);
      if (!JdkRelease.current().isKnown()) {
        new VirtualThreadTrial(handles).run();
      }
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      handles.failure =
          "Heddle does not know the virtual threads of this Java ("
              + Runtime.version()
              + "); it is made for JDK "
              + JdkRelease.known()
              + ": "
              + e;
    }
    return handles;
  }

  private void findAll(MethodHandles.Lookup lookup) throws ReflectiveOperationException {
    JdkLookup.export("jdk.internal.vm"); // for DumpContainer
    JdkLookup.export("jdk.internal.misc"); // for Carrier and Unsafe
    type = lookup.findClass("java.lang.VirtualThread");
    MethodHandles.Lookup inside = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
    findThreads(lookup);
    findState(inside);
    if (JdkRelease.current().has(JdkFeature.STATE_WRITES)) {
      try {
        findStateWrites(lookup, inside);
        writesStates = true;
      } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
        OffNotices.add(JdkFeature.STATE_WRITES, e);
      }
    }
    findContinuation(lookup, inside);
    findExecutor(inside);
    defaultPool =
        (ForkJoinPool)
            inside.findStaticVarHandle(type, "DEFAULT_SCHEDULER", ForkJoinPool.class).get();
  }

  private void findThreads(MethodHandles.Lookup lookup) throws ReflectiveOperationException {
    newThread =
        lookup.findStatic(
            lookup.findClass("java.lang.ThreadBuilders"),
            "newVirtualThread",
            MethodType.methodType(
                Thread.class, Executor.class, String.class, int.class, Runnable.class));
    carrier =
        lookup.findStatic(
            Thread.class, "currentCarrierThread", MethodType.methodType(Thread.class));
    osYield = lookup.findStatic(Thread.class, "yield0", MethodType.methodType(void.class));
  }

  private void findState(MethodHandles.Lookup inside) throws ReflectiveOperationException {
    state =
        inside
            .findVarHandle(type, "state", int.class)
            .toMethodHandle(VarHandle.AccessMode.GET_VOLATILE)
            .asType(MethodType.methodType(int.class, Thread.class));
    StateWord.verify(inside, type);
  }

  private void findStateWrites(MethodHandles.Lookup lookup, MethodHandles.Lookup inside)
      throws ReflectiveOperationException {
    setContainer =
        lookup
            .findVirtual(
                Thread.class,
                "setThreadContainer",
                MethodType.methodType(void.class, Class.forName("jdk.internal.vm.ThreadContainer")))
            .asType(MethodType.methodType(void.class, Thread.class, Object.class));
    VarHandle word = inside.findVarHandle(type, "state", int.class);
    setState =
        word.toMethodHandle(VarHandle.AccessMode.SET_RELEASE)
            .asType(MethodType.methodType(void.class, Thread.class, int.class));
    casState =
        word.toMethodHandle(VarHandle.AccessMode.COMPARE_AND_SET)
            .asType(MethodType.methodType(boolean.class, Thread.class, int.class, int.class));
  }

  private void findContinuation(MethodHandles.Lookup lookup, MethodHandles.Lookup inside)
      throws ReflectiveOperationException {
    continuation =
        inside
            .findGetter(type, "runContinuation", Runnable.class)
            .asType(MethodType.methodType(Runnable.class, Thread.class));
    run =
        inside
            .findVirtual(type, "runContinuation", MethodType.methodType(void.class))
            .asType(MethodType.methodType(void.class, Thread.class));
    Runnable sample = continuationOfSample(Runnable::run);
    continuationType = sample.getClass();
    threadOf =
        lookup
            .unreflectGetter(capturedThread(sample))
            .asType(MethodType.methodType(Thread.class, Runnable.class));
  }

  /**
   * Returns the only field of the lambda that a virtual thread submits to its executor. The field
   * holds that thread.
   */
  static Field capturedThread(Runnable continuation) {
    Field captured = continuation.getClass().getDeclaredFields()[0];
    captured.setAccessible(true);
    return captured;
  }

  /**
   * Finds the field that names the executor. It is final, and is written with {@code Unsafe}: since
   * JDK 26 the JDK warns of a final field that is written through reflection, or refuses it (JEP
   * 500).
   */
  private void findExecutor(MethodHandles.Lookup inside) throws ReflectiveOperationException {
    getExecutor =
        inside
            .findGetter(type, "scheduler", Executor.class)
            .asType(MethodType.methodType(Executor.class, Thread.class));
    executorOffset = Unsafe.getUnsafe().objectFieldOffset(type, "scheduler");
  }

  void setExecutor(Thread thread, Executor executor) {
    Unsafe.getUnsafe().putReference(type.cast(thread), executorOffset, executor);
  }

  private Runnable continuationOfSample(Executor executor) {
    try {
      Thread sample =
          (Thread) newThread.invokeExact(executor, (String) null, 0, (Runnable) () -> {});
      return (Runnable) continuation.invokeExact(sample);
    } catch (Throwable t) {
      throw VirtualThreads.rethrow(t);
    }
  }

  /**
   * Calls every handle that can be called on a thread that has not been started. An incompatible
   * JDK is thus refused before the first goroutine runs.
   */
  private void probe() {
    Executor first = Runnable::run;
    Executor second = Runnable::run;
    try {
      Runnable task = continuationOfSample(first);
      Thread thread = (Thread) threadOf.invokeExact(task);
      require((Runnable) continuation.invokeExact(thread) == task, "runContinuation");
      require((Executor) getExecutor.invokeExact(thread) == first, "scheduler");
      setExecutor(thread, second);
      require((Executor) getExecutor.invokeExact(thread) == second, "scheduler");
      require((int) state.invokeExact(thread) == StateWord.NEW, "state");
    } catch (Throwable t) {
      throw VirtualThreads.rethrow(t);
    }
  }

  private static void require(boolean holds, String field) {
    if (!holds) {
      throw new IllegalStateException("java.lang.VirtualThread." + field + " has another meaning");
    }
  }

  private static String notOpenMessage() {
    Module module = VirtualThreads.class.getModule();
    return "Heddle needs java.lang to be open: start Java with --add-opens java.base/java.lang="
        + (module.isNamed() ? module.getName() : "ALL-UNNAMED")
        + " or with -javaagent:heddle.jar";
  }

  private static MethodHandle never() {
    return MethodHandles.empty(MethodType.methodType(void.class));
  }
}
