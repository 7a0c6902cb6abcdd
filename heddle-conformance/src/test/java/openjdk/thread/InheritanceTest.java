package openjdk.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import openjdk.VirtualTest;
import org.junit.jupiter.api.Test;

/**
 * Thread locals, context class loaders and inheritance by children: ThreadLocals.java,
 * ThreadAPI.java, ThreadBuilders.java.
 */
class InheritanceTest extends VirtualTest {
  private static final ThreadLocal<Object> LOCAL = new ThreadLocal<>();
  private static final ThreadLocal<Object> INHERITABLE = new InheritableThreadLocal<>();

  private final Object value = new Object();
  private final ClassLoader loader = new ClassLoader() {};

  @Test
  void aLocalIsItsThreadsAlone() throws Exception {
    LOCAL.set("mine");
    try {
      virtually(
          () -> {
            assertThat(LOCAL.get()).isNull();
            LOCAL.set(value);
            assertThat(LOCAL.get()).isSameAs(value);
            virtually(() -> assertThat(LOCAL.get()).isNull());
            LOCAL.remove();
            assertThat(LOCAL.get()).isNull();
          });
      assertThat(LOCAL.get()).isEqualTo("mine");
    } finally {
      LOCAL.remove();
    }
  }

  @Test
  void localStaysOverParksOnAnyCarrier() throws Exception {
    Started<?>[] all = new Started<?>[200];
    for (int i = 0; i < all.length; i++) {
      Integer mine = i;
      all[i] =
          start(
              () -> {
                LOCAL.set(mine);
                for (int n = 0; n < 20; n++) {
                  LockSupport.parkNanos(1_000);
                  assertThat(LOCAL.get()).isSameAs(mine);
                }
              });
    }
    awaitAll(List.of(all));
  }

  @Test
  void localsOfAnEndedThreadAreUnreachable() throws Exception {
    for (int i = 0; i < 200; i++) {
      virtually(
          () -> {
            assertThat(LOCAL.get()).isNull();
            LOCAL.set(value);
          });
    }
  }

  @Test
  void inheritableLocalsAreInherited() throws Exception {
    platformAndVirtual(
        () -> {
          INHERITABLE.set(value);
          assertThat(inChild(INHERITABLE::get)).isSameAs(value);
          assertThat(inChild(() -> inChild(INHERITABLE::get))).isSameAs(value);
          INHERITABLE.remove();
        });
  }

  @Test
  void aChildHasAValueOfItsOwn() throws Exception {
    virtually(
        () -> {
          INHERITABLE.set(value);
          inChild(
              () -> {
                INHERITABLE.set("another");
                return null;
              });
          assertThat(INHERITABLE.get()).isSameAs(value);
        });
  }

  @Test
  void aBuilderMayRefuseToInherit() throws Exception {
    platformAndVirtual(
        () -> {
          INHERITABLE.set(value);
          assertThat(inOrphan(INHERITABLE::get)).isNull();
          inOrphan(
              () -> {
                INHERITABLE.set("own");
                LOCAL.set("own");
                assertThat(INHERITABLE.get()).isEqualTo("own");
                assertThat(LOCAL.get()).isEqualTo("own");
                return null;
              });
          INHERITABLE.remove();
        });
  }

  @Test
  void theContextClassLoaderIsInherited() throws Exception {
    platformAndVirtual(
        () -> {
          Thread me = Thread.currentThread();
          ClassLoader before = me.getContextClassLoader();
          me.setContextClassLoader(loader);
          assertThat(me.getContextClassLoader()).isSameAs(loader);
          assertThat(inChild(() -> Thread.currentThread().getContextClassLoader()))
              .isSameAs(loader);
          assertThat(inChild(() -> inChild(() -> Thread.currentThread().getContextClassLoader())))
              .isSameAs(loader);
          me.setContextClassLoader(before);
        });
  }

  @Test
  void threadWithoutInheritanceHasTheSystemClassLoader() throws Exception {
    virtually(
        () -> {
          Thread.currentThread().setContextClassLoader(loader);
          inOrphan(
              () -> {
                Thread me = Thread.currentThread();
                assertThat(me.getContextClassLoader()).isSameAs(ClassLoader.getSystemClassLoader());
                me.setContextClassLoader(loader);
                assertThat(me.getContextClassLoader()).isSameAs(loader);
                return null;
              });
        });
  }

  @Test
  void platformChildrenInheritToo() throws Exception {
    virtually(
        () -> {
          INHERITABLE.set(value);
          FutureTask<Object> task = new FutureTask<>(INHERITABLE::get);
          Thread.ofPlatform().start(task);
          assertThat(task.get()).isSameAs(value);
        });
  }

  @Test
  void anInitialValueIsMadeInTheThread() throws Exception {
    ThreadLocal<Thread> maker = ThreadLocal.withInitial(Thread::currentThread);
    Started<Thread> started = call(maker::get);
    assertThat(started.result()).isSameAs(started.thread());
    ThreadLocal<Object> failing =
        ThreadLocal.withInitial(
            () -> {
              throw new IllegalStateException("no value");
            });
    virtually(
        () -> assertThatExceptionOfType(IllegalStateException.class).isThrownBy(failing::get));
  }

  private static <T> T inChild(Callable<T> call) throws Exception {
    return call(call).result();
  }

  private static <T> T inOrphan(Callable<T> call) throws Exception {
    FutureTask<T> task = new FutureTask<>(call);
    Thread.ofVirtual().inheritInheritableThreadLocals(false).start(task);
    return task.get();
  }
}
