package io.heddle.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;

/**
 * Keeps an unmounted virtual thread from mounting while its stack is read, with the protocol of
 * {@code VirtualThread.tryGetStackTrace} in JDK 25. Must not be opened on any other release: the VM
 * of JDK 27 crashes when it meets the state that this class writes.
 */
record StackSuspension(
    VarHandle state, VarHandle parkPermit, VarHandle blockPermit, MethodHandle submit) {
  /*
   * Steps:
   *   1. begin: CAS the state word to the same state with SUSPENDED. A run of the continuation then
   *      does nothing.
   *   2. The stack is read.
   *   3. end: write the old state word back.
   *   4. end: read the permit. If the thread was unparked or unblocked since step 1, CAS its state
   *      to runnable and submit it.
   * No wake-up is lost. A waker writes the permit and then reads the word; step 3 writes the word
   * and step 4 reads the permit; all accesses are volatile. So at least one side sees the other's
   * write, and the CAS lets only one submit.
   *
   * Checked by: BlockedOnRacesTest.
   */

  static StackSuspension open() throws ReflectiveOperationException {
    Class<?> type = Class.forName("java.lang.VirtualThread");
    MethodHandles.Lookup inside = JdkLookup.in(type);
    return new StackSuspension(
        inside.findVarHandle(type, "state", int.class),
        inside.findVarHandle(type, "parkPermit", boolean.class),
        inside.findVarHandle(type, "blockPermit", boolean.class),
        inside
            .findVirtual(type, "submitRunContinuation", MethodType.methodType(void.class))
            .asType(MethodType.methodType(void.class, Thread.class)));
  }

  /**
   * Suspends {@code thread}. Returns false, without an effect, if {@code thread} is not in the
   * state {@code word}.
   */
  boolean begin(Thread thread, int word) {
    return state.compareAndSet(thread, word, word | StateWord.SUSPENDED);
  }

  /** Ends a suspension in the state {@code word}, which is {@code PARKED} or {@code BLOCKED}. */
  void end(Thread thread, int word) throws Throwable {
    state.setVolatile(thread, word);
    boolean parked = word == StateWord.PARKED;
    boolean woken = (boolean) (parked ? parkPermit : blockPermit).getVolatile(thread);
    int runnable = parked ? StateWord.UNPARKED : StateWord.UNBLOCKED;
    if (woken && state.compareAndSet(thread, word, runnable)) {
      submit.invokeExact(thread);
    }
  }
}
