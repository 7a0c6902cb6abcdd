package openjdk.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import openjdk.VirtualTest;
import openjdk.World;
import org.junit.jupiter.api.Test;

/**
 * Programs may give a virtual thread its own scheduler through an internal JDK mechanism, and the
 * thread keeps it: CustomScheduler.java, ParkWithFixedThreadPool.java, and the part of
 * ThreadAPI.java about such threads.
 */
public class CustomSchedulerTest extends VirtualTest {
  private static final String POOL = "@pool-";

  /** Creates a thread that {@code scheduler} runs. */
  public static Thread unstarted(Executor scheduler, Runnable task) {
    try {
      Method door =
          Class.forName("java.lang.ThreadBuilders")
              .getDeclaredMethod(
                  "newVirtualThread", Executor.class, String.class, int.class, Runnable.class);
      door.setAccessible(true);
      return (Thread) door.invoke(null, scheduler, "custom", 0, task);
    } catch (InvocationTargetException e) {
      throw new AssertionError(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void itsOwnSchedulerCarriesIt() throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(1)) {
      assertThat(carrierIn(pool, CustomSchedulerTest::me)).contains(POOL);
    }
  }

  @Test
  void itsChildrenInheritIt() throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(1)) {
      assertThat(carrierIn(pool, () -> inChild(CustomSchedulerTest::me))).contains(POOL);
    }
  }

  @Test
  void itMayStartThreadsOfOtherSchedulers() throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(1);
        ExecutorService other =
            Executors.newFixedThreadPool(1, task -> new Thread(task, "other-1"))) {
      assertThat(carrierIn(pool, () -> carrierIn(other, CustomSchedulerTest::me)))
          .contains("@other-1");
    }
  }

  @Test
  void ordinaryThreadMayStartIt() throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(1)) {
      String seen =
          call(() -> {
                String carrier = carrierIn(pool, CustomSchedulerTest::me);
                World.checkCaller();
                return carrier;
              })
              .result();
      assertThat(seen).contains(POOL);
    }
  }

  @Test
  void itParksAndIsUnparkedByOrdinaryThreads() throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      Queue<Thread> parked = new ConcurrentLinkedQueue<>();
      for (int i = 0; i < 100; i++) {
        Thread thread = unstarted(pool, LockSupport::park);
        thread.start();
        parked.add(thread);
      }
      virtually(
          () -> {
            for (Thread thread : parked) {
              await(thread, Thread.State.WAITING);
              LockSupport.unpark(thread);
              thread.join();
            }
          });
    }
  }

  @Test
  void itUnparksOrdinaryThreads() throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(1)) {
      Started<Void> ordinary =
          start(
              () -> {
                LockSupport.park();
                World.checkCaller();
              });
      await(ordinary.thread(), Thread.State.WAITING);
      Thread thread = unstarted(pool, () -> LockSupport.unpark(ordinary.thread()));
      thread.start();
      ordinary.result();
      thread.join();
    }
  }

  @Test
  void yieldsOnOneCarrierTakeTurns() throws Exception {
    StringBuffer order = new StringBuffer();
    try (ExecutorService pool = Executors.newFixedThreadPool(1)) {
      Thread parent =
          unstarted(
              pool,
              () -> {
                order.append('a');
                Thread child =
                    unstarted(
                        pool,
                        () -> {
                          order.append('b');
                          Thread.yield();
                          order.append('b');
                        });
                child.start();
                Thread.yield();
                order.append('a');
              });
      parent.start();
      parent.join();
    }
    assertThat(order.toString()).isEqualTo("abab");
  }

  @Test
  void threadThatNeverRunsHasNoStackTrace() {
    Thread thread = unstarted(_ -> {}, () -> {});
    thread.start();
    assertThat(thread.getState()).isEqualTo(Thread.State.RUNNABLE);
    assertThat(thread.getStackTrace()).isEmpty();
  }

  @Test
  void rejectionReachesTheStarterOrUnparker() throws Exception {
    ExecutorService pool = Executors.newCachedThreadPool();
    Thread thread = unstarted(pool, LockSupport::park);
    thread.start();
    await(thread, Thread.State.WAITING);
    pool.shutdown();
    assertThatExceptionOfType(RejectedExecutionException.class)
        .isThrownBy(() -> LockSupport.unpark(thread));
    assertThatExceptionOfType(RejectedExecutionException.class)
        .isThrownBy(() -> unstarted(pool, () -> {}).start());
    pool.close();
  }

  private interface Carrier {
    String look();
  }

  private static String me() {
    return Thread.currentThread().toString();
  }

  private static String carrierIn(Executor scheduler, Carrier carrier) {
    AtomicReference<String> seen = new AtomicReference<>();
    Thread thread = unstarted(scheduler, () -> seen.set(carrier.look()));
    thread.start();
    join(thread);
    return seen.get();
  }

  private static String inChild(Carrier carrier) {
    AtomicReference<String> seen = new AtomicReference<>();
    join(Thread.startVirtualThread(() -> seen.set(carrier.look())));
    return seen.get();
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
