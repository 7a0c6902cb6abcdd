package io.heddle;

import static io.heddle.Select.after;
import static io.heddle.Select.orElse;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The documented errors that the tests of the single types do not cover: each error states its
 * reason.
 */
@HangGuard
class MisuseTest {
  private static final Duration SHORT = Duration.ofMillis(1);

  /** A sample argument for each parameter type. */
  private static final Map<Class<?>, Object> SAMPLES = new LinkedHashMap<>();

  static {
    SAMPLES.put(Task.class, (Task) () -> {});
    SAMPLES.put(Runnable.class, (Runnable) () -> {});
    SAMPLES.put(Callable.class, (Callable<Integer>) () -> 1);
    SAMPLES.put(String.class, "text");
    SAMPLES.put(Duration.class, SHORT);
    SAMPLES.put(Instant.class, Instant.EPOCH);
    SAMPLES.put(TimeUnit.class, TimeUnit.MILLISECONDS);
    SAMPLES.put(Throwable.class, new IllegalStateException());
    SAMPLES.put(Path.class, Path.of("nowhere", "trace"));
    SAMPLES.put(BiConsumer.class, (BiConsumer<Object, Object>) (_, _) -> {});
    SAMPLES.put(Context.class, Context.background());
    SAMPLES.put(Context.Key.class, Context.Key.of("key"));
    SAMPLES.put(Select.OnReceive.class, (Select.OnReceive<Object>) _ -> {});
    SAMPLES.put(Select.Then.class, (Select.Then) () -> {});
    SAMPLES.put(Object.class, "value");
    SAMPLES.put(int.class, 1);
    SAMPLES.put(long.class, 1L);
    SAMPLES.put(boolean.class, true);
  }

  @TempDir private Path dir;

  /**
   * Passes null for every parameter of the public types that is not marked as nullable, one by one.
   */
  @TestFactory
  Collection<DynamicTest> everyNullIsRejected() {
    Object chan = Chan.make(1);
    Mutex mutex = new Mutex();
    mutex.lock();
    Context.Cancelable context = Context.background().withCancel();
    List<DynamicTest> tests = new ArrayList<>();
    Object[] targets = {
      Scheduler.shared(),
      Scheduler.builder(),
      Scheduler.shared().go(() -> {}),
      chan,
      new Mutex(),
      mutex,
      mutex.newCondition(),
      new RWMutex().readLock(),
      new RWMutex().writeLock(),
      new WaitGroup(),
      new Once(),
      new Semaphore(1),
      new SingleFlight<String, Integer>(),
      new Group(),
      new Timer(Duration.ofHours(1)),
      new Ticker(Duration.ofHours(1)),
      Context.background(),
      context
    };
    for (Object target : targets) {
      add(tests, target, interfaceOf(target));
    }
    for (Class<?> type :
        List.of(Go.class, Select.class, Chan.class, Timer.class, Context.Key.class)) {
      add(tests, null, type);
    }
    for (Class<?> type : List.of(Timer.class, Ticker.class, Group.class)) {
      for (Constructor<?> made : type.getConstructors()) {
        addEach(tests, made, args -> made.newInstance(args));
      }
    }
    assertThat(tests).hasSizeGreaterThan(40);
    return tests;
  }

  private interface NullCall {
    Object with(Object[] args) throws ReflectiveOperationException;
  }

  /** Returns the public type that declares the methods of {@code target}. */
  private static Class<?> interfaceOf(Object target) {
    return switch (target) {
      case Goroutine _ -> Goroutine.class;
      case Context.Cancelable _ -> Context.Cancelable.class;
      case Context _ -> Context.class;
      case java.util.concurrent.locks.Condition _ -> java.util.concurrent.locks.Condition.class;
      case java.util.concurrent.locks.Lock lock when !(lock instanceof Mutex) ->
          java.util.concurrent.locks.Lock.class;
      default -> target.getClass();
    };
  }

  private static void add(List<DynamicTest> tests, @Nullable Object target, Class<?> type) {
    for (Method method : type.getMethods()) {
      boolean isStatic = Modifier.isStatic(method.getModifiers());
      if (method.getDeclaringClass() != Object.class
          && isStatic == (target == null)
          && !method.getName().equals("equals")
          && !method.isBridge()
          && !method.isVarArgs()) {
        addEach(tests, method, args -> method.invoke(target, args));
      }
    }
  }

  private static void addEach(List<DynamicTest> tests, Executable executable, NullCall call) {
    AnnotatedType[] types = executable.getAnnotatedParameterTypes();
    Class<?>[] classes = executable.getParameterTypes();
    for (int i = 0; i < classes.length; i++) {
      if (classes[i].isPrimitive() || types[i].isAnnotationPresent(Nullable.class)) {
        continue;
      }
      int nullAt = i;
      Object[] args =
          IntStream.range(0, classes.length)
              .mapToObj(n -> n == nullAt ? null : SAMPLES.get(classes[n]))
              .toArray();
      tests.add(
          DynamicTest.dynamicTest(
              executable.toGenericString() + " with null at " + i,
              () ->
                  assertThatThrownBy(() -> call.with(args))
                      .isInstanceOf(InvocationTargetException.class)
                      .cause()
                      .isInstanceOf(NullPointerException.class)));
    }
  }

  @Test
  void selectWithTooManyCasesStatesTheLimit() {
    Case<?>[] cases =
        Stream.generate(() -> recv(Chan.<Integer>make())).limit(65_536).toArray(Case<?>[]::new);
    assertThatThrownBy(() -> select(cases))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("65536")
        .hasMessageContaining("allowed");
  }

  @Test
  void selectWithTwoDefaultsThrows() {
    assertThatThrownBy(() -> select(orElse(), orElse()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two cases of")
        .hasMessageContaining("allowed is one");
    assertThatThrownBy(() -> select((Case<?>[]) null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void iteratorAtTheEndThrows() {
    Chan<Integer> chan = Chan.make(1);
    chan.close();
    Iterator<Integer> iterator = chan.iterator();
    assertThat(iterator.hasNext()).isFalse();
    assertThatThrownBy(iterator::next)
        .isInstanceOf(NoSuchElementException.class)
        .hasMessage("the channel is closed and drained");
  }

  @Test
  void interruptInChannelLoopThrowsUncheckedAndKeepsTheFlag() throws Exception {
    Chan<Boolean> flag = Chan.make(1);
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      Goroutine loops =
          scheduler.go(
              () -> {
                try {
                  Chan.<Integer>make().forEach(_ -> {});
                } catch (CancelledException e) {
                  flag.trySend(Thread.currentThread().isInterrupted());
                }
              });
      loops.interrupt();
      loops.join();
    }
    assertThat(flag.tryReceive()).isTrue();
  }

  @Test
  void interruptedSenderSendsNothing() throws Exception {
    Chan<Integer> chan = Chan.make();
    Chan<Boolean> told = Chan.make(1);
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      Goroutine sends =
          scheduler.go(
              () -> {
                try {
                  chan.send(1);
                } catch (InterruptedException e) {
                  told.trySend(true);
                }
              });
      Await.until(sends::waitReason, "chan send");
      sends.interrupt();
      sends.join();
    }
    assertThat(told.tryReceive()).isTrue();
    assertThat(chan.tryReceive()).isNull();
  }

  @Test
  void executorOfClosedSchedulerRejectsTasks() {
    Scheduler scheduler = Scheduler.builder().name("gone").procs(1).build();
    ExecutorService executor = scheduler.executor();
    scheduler.close();
    assertThatThrownBy(() -> executor.submit(() -> 1))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessageContaining("scheduler gone is closed");
  }

  @Test
  void closedSchedulerCannotBeTraced() {
    Scheduler scheduler = Scheduler.builder().name("gone").procs(1).build();
    scheduler.close();
    assertThatThrownBy(() -> scheduler.trace(dir.resolve("trace")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("scheduler gone is closed");
  }

  @Test
  void limitsOfTheBuilderAreStated() {
    assertThatThrownBy(() -> Scheduler.builder().timeSlice(Duration.ofDays(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("timeSlice is PT24H: allowed is 1 µs to 1 h");
    assertThatThrownBy(() -> Scheduler.builder().maxThreads(1_000_001))
        .hasMessage("maxThreads is 1000001: allowed is 1 to 1000000");
  }

  @Test
  void negativeArgumentStatesTheLimit() {
    assertThatThrownBy(() -> new Semaphore(-1)).hasMessageContaining("-1: allowed is 0 or more");
    assertThatThrownBy(() -> new Group().limit(-3)).hasMessage("limit -3: allowed is 1 or more");
    assertThatThrownBy(() -> new Ticker(SHORT.negated()))
        .hasMessage("a ticker of PT-0.001S: allowed is more than zero");
  }

  @Test
  void waitGroupCannotCountBeyondIntRange() {
    WaitGroup group = new WaitGroup();
    group.add(Integer.MAX_VALUE);
    assertThatThrownBy(() -> group.add(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("above " + Integer.MAX_VALUE);
  }

  @Test
  void closedGroupRejectsTasks() {
    Group group = new Group();
    group.close();
    assertThatThrownBy(() -> group.tryGo(() -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the group is closed");
  }

  @Test
  void durationsOfZeroOrLessElapseAtOnce() throws Exception {
    Duration before = SHORT.negated();
    assertThat(Timer.after(before).receive()).isNotNull();
    assertThat(select(recv(Chan.<Integer>make()), after(before))).hasToString("after");
    assertThat(Context.background().withTimeout(before).err()).isNotNull();
    assertThat(new WaitGroup().await(before)).isTrue();
    Go.sleep(before);
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      scheduler.run(() -> Go.sleep(before));
    }
  }
}
