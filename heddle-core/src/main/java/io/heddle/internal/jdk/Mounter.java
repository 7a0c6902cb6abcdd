package io.heddle.internal.jdk;

import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.security.ProtectionDomain;
import java.util.function.UnaryOperator;
import jdk.internal.vm.Continuation;
import org.jspecify.annotations.Nullable;

/**
 * Runs virtual threads on the calling platform thread, and lets them step off: by a way of our own, which is shorter than
 * the JDK's, where that is known; else by the JDK's.
 *
 * <p>Nothing here may be called unless {@link VirtualThreads#isOpen}.
 */
public final class Mounter {
  /*
   * The way of our own is java.lang.HeddleMount, which is compiled into META-INF/boot and defined here as a hidden class
   * of java.base. It knows JDK 25 line by line: with any other, if a field or a method is missing, or the trial of it fails,
   * it is not used.
   */
  private static final int KNOWN_JDK = 25;

  private static final String PROPERTY = "heddle.mount";
  private static final String VARIABLE = "HEDDLE_MOUNT";
  private static final String NAME = "java/lang/HeddleMount";

  private static final Ways WAYS = Ways.find();
  private static final boolean OWN = WAYS.own;
  private static final MethodHandle RUN = WAYS.run;
  private static final MethodHandle PARK = WAYS.park;
  private static final MethodHandle YIELD = WAYS.yield;
  private static final MethodHandle SET_CONTINUATION = WAYS.setContinuation;

  private Mounter() {}

  /** Whether the way is our own. */
  public static boolean isOwn() {
    return OWN;
  }

  /** Fails if a way is asked for that there is not. */
  static void ensureChosen() {
    if (WAYS.failure != null) {
      throw new IllegalArgumentException(WAYS.failure);
    }
  }

  /**
   * Runs {@code first}, if it can go on, until it steps off; then what {@code next} makes of it, and so on until that is
   * null. On a platform thread. Behind a run a thread that can go on may have been given to its executor, or not: that
   * is for {@code next} to look at.
   */
  public static void run(Thread first, UnaryOperator<@Nullable Thread> next) {
    try {
      if (OWN) {
        RUN.invokeExact(first, next);
      } else {
        for (Thread thread = first; thread != null; thread = next.apply(thread)) {
          RUN.invokeExact(thread);
        }
      }
    } catch (Throwable t) {
      throw VirtualThreads.rethrow(t);
    }
  }

  /**
   * As {@link java.util.concurrent.locks.LockSupport#park} for the current thread, which is virtual, but it takes no
   * permit. False, and nothing has happened, if there is one, if the thread is interrupted, cannot step off its carrier,
   * or there is only the JDK's way.
   */
  public static boolean park(Thread self) {
    if (!OWN) {
      return false;
    }
    try {
      return (boolean) PARK.invokeExact(self);
    } catch (OutOfMemoryError e) {
      return false; // no room for its stack
    } catch (Throwable t) {
      throw VirtualThreads.rethrow(t);
    }
  }

  /** For a platform thread that runs nobody: it keeps none of those from the collector that it has run. */
  public static void clearContinuation(Thread carrier) {
    if (OWN) {
      try {
        SET_CONTINUATION.invokeExact(carrier, (Object) null);
      } catch (Throwable t) {
        throw VirtualThreads.rethrow(t);
      }
    }
  }

  /** As {@link Thread#yield}. */
  public static void yieldNow() {
    Thread self = Thread.currentThread();
    if (!OWN || !self.isVirtual()) {
      Thread.yield();
      return;
    }
    try {
      boolean _ = (boolean) YIELD.invokeExact(self);
    } catch (Throwable t) {
      throw VirtualThreads.rethrow(t);
    }
  }

  /** The handles, found once. */
  private static final class Ways {
    // What the JDK's own Lookup.defineHiddenClass says for a class of the boot loader.
    private static final int HIDDEN_WITH_VM_ANNOTATIONS = 2 | 8;

    @Nullable String failure;
    boolean own;
    MethodHandle run = VirtualThreads.runContinuation();
    MethodHandle park = run;
    MethodHandle yield = run;
    MethodHandle setContinuation = run;

    static Ways find() {
      String way = System.getProperty(PROPERTY, System.getenv(VARIABLE));
      Ways jdk = new Ways();
      if (way != null && !way.equals("own")) {
        jdk.failure =
            way.equals("jdk") ? null : PROPERTY + " is \"" + way + "\": allowed is own or jdk";
        return jdk;
      }
      try {
        Ways ours = new Ways();
        ours.findOwn();
        return ours;
      } catch (Exception | LinkageError | VirtualMachineError e) {
        jdk.failure = way == null ? null : PROPERTY + " is own, which does not work here: " + e;
        return jdk;
      }
    }

    private void findOwn() throws Exception {
      int feature = Runtime.version().feature();
      if (feature != KNOWN_JDK) {
        throw new IllegalStateException("made for JDK " + KNOWN_JDK + ", and this is " + feature);
      }
      MethodHandles.Lookup lookup = VirtualThreads.lookup();
      Class<?> mount = define(lookup);
      MethodType ofThread = MethodType.methodType(boolean.class, Thread.class);
      park = lookup.findStatic(mount, "park", ofThread);
      yield = lookup.findStatic(mount, "yield", ofThread);
      run =
          lookup.findStatic(
              mount, "run", MethodType.methodType(void.class, Thread.class, UnaryOperator.class));
      setContinuation =
          lookup
              .findSetter(Thread.class, "cont", Continuation.class)
              .asType(MethodType.methodType(void.class, Thread.class, Object.class));
      own = true;
      Thread trial = Thread.ofPlatform().name("heddle-trial").daemon().unstarted(this::tryOut);
      trial.setUncaughtExceptionHandler((_, e) -> failure = "" + e);
      trial.start();
      awaitEnd(trial);
      if (failure != null) {
        throw new IllegalStateException(failure);
      }
    }

    /** Also by one that is interrupted, and stays so. */
    private static void awaitEnd(Thread trial) {
      boolean interrupted = false;
      while (trial.isAlive()) {
        try {
          trial.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    /** Without a lookup that may do all, which {@link MethodHandles.Lookup#defineHiddenClass} asks for. */
    private static Class<?> define(MethodHandles.Lookup lookup) throws Exception {
      MethodHandle define =
          lookup.findStatic(
              ClassLoader.class,
              "defineClass0",
              MethodType.methodType(
                  Class.class,
                  ClassLoader.class,
                  Class.class,
                  String.class,
                  byte[].class,
                  int.class,
                  int.class,
                  ProtectionDomain.class,
                  boolean.class,
                  int.class,
                  Object.class));
      try (InputStream in =
          Mounter.class.getResourceAsStream("/META-INF/boot/" + NAME + ".class")) {
        if (in == null) {
          throw new IllegalStateException(NAME + ".class is not in the jar");
        }
        byte[] bytes = in.readAllBytes();
        return (Class<?>)
            define.invokeExact(
                (ClassLoader) null,
                Thread.class,
                NAME,
                bytes,
                0,
                bytes.length,
                (ProtectionDomain) null,
                true,
                HIDDEN_WITH_VM_ANNOTATIONS,
                (Object) null);
      } catch (Throwable t) {
        throw VirtualThreads.rethrow(t);
      }
    }

    /**
     * Once through all of it, so that a JDK that differs is found out here; and so that no goroutine is the first, which
     * links what is called in the middle of a switch, maybe at the end of its stack.
     */
    private void tryOut() {
      Thread thread = VirtualThreads.newThread(_ -> {}, "heddle-trial", this::yieldAndPark);
      thread.start();
      runOnce(thread);
      require(VirtualThreads.hasYielded(thread), "yield");
      runOnce(thread);
      require(VirtualThreads.tryUnpark(thread), "park");
      runOnce(thread);
      require(VirtualThreads.isTerminated(thread), "end");
    }

    private void runOnce(Thread thread) {
      UnaryOperator<@Nullable Thread> none = _ -> null;
      try {
        run.invokeExact(thread, none);
      } catch (Throwable t) {
        throw VirtualThreads.rethrow(t);
      }
    }

    private void yieldAndPark() {
      Thread self = Thread.currentThread();
      try {
        require((boolean) yield.invokeExact(self), "yield");
        require((boolean) park.invokeExact(self), "park");
      } catch (Throwable t) {
        throw VirtualThreads.rethrow(t);
      }
    }

    private static void require(boolean holds, String what) {
      if (!holds) {
        throw new IllegalStateException("a thread did not " + what);
      }
    }
  }
}
