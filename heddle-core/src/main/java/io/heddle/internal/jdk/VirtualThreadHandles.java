package io.heddle.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
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
  MethodHandle getExecutor = never();
  MethodHandle setExecutor = never();
  MethodHandle setState = never();
  MethodHandle casState = never();
  MethodHandle setContainer = never();
  MethodHandle run = never();

  private VirtualThreadHandles() {}

  static VirtualThreadHandles find() {
    VirtualThreadHandles handles = new VirtualThreadHandles();
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
    } catch (ReflectiveOperationException | RuntimeException e) {
      handles.failure =
          "Heddle does not know the virtual threads of this Java ("
              + Runtime.version()
              + "); it is made for JDK 25: "
              + e;
    }
    return handles;
  }

  private void findAll(MethodHandles.Lookup lookup) throws ReflectiveOperationException {
    Class<?> type = lookup.findClass("java.lang.VirtualThread");
    MethodHandles.Lookup inside = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
    findThreads(lookup);
    findState(inside, type);
    findContinuation(lookup, inside, type);
    findExecutor(lookup, type);
    defaultPool =
        (ForkJoinPool)
            inside.findStaticVarHandle(type, "DEFAULT_SCHEDULER", ForkJoinPool.class).get();
    JdkLookup.export("jdk.internal.vm"); // for DumpContainer
    JdkLookup.export("jdk.internal.misc"); // for Carrier
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
    setContainer =
        lookup
            .findVirtual(
                Thread.class,
                "setThreadContainer",
                MethodType.methodType(void.class, Class.forName("jdk.internal.vm.ThreadContainer")))
            .asType(MethodType.methodType(void.class, Thread.class, Object.class));
  }

  private void findState(MethodHandles.Lookup inside, Class<?> type)
      throws ReflectiveOperationException {
    VarHandle word = inside.findVarHandle(type, "state", int.class);
    state =
        word.toMethodHandle(VarHandle.AccessMode.GET_VOLATILE)
            .asType(MethodType.methodType(int.class, Thread.class));
    setState =
        word.toMethodHandle(VarHandle.AccessMode.SET_RELEASE)
            .asType(MethodType.methodType(void.class, Thread.class, int.class));
    casState =
        word.toMethodHandle(VarHandle.AccessMode.COMPARE_AND_SET)
            .asType(MethodType.methodType(boolean.class, Thread.class, int.class, int.class));
    StateWord.verify(inside, type);
  }

  private void findContinuation(
      MethodHandles.Lookup lookup, MethodHandles.Lookup inside, Class<?> type)
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

  private void findExecutor(MethodHandles.Lookup lookup, Class<?> type)
      throws ReflectiveOperationException {
    Field executor = type.getDeclaredField("scheduler");
    executor.setAccessible(true); // so that the setter may write this final field
    getExecutor =
        lookup
            .unreflectGetter(executor)
            .asType(MethodType.methodType(Executor.class, Thread.class));
    setExecutor =
        lookup
            .unreflectSetter(executor)
            .asType(MethodType.methodType(void.class, Thread.class, Executor.class));
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
   * JDK is refused here, and not after the first goroutines have run.
   */
  private void probe() {
    Executor first = Runnable::run;
    Executor second = Runnable::run;
    try {
      Runnable task = continuationOfSample(first);
      Thread thread = (Thread) threadOf.invokeExact(task);
      require((Runnable) continuation.invokeExact(thread) == task, "runContinuation");
      require((Executor) getExecutor.invokeExact(thread) == first, "scheduler");
      setExecutor.invokeExact(thread, second);
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
