package io.heddle.internal.jdk;

import io.heddle.internal.base.MasterSwitch;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.ThreadContainer;
import org.jspecify.annotations.Nullable;

/**
 * Finds and probes the method handles and field offsets of {@link VirtualThreads}.
 *
 * <p>If {@link #failure} is not null, they are not valid and must not be used.
 */
@SuppressWarnings("NullAway.Init") // a handle is null only after a failure, and then not used
final class VirtualThreadHandles {
  /*
   * Methods are called through method handles, fields are accessed through Unsafe. A method handle
   * for a field would do the same work, but to link it takes about a millisecond at each start.
   */

  /** Why this JVM cannot run goroutines, in one sentence for the user; null if it can. */
  @Nullable String failure;

  ForkJoinPool defaultPool;
  MethodHandle newThread;
  MethodHandle carrier;
  MethodHandle osYield;
  Class<?> type = Thread.class;

  // The offsets of fields of a virtual thread.
  long stateOffset;
  long continuationOffset;
  long executorOffset;

  /** The class of the tasks that virtual threads submit to their executors. */
  Class<?> continuationType = Runnable.class;

  /** The offset of the field of such a task that holds the thread. */
  long threadOffset;

  /** Whether states may be written, and {@link #setContainer} was found. */
  boolean writesStates;

  MethodHandle setContainer;

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
    findThreads(lookup);
    stateOffset = offset("state", int.class);
    StateWord.verify(type);
    if (JdkRelease.current().has(JdkFeature.STATE_WRITES)) {
      try {
        setContainer =
            lookup.findVirtual(
                Thread.class,
                "setThreadContainer",
                MethodType.methodType(void.class, ThreadContainer.class));
        writesStates = true;
      } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
        OffNotices.add(JdkFeature.STATE_WRITES, e);
      }
    }
    continuationOffset = offset("runContinuation", Runnable.class);
    executorOffset = offset("scheduler", Executor.class);
    Runnable sample = continuationOfSample(new Sample());
    continuationType = sample.getClass();
    threadOffset = threadOffset(sample);
    Unsafe unsafe = Unsafe.getUnsafe();
    Field pool = field("DEFAULT_SCHEDULER", ForkJoinPool.class);
    unsafe.ensureClassInitialized(type);
    defaultPool =
        (ForkJoinPool)
            unsafe.getReference(unsafe.staticFieldBase(pool), unsafe.staticFieldOffset(pool));
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

  /** Returns the offset of an instance field of a virtual thread. */
  private long offset(String name, Class<?> fieldType) throws NoSuchFieldException {
    return Unsafe.getUnsafe().objectFieldOffset(field(name, fieldType));
  }

  private Field field(String name, Class<?> fieldType) throws NoSuchFieldException {
    Field field = type.getDeclaredField(name);
    if (field.getType() != fieldType) {
      throw new NoSuchFieldException(name + " has the type " + field.getType());
    }
    return field;
  }

  /**
   * Returns the offset of the only field of the lambda that a virtual thread submits to its
   * executor. The field holds that thread.
   */
  static long threadOffset(Runnable continuation) {
    Field captured = continuation.getClass().getDeclaredFields()[0];
    if (!Thread.class.isAssignableFrom(captured.getType())) {
      throw new IllegalStateException("the task of a virtual thread has " + captured);
    }
    return Unsafe.getUnsafe().objectFieldOffset(captured);
  }

  /**
   * Writes the field that names the executor. It is final, and is written with {@code Unsafe}:
   * since JDK 26 the JDK warns of a final field that is written through reflection, or refuses it
   * (JEP 500).
   */
  private void setExecutor(Thread thread, Executor executor) {
    Unsafe.getUnsafe().putReference(type.cast(thread), executorOffset, executor);
  }

  Runnable continuation(Thread thread) {
    return (Runnable) Unsafe.getUnsafe().getReference(type.cast(thread), continuationOffset);
  }

  int state(Thread thread) {
    return Unsafe.getUnsafe().getIntVolatile(type.cast(thread), stateOffset);
  }

  /** The executor and the task of a thread that is never started. */
  private static final class Sample implements Executor, Runnable {
    @Override
    public void execute(Runnable task) {}

    @Override
    public void run() {}
  }

  private Runnable continuationOfSample(Sample sample) {
    try {
      return continuation(
          (Thread) newThread.invokeExact((Executor) sample, (String) null, 0, (Runnable) sample));
    } catch (Throwable t) {
      throw VirtualThreads.rethrow(t);
    }
  }

  /**
   * Reads every field of a thread that has not been started, and writes its executor. An
   * incompatible JDK is thus refused before the first goroutine runs.
   */
  private void probe() {
    Unsafe unsafe = Unsafe.getUnsafe();
    Sample first = new Sample();
    Sample second = new Sample();
    Runnable task = continuationOfSample(first);
    Thread thread = (Thread) unsafe.getReference(task, threadOffset);
    require(continuation(thread) == task, "runContinuation");
    require(unsafe.getReference(thread, executorOffset) == first, "scheduler");
    setExecutor(thread, second);
    require(unsafe.getReference(thread, executorOffset) == second, "scheduler");
    require(state(thread) == StateWord.NEW, "state");
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
}
