package io.heddle;

import static io.heddle.Select.after;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.inspect.StuckChecks;
import java.lang.ref.Cleaner;
import java.lang.ref.SoftReference;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Programs whose goroutines wait for something that comes from outside. No check may report them,
 * and afterwards each of them is woken in the way that its name says.
 *
 * <p>The file is long because each way to wake a goroutine is a program of its own.
 */
@HangGuard
@Tag("jdks")
class WakeableProgramsTest extends StuckFixture {
  /** Long enough for all programs to wait and the checks to run, on a machine at rest. */
  private static final Duration LATER = Duration.ofSeconds(3);

  private static final ThreadLocal<Chan<String>> LOCAL = new ThreadLocal<>();
  private static final AtomicReference<Chan<String>> STATIC = new AtomicReference<>();

  private final Set<String> woken = ConcurrentHashMap.newKeySet();

  /** Let the wakers go, which wait themselves until the checks are over. */
  private final CountDownLatch checked = new CountDownLatch(1);

  /** What wakes goroutines after the checks. Each refers to no more than it must. */
  private final List<Task> wakers = new ArrayList<>();

  private final List<ExecutorService> executors = new ArrayList<>();
  private final List<String> reported = new ArrayList<>();

  /** Arranges that a goroutine that receives from a channel is woken later. */
  @FunctionalInterface
  private interface Keeper {
    void keep(Chan<String> channel) throws Exception;
  }

  /** A wait, and what ends it. */
  private record Ending(Task waiting, Task end) {}

  @Override
  List<StuckProgram> programs() {
    return List.of(
        receiver("channel on the stack of a platform thread", this::onStack),
        receiver("channel in a thread local", this::inThreadLocal),
        receiver("channel in a static field", this::inStatic),
        receiver("channel in a queued task of a pool", this::inQueuedTask),
        receiver("channel in a task of a JDK timer", this::inScheduledTask),
        receiver("channel that is closed from outside", c -> wakers.add(c::close)),
        receiver("channel behind a soft reference", this::behindSoftReference),
        receiver("channel in the action of a cleaner", this::inCleaner),
        receiver("channel in the finalizer of a lost object", WakeableProgramsTest::inFinalizer),
        receiver("channel on the stack of a virtual thread", this::inVirtualThread),
        receiver("channel of a goroutine that sleeps", c -> scheduler.go(() -> sendLater(c))),
        receiver("channel of a goroutine of another scheduler", c -> other.go(() -> sendLater(c))),
        receiver("channel of a thread that sleeps", c -> start(() -> sendLater(c))),
        receiver("channel of a timer", this::inTimer),
        waits("Timer.after", () -> Timer.after(LATER).receive()),
        waits("ticker", () -> new Ticker(LATER).ticks().receive()),
        waits("select with a time limit", () -> select(recv(Chan.make()), after(LATER))),
        waits("context with a deadline", WakeableProgramsTest::deadline),
        waits("sleep of the JDK", () -> Thread.sleep(LATER)),
        waits("time limit of the JDK", WakeableProgramsTest::parkLater),
        ends("wait group", WakeableProgramsTest::waitGroup),
        ends("mutex that a platform thread unlocks", WakeableProgramsTest::mutex),
        ends("semaphore of the JDK", WakeableProgramsTest::semaphore),
        ends("latch of the JDK", WakeableProgramsTest::latch),
        ends("future of the JDK", WakeableProgramsTest::future),
        ends("Object.wait", WakeableProgramsTest::objectWait),
        new StuckProgram("lock of a platform thread", 1, this::lockOutside),
        new StuckProgram("monitor of a platform thread", 1, this::monitorOutside),
        new StuckProgram("unpark by a thread that knows it", 1, this::unpark),
        new StuckProgram("interrupt through a handle", 1, this::interrupt),
        new StuckProgram("interrupt by an executor", 1, this::executor),
        new StuckProgram("socket", 1, this::socket),
        new StuckProgram("lock of a goroutine that can be woken", 2, this::chain),
        new StuckProgram("join of a goroutine that can be woken", 2, this::join),
        new StuckProgram("locks with a time limit", 2, this::timedLocks),
        new StuckProgram("write lock behind a reader", 2, this::readers));
  }

  @BeforeAll
  @HangGuard
  void check() throws Exception {
    for (int i = 0; i < 3; i++) {
      StuckChecks.leaked(scheduler.sched(), 0).forEach(g -> reported.add(g.name()));
      StuckChecks.leaked(other.sched(), 0).forEach(g -> reported.add(g.name()));
      StuckChecks.deadlocked(scheduler.sched(), 0)
          .forEach(c -> c.forEach(g -> reported.add(g.name())));
    }
    checked.countDown();
    for (Task waker : wakers) {
      waker.run();
    }
  }

  @AfterAll
  @HangGuard
  void endPools() {
    executors.forEach(ExecutorService::shutdownNow);
  }

  @TestFactory
  Stream<DynamicTest> noProgramIsReportedAndEachIsWoken() {
    return programs().stream().map(p -> DynamicTest.dynamicTest(p.name(), () -> check(p)));
  }

  private void check(StuckProgram program) {
    assertThat(reported).doesNotContain(program.name());
    boolean isCleaner = program.name().contains("cleaner");
    Await.until(
        () -> {
          if (isCleaner) {
            System.gc(); // finds the object that was lost
          }
          return woken.contains(program.name());
        });
  }

  @Test
  void nothingIsReported() {
    assertThat(reported).isEmpty();
  }

  private StuckProgram waits(String name, Task wait) {
    return new StuckProgram(name, 1, n -> go(n, wait));
  }

  private StuckProgram ends(String name, Supplier<Ending> of) {
    return new StuckProgram(
        name,
        1,
        n -> {
          Ending ending = of.get();
          go(n, ending.waiting);
          wakers.add(ending.end);
        });
  }

  private StuckProgram receiver(String name, Keeper keeper) {
    return new StuckProgram(
        name,
        1,
        n -> {
          Chan<String> channel = Chan.make();
          go(n, channel::receive);
          keeper.keep(channel);
        });
  }

  private void go(String name, Task wait) {
    Set<String> done = woken;
    scheduler.go(
        name,
        () -> {
          wait.run();
          done.add(name);
        });
  }

  private static void start(Task task) {
    Thread.ofPlatform().daemon().start(() -> unchecked(task));
  }

  private static void unchecked(Task task) {
    try {
      task.run();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void sendLater(Chan<String> channel) throws Exception {
    Go.sleep(LATER);
    channel.send("now");
  }

  private void onStack(Chan<String> channel) {
    CountDownLatch go = checked;
    start(
        () -> {
          go.await();
          channel.send("now");
        });
  }

  private void inThreadLocal(Chan<String> channel) {
    ExecutorService single = Executors.newSingleThreadExecutor();
    executors.add(single);
    single.execute(() -> LOCAL.set(channel));
    wakers.add(() -> single.execute(() -> unchecked(() -> LOCAL.get().send("now"))));
  }

  private void inStatic(Chan<String> channel) {
    STATIC.set(channel);
    wakers.add(() -> STATIC.get().send("now"));
  }

  private void inQueuedTask(Chan<String> channel) {
    ExecutorService single = Executors.newSingleThreadExecutor();
    executors.add(single);
    CountDownLatch go = checked;
    single.execute(() -> unchecked(go::await));
    single.execute(() -> unchecked(() -> channel.send("now")));
  }

  private void inScheduledTask(Chan<String> channel) {
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    executors.add(timer);
    timer.schedule(
        () -> unchecked(() -> channel.send("now")), LATER.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void behindSoftReference(Chan<String> channel) {
    SoftReference<Chan<String>> soft = new SoftReference<>(channel);
    wakers.add(() -> Objects.requireNonNull(soft.get()).send("now"));
  }

  private void inCleaner(Chan<String> channel) {
    AtomicReference<Object> lost = new AtomicReference<>(new Object());
    Cleaner.create().register(lost.get(), () -> unchecked(() -> channel.send("now")));
    wakers.add(() -> lost.set(null));
  }

  private static void inFinalizer(Chan<String> channel) {
    new SendsAtLast(channel).ignore();
  }

  /** Sends when the collector has found it. */
  @SuppressWarnings({"removal", "Finalize"}) // programs still have finalizers
  private static final class SendsAtLast {
    private final Chan<String> channel;

    SendsAtLast(Chan<String> channel) {
      this.channel = channel;
    }

    void ignore() {}

    @Override
    protected void finalize() throws Throwable {
      channel.send("now");
    }
  }

  private void inVirtualThread(Chan<String> channel) {
    CountDownLatch go = checked;
    Thread.startVirtualThread(
        () ->
            unchecked(
                () -> {
                  go.await();
                  channel.send("now");
                }));
  }

  private void inTimer(Chan<String> channel) {
    scheduler.go(() -> Timer.schedule(LATER, channel::close));
  }

  private static void deadline() throws Exception {
    try (Context.Cancelable context = Context.background().withTimeout(LATER)) {
      context.done().receive();
    }
  }

  private static void parkLater() {
    long end = System.nanoTime() + LATER.toNanos();
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  private static Ending waitGroup() {
    WaitGroup group = new WaitGroup();
    group.add(1);
    return new Ending(group::await, group::done);
  }

  private static Ending mutex() {
    Mutex mutex = new Mutex();
    mutex.lock();
    return new Ending(mutex::lock, mutex::unlock);
  }

  private static Ending semaphore() {
    java.util.concurrent.Semaphore semaphore = new java.util.concurrent.Semaphore(0);
    return new Ending(semaphore::acquire, semaphore::release);
  }

  private static Ending latch() {
    CountDownLatch latch = new CountDownLatch(1);
    return new Ending(latch::await, latch::countDown);
  }

  private static Ending future() {
    CompletableFuture<String> future = new CompletableFuture<>();
    return new Ending(future::get, () -> future.complete("now"));
  }

  private static Ending objectWait() {
    AtomicReference<String> message = new AtomicReference<>();
    return new Ending(
        () -> {
          synchronized (message) {
            while (message.get() == null) {
              message.wait();
            }
          }
        },
        () -> {
          synchronized (message) {
            message.set("now");
            message.notifyAll();
          }
        });
  }

  private void lockOutside(String name) throws Exception {
    ReentrantLock lock = new ReentrantLock();
    CountDownLatch locked = new CountDownLatch(1);
    start(
        () -> {
          lock.lock();
          locked.countDown();
          checked.await();
          lock.unlock();
        });
    locked.await();
    go(name, lock::lock);
  }

  private void monitorOutside(String name) throws Exception {
    Object monitor = new Object();
    CountDownLatch locked = new CountDownLatch(1);
    start(
        () -> {
          synchronized (monitor) {
            locked.countDown();
            checked.await();
          }
        });
    locked.await();
    go(name, () -> enter(monitor));
  }

  private static void enter(Object monitor) {
    synchronized (monitor) {
      assertThat(Thread.holdsLock(monitor)).isTrue();
    }
  }

  private void unpark(String name) throws Exception {
    CompletableFuture<Thread> thread = new CompletableFuture<>();
    go(
        name,
        () -> {
          thread.complete(Thread.currentThread());
          LockSupport.park(new Object());
        });
    Thread known = thread.get();
    wakers.add(() -> LockSupport.unpark(known));
  }

  private void interrupt(String name) {
    Set<String> done = woken;
    Goroutine handle = scheduler.go(name, () -> untilInterrupted(name, done));
    wakers.add(handle::interrupt);
  }

  private static void untilInterrupted(String name, Set<String> done) {
    try {
      Chan.make().receive();
    } catch (InterruptedException e) {
      done.add(name);
    }
  }

  private void executor(String name) {
    ExecutorService executor = scheduler.executor();
    Set<String> done = woken;
    executor.execute(
        () -> {
          Thread.currentThread().setName(name);
          untilInterrupted(name, done);
        });
    wakers.add(executor::shutdownNow);
  }

  private void socket(String name) throws Exception {
    ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
    Socket peer = server.accept();
    server.close();
    go(name, () -> client.getInputStream().read());
    wakers.add(() -> peer.getOutputStream().write(1));
  }

  private void chain(String name) {
    ReentrantLock lock = new ReentrantLock();
    Chan<String> end = Chan.make();
    CountDownLatch locked = new CountDownLatch(1);
    scheduler.go(
        name,
        () -> {
          lock.lock();
          locked.countDown();
          end.receive();
          lock.unlock();
        });
    go(
        name,
        () -> {
          locked.await();
          lock.lock();
        });
    wakers.add(end::close);
  }

  private void join(String name) {
    Chan<String> end = Chan.make();
    Goroutine first = scheduler.go(name, end::receive);
    go(name, first::join);
    wakers.add(end::close);
  }

  /** Each holds a lock and tries to get the other's, but not for ever. */
  private void timedLocks(String name) {
    ReentrantLock a = new ReentrantLock();
    ReentrantLock b = new ReentrantLock();
    CountDownLatch both = new CountDownLatch(2);
    for (List<ReentrantLock> order : List.of(List.of(a, b), List.of(b, a))) {
      go(
          name,
          () -> {
            order.getFirst().lock();
            meet(both);
            boolean _ = order.getLast().tryLock(LATER.toMillis(), TimeUnit.MILLISECONDS);
            order.getFirst().unlock();
          });
    }
  }

  private void readers(String name) {
    ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    Chan<String> end = Chan.make();
    CountDownLatch locked = new CountDownLatch(1);
    scheduler.go(
        name,
        () -> {
          lock.readLock().lock();
          locked.countDown();
          end.receive();
          lock.readLock().unlock();
        });
    go(
        name,
        () -> {
          locked.await();
          lock.writeLock().lock();
        });
    wakers.add(end::close);
  }
}
