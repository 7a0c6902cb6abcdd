package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.testkit.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a {@link Carry} carries arrives in each goroutine, and its failures lose no goroutine. */
@HangGuard
class CarryTest {
  private static final ThreadLocal<String> USER = new ThreadLocal<>();
  private static final ThreadLocal<String> TENANT = new ThreadLocal<>();

  private final BlockingQueue<String> arrived = new ArrayBlockingQueue<>(100);
  private final Scheduler scheduler =
      Scheduler.builder().procs(2).carry(new LocalCarry(USER), new LocalCarry(TENANT)).build();

  /** Carries a thread-local variable. */
  static class LocalCarry implements Carry {
    private final ThreadLocal<String> local;

    LocalCarry(ThreadLocal<String> local) {
      this.local = local;
    }

    @Override
    public @Nullable Object capture() {
      return local.get();
    }

    @Override
    public AutoCloseable restore(Object captured) {
      String before = local.get();
      local.set((String) captured);
      return () -> local.set(before);
    }
  }

  /** Where a carry fails. */
  enum Place {
    CAPTURE,
    RESTORE,
    NULL,
    CLOSE
  }

  /** A carry that fails in one place. */
  record FailingCarry(Place place) implements Carry {
    @Override
    public Object capture() {
      if (place == Place.CAPTURE) {
        throw new AssertionError("capture fails");
      }
      return "captured";
    }

    @Override
    public AutoCloseable restore(Object captured) {
      return switch (place) {
        case RESTORE -> throw new AssertionError("restore fails");
        case NULL -> null;
        default -> this::close;
      };
    }

    private void close() throws Exception {
      throw new Exception("close fails");
    }
  }

  @AfterEach
  @HangGuard
  void close() {
    USER.remove();
    TENANT.remove();
    scheduler.close();
  }

  @Test
  void schedulerGo() throws Exception {
    USER.set("ann");
    scheduler.go(this::report);
    scheduler.go("named", this::report);
    USER.set("bob");
    assertThat(List.of(arrived.take(), arrived.take())).containsOnly("ann/null");
    TENANT.set("acme");
    scheduler.go(this::report);
    assertThat(arrived.take()).isEqualTo("bob/acme");
    assertThat(USER.get()).isEqualTo("bob");
  }

  @Test
  void goGroupAndWaitGroupInAGoroutine() throws Exception {
    USER.set("ann");
    scheduler.run(
        () -> {
          assertThat(user()).as("the main goroutine").isEqualTo("ann/null");
          USER.set("bob");
          Go.go(this::report).join();
          assertThat(arrived.take()).isEqualTo("bob/null");
          Go.go("named", this::report).join();
          assertThat(arrived.take()).isEqualTo("bob/null");
          WaitGroup waitGroup = new WaitGroup();
          waitGroup.go(this::report);
          waitGroup.await();
          assertThat(arrived.take()).isEqualTo("bob/null");
          try (Group group = new Group()) {
            group.go(this::report);
            assertThat(group.tryGo(this::report)).isTrue();
            group.await();
          }
          assertThat(List.of(arrived.take(), arrived.take())).containsOnly("bob/null");
        });
    assertThat(USER.get()).isEqualTo("ann");
  }

  @Test
  void timersAndEndsOfContexts() throws Exception {
    scheduler.run(
        () -> {
          USER.set("ann");
          Timer timer = Timer.schedule(Duration.ZERO, this::report);
          Context.Cancelable context = Context.background().withCancel();
          USER.set("bob");
          assertThat(arrived.take()).isEqualTo("ann/null");
          timer.reset(Duration.ZERO);
          assertThat(arrived.take()).as("again").isEqualTo("ann/null");
          Runnable _ = context.onDone(this::report);
          USER.set("cy");
          context.cancel();
          assertThat(arrived.take()).isEqualTo("bob/null");
        });
  }

  @Test
  void executor() throws Exception {
    try (ExecutorService executor = scheduler.executor()) {
      USER.set("ann");
      Future<String> first = executor.submit(CarryTest::user);
      USER.set("bob");
      executor.execute(this::report);
      assertThat(first.get()).isEqualTo("ann/null");
      assertThat(arrived.take()).isEqualTo("bob/null");
    }
  }

  @Test
  void threadFactory() throws Exception {
    USER.set("ann");
    Thread thread = scheduler.threadFactory().newThread(this::report);
    USER.set("bob");
    thread.start();
    assertThat(arrived.take()).isEqualTo("ann/null");
  }

  @Test
  void workersOfAPoolCarryNothing() throws Exception {
    USER.set("ann");
    try (ExecutorService pool = Executors.newFixedThreadPool(1, scheduler.threadFactory())) {
      assertThat(pool.submit(CarryTest::user).get()).isEqualTo("null/null");
    }
    try (ScheduledExecutorService pool =
        Executors.newScheduledThreadPool(1, scheduler.threadFactory())) {
      assertThat(pool.schedule(CarryTest::user, 0, TimeUnit.SECONDS).get()).isEqualTo("null/null");
    }
  }

  @Test
  void contextArrivesBesideIt() throws Exception {
    Context.Key<String> key = Context.Key.of("key");
    USER.set("ann");
    Context.background()
        .withValue(key, "value")
        .run(
            () -> {
              scheduler.go(() -> arrived.add(user() + Context.current().value(key)));
              assertThat(arrived.take()).isEqualTo("ann/nullvalue");
            });
  }

  @Test
  void firstCarryIsRestoredFirstAndClosedLast() throws Exception {
    List<String> steps = new CopyOnWriteArrayList<>();
    try (Scheduler recorded =
        Scheduler.builder()
            .procs(1)
            .carry(recorder("first", steps), recorder("second", steps))
            .build()) {
      recorded.go(() -> steps.add("task")).join();
    }
    assertThat(steps.subList(2, steps.size()))
        .containsExactly("restore first", "restore second", "task", "close second", "close first");
    assertThat(steps).startsWith("capture second", "capture first");
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void failureLosesNeitherGoroutineNorOtherCarry(Place place) throws Exception {
    FailingCarry failing = new FailingCarry(place);
    try (LogCapture log = new LogCapture();
        Scheduler broken =
            Scheduler.builder().procs(1).carry(failing, new LocalCarry(USER), failing).build()) {
      USER.set("ann");
      for (int i = 0; i < 20; i++) {
        broken.go(this::report);
      }
      broken.run(this::report);
      try (ExecutorService executor = broken.executor()) {
        executor.submit(this::report).get();
      }
      broken.threadFactory().newThread(this::report).start();
      for (int i = 0; i < 23; i++) {
        assertThat(arrived.take()).isEqualTo("ann/null");
      }
      if (place != Place.NULL) {
        Await.until(() -> !log.messages().isEmpty());
        assertThat(log.messages())
            .singleElement()
            .asString()
            .contains("FailingCarry.", "failed, so context is lost", "fails");
      }
    }
  }

  @Test
  void whatTheTaskThrowsIsKept() throws Exception {
    try (LogCapture _ = new LogCapture();
        Scheduler broken =
            Scheduler.builder().procs(1).carry(new FailingCarry(Place.CLOSE)).build()) {
      assertThatThrownBy(
              () ->
                  broken.run(
                      () -> {
                        throw new IOException("mine");
                      }))
          .isInstanceOf(IOException.class)
          .hasMessage("mine");
    }
  }

  @Test
  void emptyListCarriesNothing() throws Exception {
    try (Scheduler without = Scheduler.builder().procs(1).carry().build()) {
      USER.set("ann");
      without.go(this::report);
      assertThat(arrived.take()).isEqualTo("null/null");
    }
    assertThatThrownBy(() -> Scheduler.builder().carry((Carry) null))
        .isInstanceOf(NullPointerException.class);
  }

  /** A provider that exists, beside one that does not and one that starts a goroutine itself. */
  @Test
  void providersAreLoadedAtTheFirstStart(@TempDir Path dir) throws Exception {
    Path services = Files.createDirectories(dir.resolve("META-INF/services"));
    Files.writeString(
        services.resolve("io.heddle.Carry"),
        "io.heddle.Missing\n" + StartingCarry.class.getName() + "\n");
    String path =
        ChildJvm.classes() + File.pathSeparator + ChildJvm.testClasses() + File.pathSeparator + dir;
    ChildJvm.Result result =
        ChildJvm.bare().flags(ChildJvm.OPENS, "-ea", "-cp", path).run(Program.class);
    assertThat(result.out()).isEqualTo("before null" + NL + "ann" + NL + "ann" + NL);
    assertThat(result.err()).contains("an implementation of io.heddle.Carry cannot be loaded");
    assertThat(result.err()).contains("io.heddle.Missing");
    assertThat(result.exitCode()).isZero();
    ChildJvm.Result off =
        ChildJvm.bare().env("HEDDLE", "off").flags("-ea", "-cp", path).run(Program.class);
    assertThat(off.out()).as("with HEDDLE=off").isEqualTo(result.out());
    assertThat(off.exitCode()).as(off.err()).isZero();
  }

  private static final String NL = System.lineSeparator();

  /** Found by its name in a file of services. */
  public static final class StartingCarry extends LocalCarry {
    public StartingCarry() throws InterruptedException {
      super(Program.LOCAL);
      Go.go(() -> System.out.println("before " + Program.LOCAL.get())).join();
    }
  }

  /** Prints what arrives in goroutines of the shared scheduler and of another. */
  static final class Program {
    static final ThreadLocal<String> LOCAL = new ThreadLocal<>();

    private Program() {}

    public static void main(String[] args) throws Exception {
      LOCAL.set("ann");
      Go.go(() -> System.out.println(LOCAL.get())).join();
      try (Scheduler other = Scheduler.builder().build()) {
        other.go(() -> System.out.println(LOCAL.get())).join();
        if (other.latency().buckets().size() != 23 || other.goroutineCounts().waiting() != 0) {
          throw new AssertionError(other.latency() + " " + other.goroutineCounts());
        }
      }
      Go.go(() -> Go.sleep(Duration.ofMillis(1))).join();
    }
  }

  private static Carry recorder(String name, List<String> steps) {
    return new Carry() {
      @Override
      public Object capture() {
        steps.add("capture " + name);
        return name;
      }

      @Override
      public AutoCloseable restore(Object captured) {
        steps.add("restore " + captured);
        return () -> steps.add("close " + captured);
      }
    };
  }

  private void report() {
    arrived.add(user());
  }

  private static String user() {
    return USER.get() + "/" + TENANT.get();
  }
}
