package io.heddle.bench.channels;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/**
 * The body of a JDK virtual thread. It is the {@link Runnable} itself, so that a thread costs no
 * second object.
 */
@FunctionalInterface
@SuppressWarnings("FunctionalInterfaceMethodChanged") // Runnable, with exceptions
interface ThreadBody extends Runnable {
  void body() throws Exception;

  @Override
  default void run() {
    try {
      body();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  static Thread start(ThreadBody body) {
    return Thread.startVirtualThread(body);
  }

  static <T> FutureTask<T> async(Callable<T> call) {
    FutureTask<T> task = new FutureTask<>(call);
    Thread.startVirtualThread(task);
    return task;
  }
}
