package child;

import io.heddle.internal.jdk.Mounter;
import io.heddle.internal.jdk.VirtualThreads;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import jdk.internal.vm.Continuation;

/**
 * Runs virtual threads on the main thread, and looks after each unmount whether its writes were
 * done. Prints the name of the mounter, and three counts of writes that were missing: the carrier
 * still referred to the continuation, the continuation did not keep its cache of scoped values, and
 * a continuation that had ended still referred to its stack.
 */
public final class UnmountWrites {
  private static final int THREADS = 15_000;
  private static final ScopedValue<Integer> VALUE = ScopedValue.newInstance();

  private UnmountWrites() {}

  public static void main(String[] args) throws Exception {
    VirtualThreads.ensureOpen(); // continuations, too
    Mounter mounter = Mounter.current();
    MethodHandles.Lookup caller = MethodHandles.lookup();
    MethodHandles.Lookup inThread = MethodHandles.privateLookupIn(Thread.class, caller);
    Class<?> virtual = Class.forName("java.lang.VirtualThread");
    MethodHandles.Lookup inVirtual = MethodHandles.privateLookupIn(virtual, caller);
    MethodHandles.Lookup inContinuation = MethodHandles.privateLookupIn(Continuation.class, caller);
    VarHandle current = inThread.findVarHandle(Thread.class, "cont", Continuation.class);
    VarHandle own = inVirtual.findVarHandle(virtual, "cont", Continuation.class);
    VarHandle stack =
        inContinuation.findVarHandle(
            Continuation.class, "tail", Class.forName("jdk.internal.vm.StackChunk"));
    VarHandle cache =
        inContinuation.findVarHandle(Continuation.class, "scopedValueCache", Object[].class);
    Thread carrier = Thread.currentThread();
    int references = 0;
    int caches = 0;
    int stacks = 0;
    for (int i = 0; i < THREADS; i++) {
      Thread thread = VirtualThreads.newThread(_ -> {}, null, () -> useValueAndYield(mounter));
      Object continuation = own.get(thread);
      thread.start();
      mounter.run(thread, _ -> null);
      references += current.get(carrier) != null ? 1 : 0;
      caches += cache.get(continuation) == null ? 1 : 0;
      mounter.run(thread, _ -> null);
      references += current.get(carrier) != null ? 1 : 0;
      stacks += stack.get(continuation) != null ? 1 : 0;
    }
    System.out.println(mounter.name() + " " + references + " " + caches + " " + stacks);
  }

  private static void useValueAndYield(Mounter mounter) {
    ScopedValue.where(VALUE, 1)
        .run(
            () -> {
              VALUE.get(); // fills the cache
              mounter.yieldNow();
            });
  }
}
