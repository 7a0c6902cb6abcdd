package io.heddle.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Runs a virtual thread step by step: it starts, yields, parks and ends. The trial uses the handles
 * and states that goroutines need, and the subclasses of internals of the JDK. Heddle refuses an
 * unknown JDK on which this fails.
 */
final class VirtualThreadTrial {
  /*
   * The trial runs on a thread of its own, with a time limit, because an unknown JDK may block
   * anywhere. That thread must not use VirtualThreads: the initializer of VirtualThreads waits for
   * the trial. The thread is a Carrier, so that the superclass of an M is tried too. The trial does
   * not call Carrier.getPool, because that method uses VirtualThreads.
   */
  private final VirtualThreadHandles handles;
  private final MethodHandle run;
  private final Queue<Runnable> submitted = new ConcurrentLinkedQueue<>();

  VirtualThreadTrial(VirtualThreadHandles handles) throws ReflectiveOperationException {
    this.handles = handles;
    this.run =
        JdkLookup.in(handles.type)
            .findVirtual(handles.type, "runContinuation", MethodType.methodType(void.class));
  }

  /**
   * Runs the trial.
   *
   * @throws IllegalStateException if the trial fails or does not end in time
   */
  void run() {
    TrialThread.run(TrialThread.LIMIT, new TrialCarrier());
    tryContainer();
  }

  /** Makes the container that thread dumps show, and removes it. */
  private static void tryContainer() {
    DumpContainer container = new DumpContainer("heddle-trial", Stream::empty);
    try {
      require(container.name().equals("heddle-trial"), "get a container");
      require(container.threads().findAny().isEmpty(), "get a container of its own");
    } finally {
      container.deregister();
    }
  }

  /** A carrier like that of a goroutine. */
  private final class TrialCarrier extends Carrier {
    TrialCarrier() {
      super("heddle-trial");
    }

    @Override
    public void run() {
      carry();
    }

    @Override
    public boolean beginBlocking() {
      return false;
    }

    @Override
    public void endBlocking() {}
  }

  private void carry() {
    try {
      Thread thread =
          (Thread)
              handles.newThread.invokeExact(
                  (Executor) submitted::add,
                  "heddle-trial",
                  0,
                  (Runnable) VirtualThreadTrial::yieldAndPark);
      thread.start();
      step(thread, StateWord.STARTED, StateWord.YIELDED);
      step(thread, StateWord.YIELDED, StateWord.PARKED);
      LockSupport.unpark(thread);
      step(thread, StateWord.UNPARKED, StateWord.TERMINATED);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable t) {
      throw new IllegalStateException(t);
    }
  }

  private static void yieldAndPark() {
    Thread.yield();
    LockSupport.park();
  }

  /**
   * Runs {@code thread} once. Checks that it was submitted once, is in the state {@code from}
   * before the run, and in the state {@code to} after it.
   */
  private void step(Thread thread, int from, int to) throws Throwable {
    Runnable continuation = handles.continuation(thread);
    require(submitted.poll() == continuation && submitted.isEmpty(), "be submitted once");
    require(handles.state(thread) == from, "reach the state " + from);
    run.invoke(thread);
    require(handles.state(thread) == to, "reach the state " + to);
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException("a virtual thread did not " + what);
    }
  }
}
