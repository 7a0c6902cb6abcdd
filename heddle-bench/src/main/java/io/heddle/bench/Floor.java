package io.heddle.bench;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;

/**
 * Measures the lower bound of a switch between goroutines: the JVM's cost to unmount one
 * continuation and to mount another, without threads, queues or a scheduler. It is measured without
 * further frames and with some, because a real stack has some. Run by hand:
 *
 * <p>{@code java --add-opens java.base/jdk.internal.vm=ALL-UNNAMED -cp benchmarks.jar}
 * {@code io.heddle.bench.Floor}
 */
public final class Floor {
  private static final int SWITCHES = 1_000_000;
  private static final int ROUNDS = 15;
  private static final int[] DEPTHS = {0, 4, 10};

  private static final MethodHandle MAKE;
  private static final MethodHandle RUN;
  private static final MethodHandle YIELD;
  private static final Object SCOPE;

  static {
    try {
      Class<?> type = Class.forName("jdk.internal.vm.Continuation");
      Class<?> scope = Class.forName("jdk.internal.vm.ContinuationScope");
      MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
      MAKE =
          lookup
              .findConstructor(type, MethodType.methodType(void.class, scope, Runnable.class))
              .asType(MethodType.methodType(Object.class, Object.class, Runnable.class));
      RUN =
          lookup
              .findVirtual(type, "run", MethodType.methodType(void.class))
              .asType(MethodType.methodType(void.class, Object.class));
      YIELD =
          lookup
              .findStatic(type, "yield", MethodType.methodType(boolean.class, scope))
              .asType(MethodType.methodType(boolean.class, Object.class));
      SCOPE = scope.getConstructor(String.class).newInstance("floor");
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private Floor() {}

  public static void main(String[] args) throws Throwable {
    for (int depth : DEPTHS) {
      double[] nanos = new double[ROUNDS];
      for (int round = 0; round < ROUNDS; round++) {
        nanos[round] = nanosPerSwitch(depth);
      }
      double[] late = Arrays.copyOfRange(nanos, ROUNDS / 2, ROUNDS); // the first rounds warm up
      Arrays.sort(late);
      System.out.printf(
          "%2d frames: %.0f ns per switch [%.0f, %.0f]%n",
          depth, late[late.length / 2], late[0], late[late.length - 1]);
    }
  }

  /** Runs two continuations in turn, each of which yields at once. */
  private static double nanosPerSwitch(int depth) throws Throwable {
    Object a = MAKE.invokeExact(SCOPE, (Runnable) () -> yieldForEver(depth));
    Object b = MAKE.invokeExact(SCOPE, (Runnable) () -> yieldForEver(depth));
    long start = System.nanoTime();
    for (int i = 0; i < SWITCHES / 2; i++) {
      RUN.invokeExact(a);
      RUN.invokeExact(b);
    }
    return (double) (System.nanoTime() - start) / SWITCHES;
  }

  private static int yieldForEver(int depth) {
    if (depth > 0) {
      return 1 + yieldForEver(depth - 1);
    }
    try {
      while (true) {
        boolean _ = (boolean) YIELD.invokeExact(SCOPE);
      }
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
