package io.heddle.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The carriers of the JDK's own scheduler: which threads they are, which virtual thread each
 * carrier runs, and which virtual threads wait in the queues. This class only reads, and changes
 * nothing.
 *
 * <p>Needs {@code java.lang} to be open to Heddle. Everything is read without synchronization while
 * the scheduler works, so an answer may be outdated or incomplete.
 */
public final class JdkCarriers {
  /*
   * From a carrier to its virtual thread: Thread.cont is the continuation that runs on the carrier;
   * Continuation.target is what it runs, an object that captures the virtual thread.
   *
   * From a queue to a virtual thread: a slot of the queue holds a ForkJoinTask. Its field runnable
   * is what the virtual thread has submitted, an object that also captures the thread.
   *
   * Checked by: WatchTest.
   */
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(ForkJoinTask[].class);

  private final ForkJoinPool pool;
  private final MethodHandle queuesOf;
  private final MethodHandle ownerOf;
  private final MethodHandle arrayOf;
  private final MethodHandle continuationOf;
  private final MethodHandle targetOf;

  /**
   * The readers of captured fields: of a target, of a queued task, and of a queued continuation.
   */
  private final CapturedField threadOfTarget = new CapturedField(Thread.class);

  private final CapturedField runnableOfTask = new CapturedField(Runnable.class);
  private final CapturedField threadOfContinuation = new CapturedField(Thread.class);

  private JdkCarriers() throws ReflectiveOperationException {
    Class<?> virtual = Class.forName("java.lang.VirtualThread");
    Class<?> continuation = Class.forName("jdk.internal.vm.Continuation");
    Class<?> queue = Class.forName(ForkJoinPool.class.getName() + "$WorkQueue");
    MethodHandles.Lookup inThread = JdkLookup.inJavaLang();
    MethodHandles.Lookup inPool = JdkLookup.in(ForkJoinPool.class);
    pool =
        (ForkJoinPool)
            MethodHandles.privateLookupIn(virtual, MethodHandles.lookup())
                .findStaticVarHandle(virtual, "DEFAULT_SCHEDULER", ForkJoinPool.class)
                .get();
    queuesOf = getter(inPool, ForkJoinPool.class, "queues", queue.arrayType(), Object[].class);
    ownerOf = getter(inPool, queue, "owner", ForkJoinWorkerThread.class, Thread.class);
    arrayOf = getter(inPool, queue, "array", ForkJoinTask[].class, ForkJoinTask[].class);
    continuationOf = getter(inThread, Thread.class, "cont", continuation, Object.class);
    targetOf =
        getter(JdkLookup.in(continuation), continuation, "target", Runnable.class, Object.class);
  }

  /**
   * Finds the JDK's fields that the other methods read.
   *
   * @throws ReflectiveOperationException if this JDK has other internals
   */
  public static JdkCarriers open() throws ReflectiveOperationException {
    return new JdkCarriers();
  }

  private static MethodHandle getter(
      MethodHandles.Lookup lookup, Class<?> of, String name, Class<?> type, Class<?> as)
      throws ReflectiveOperationException {
    Field field = of.getDeclaredField(name);
    if (field.getType() != type) {
      throw new NoSuchFieldException(field + " has another type");
    }
    field.setAccessible(true);
    return lookup.unreflectGetter(field).asType(MethodType.methodType(as, Object.class));
  }

  /** Returns the carriers. */
  public List<Thread> carriers() {
    List<Thread> carriers = new ArrayList<>();
    for (Object queue : queues()) {
      Thread owner = queue == null ? null : (Thread) get(ownerOf, queue);
      if (owner != null) {
        carriers.add(owner);
      }
    }
    return carriers;
  }

  /** Returns how many carriers may run at once, without those that the JDK adds for a time. */
  public int parallelism() {
    return pool.getParallelism();
  }

  /** Returns the virtual thread that {@code carrier} runs; null if it runs none. */
  public @Nullable Thread mountedOn(Thread carrier) {
    Object continuation = get(continuationOf, carrier);
    Object target = continuation == null ? null : get(targetOf, continuation);
    return target == null ? null : (Thread) threadOfTarget.of(target);
  }

  /** Returns about how many virtual threads wait for a carrier. */
  public long queued() {
    return pool.getQueuedTaskCount() + pool.getQueuedSubmissionCount();
  }

  /** Passes to {@code action} virtual threads that wait for a carrier, at most {@code most}. */
  public void forEachQueued(int most, Consumer<Thread> action) {
    int left = most;
    for (Object queue : queues()) {
      Object[] array = queue == null ? null : (Object[]) get(arrayOf, queue);
      for (int i = 0; array != null && i < array.length && left > 0; i++) {
        Object task = SLOT.getAcquire(array, i);
        Object continuation = task == null ? null : runnableOfTask.of(task);
        Object thread = continuation == null ? null : threadOfContinuation.of(continuation);
        if (thread != null) {
          left--;
          action.accept((Thread) thread);
        }
      }
    }
  }

  /** Whether {@code frame} belongs to a module of the JDK. */
  public static boolean isOfTheJdk(StackTraceElement frame) {
    String module = frame.getModuleName();
    return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
  }

  private @Nullable Object[] queues() {
    Object queues = get(queuesOf, pool);
    return queues == null ? new Object[0] : (Object[]) queues;
  }

  private static @Nullable Object get(MethodHandle getter, Object of) {
    try {
      return getter.invoke(of);
    } catch (Throwable t) {
      throw VirtualThreads.rethrow(t);
    }
  }

  /**
   * Reads the first field of a given type in an object. Remembers the field of the last class,
   * because the next object usually has the same class.
   */
  private static final class CapturedField {
    private final Class<?> type;
    private @Nullable Class<?> of;
    private @Nullable Field field;

    CapturedField(Class<?> type) {
      this.type = type;
    }

    @Nullable Object of(Object object) {
      try {
        if (object.getClass() != of) {
          of = object.getClass();
          field = find(object.getClass());
        }
        Field found = field;
        return found == null ? null : found.get(object);
      } catch (ReflectiveOperationException | RuntimeException e) {
        return null; // an object without such a field
      }
    }

    private @Nullable Field find(Class<?> in) {
      for (Field each : in.getDeclaredFields()) {
        if (type.isAssignableFrom(each.getType())) {
          each.setAccessible(true);
          return each;
        }
      }
      return null;
    }
  }
}
