package openjdk.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.locks.LockSupport;
import openjdk.VirtualTest;
import org.junit.jupiter.api.Test;

/** Reflective calls in and around virtual threads: Reflection.java. */
class ReflectionTest extends VirtualTest {
  /** Public, so that reflection may call it without further access. */
  public static int sum(int a, int b) {
    Thread.yield();
    return a + b;
  }

  public static void fails() {
    LockSupport.parkNanos(1_000);
    throw new IllegalStateException("told");
  }

  public static Thread parks() {
    LockSupport.park();
    return Thread.currentThread();
  }

  /** A class whose constructor parks. */
  public static final class Parked {
    public final Thread thread;

    public Parked() {
      LockSupport.park();
      thread = Thread.currentThread();
    }
  }

  @Test
  void aMethodIsCalled() throws Exception {
    virtually(
        () -> {
          Method sum = ReflectionTest.class.getMethod("sum", int.class, int.class);
          for (int i = 0; i < 100; i++) {
            assertThat(sum.invoke(null, i, 1)).isEqualTo(i + 1);
          }
        });
  }

  @Test
  void whatItThrowsIsWrapped() throws Exception {
    virtually(
        () -> {
          Method fails = ReflectionTest.class.getMethod("fails");
          assertThatExceptionOfType(InvocationTargetException.class)
              .isThrownBy(() -> fails.invoke(null))
              .withCauseInstanceOf(IllegalStateException.class);
        });
  }

  @Test
  void wrongArgumentsAreRefused() throws Exception {
    virtually(
        () -> {
          Method sum = ReflectionTest.class.getMethod("sum", int.class, int.class);
          assertThatExceptionOfType(IllegalArgumentException.class)
              .isThrownBy(() -> sum.invoke(null, "1", "2"));
          assertThatExceptionOfType(IllegalArgumentException.class)
              .isThrownBy(() -> sum.invoke(null, 1));
        });
  }

  @Test
  void aMethodMayPark() throws Exception {
    Method parks = ReflectionTest.class.getMethod("parks");
    Started<Object> started = call(() -> parks.invoke(null));
    LockSupport.unpark(await(started.thread(), Thread.State.WAITING));
    assertThat(started.result()).isSameAs(started.thread());
  }

  @Test
  void aConstructorMayPark() throws Exception {
    Started<Parked> started = call(() -> Parked.class.getConstructor().newInstance());
    LockSupport.unpark(await(started.thread(), Thread.State.WAITING));
    assertThat(started.result().thread).isSameAs(started.thread());
  }

  @Test
  void aMethodHandleMayPark() throws Exception {
    MethodHandle parks =
        MethodHandles.lookup()
            .findStatic(ReflectionTest.class, "parks", MethodType.methodType(Thread.class));
    Started<Thread> started =
        call(
            () -> {
              try {
                return (Thread) parks.invokeExact();
              } catch (Throwable t) {
                throw new AssertionError(t);
              }
            });
    LockSupport.unpark(await(started.thread(), Thread.State.WAITING));
    assertThat(started.result()).isSameAs(started.thread());
  }

  @Test
  void aProxyMayPark() throws Exception {
    Runnable proxy =
        (Runnable)
            Proxy.newProxyInstance(
                ReflectionTest.class.getClassLoader(),
                new Class<?>[] {Runnable.class},
                (_, _, _) -> {
                  LockSupport.park();
                  return null;
                });
    Started<Void> started = start(proxy::run);
    LockSupport.unpark(await(started.thread(), Thread.State.WAITING));
    started.result();
  }

  @Test
  void startByReflection() throws Exception {
    Thread thread = Thread.ofVirtual().unstarted(() -> {});
    Thread.class.getMethod("start").invoke(thread);
    Thread.class.getMethod("join").invoke(thread);
    assertThat(thread.getState()).isEqualTo(Thread.State.TERMINATED);
  }
}
