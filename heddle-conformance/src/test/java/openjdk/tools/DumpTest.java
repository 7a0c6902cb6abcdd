package openjdk.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.StructuredTaskScope;
import java.util.concurrent.StructuredTaskScope.Joiner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import openjdk.VirtualTest;
import openjdk.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code jcmd Thread.dump_to_file} and its bean: DumpThreads.java, ThreadDumpToFileTest.java. */
class DumpTest extends VirtualTest {
  private static final String ROOT = "<root>";

  @TempDir private Path dir;

  @Test
  void textShowsThreadsInEveryState() throws Exception {
    Object monitor = new Object();
    Thread parked = Thread.ofVirtual().name("parked-one").start(LockSupport::park);
    Thread waiting = Thread.ofVirtual().name("waiting-one").start(() -> waitOn(monitor));
    Thread blocked;
    await(waiting, Thread.State.WAITING);
    synchronized (monitor) {
      blocked = Thread.ofVirtual().name("blocked-one").start(() -> enter(monitor));
      await(blocked, Thread.State.BLOCKED);
      await(parked, Thread.State.WAITING);
      String dump = jcmd("Thread.dump_to_file", file("text"));
      assertThat(dump)
          .contains(line(parked, "WAITING"))
          .contains(line(waiting, "WAITING"))
          .contains(line(blocked, "BLOCKED"))
          .contains("DumpTest.waitOn")
          .contains("DumpTest.enter")
          .contains("- waiting to lock <java.lang.Object@");
    }
    LockSupport.unpark(parked);
    waiting.interrupt();
    parked.join();
    waiting.join();
    blocked.join();
  }

  @Test
  void threadWithoutAContainerIsInTheRoot() throws Exception {
    Thread thread = Thread.ofVirtual().name("plain").start(LockSupport::park);
    await(thread, Thread.State.WAITING);
    assertThat(containerOf(thread, json())).isEqualTo(ROOT);
    LockSupport.unpark(thread);
    thread.join();
    assertThat(json().replaceAll("\\s", "")).doesNotContain(tid(thread));
  }

  @Test
  void aThreadOfAnExecutorIsInItsContainer() throws Exception {
    AtomicReference<Thread> inside = new AtomicReference<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      executor.execute(
          () -> {
            inside.set(Thread.currentThread());
            LockSupport.park();
          });
      until(() -> inside.get() != null);
      await(inside.get(), Thread.State.WAITING);
      assertThat(containerOf(inside.get(), json())).contains("ThreadPerTaskExecutor");
      LockSupport.unpark(inside.get());
    }
  }

  @Test
  void aThreadOfAScopeIsInItsContainerWithItsOwner() throws Exception {
    virtually(
        () -> {
          AtomicReference<Thread> inside = new AtomicReference<>();
          try (var scope =
              StructuredTaskScope.open(
                  Joiner.<Void>awaitAllSuccessfulOrThrow(), config -> config.withName("duke"))) {
            scope.fork(
                () -> {
                  inside.set(Thread.currentThread());
                  LockSupport.park();
                });
            until(() -> inside.get() != null);
            await(inside.get(), Thread.State.WAITING);
            String dump = json();
            assertThat(containerOf(inside.get(), dump)).startsWith("duke");
            assertThat(dump.replaceAll("\\s", ""))
                .contains("\"owner\":\"" + Thread.currentThread().threadId() + "\"");
            LockSupport.unpark(inside.get());
            scope.join();
          }
        });
  }

  @Test
  void parkBlockerIsShown() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    lock.lock();
    Thread thread = Thread.ofVirtual().name("locker").start(lock::lock);
    await(thread, Thread.State.WAITING);
    assertThat(jcmd("Thread.dump_to_file", file("lock")))
        .contains("- parking to wait for <java.util.concurrent.locks.ReentrantLock");
    lock.unlock();
    thread.join();
  }

  @Test
  void theBeanWritesBothFormats() throws Exception {
    HotSpotDiagnosticMXBean bean =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    Thread thread = Thread.ofVirtual().name("by-bean").start(LockSupport::park);
    await(thread, Thread.State.WAITING);
    Path text = Path.of(file("bean-text"));
    bean.dumpThreads(text.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
    assertThat(Files.readString(text)).contains(line(thread, "WAITING"));
    Path json = Path.of(file("bean-json"));
    bean.dumpThreads(json.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.JSON);
    assertThat(containerOf(thread, Files.readString(json))).isEqualTo(ROOT);
    LockSupport.unpark(thread);
    thread.join();
  }

  @Test
  void printShowsTheCarriedThread() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    Started<Void> started = start(() -> spin(done));
    until(() -> mentions(started.thread().getStackTrace(), "DumpTest.spin"));
    String dump = output("Thread.print");
    done.set(true);
    started.result();
    assertThat(dump)
        .contains("Carrying virtual thread #" + started.thread().threadId())
        .contains("\"" + World.current().carriers())
        .contains("DumpTest.spin");
  }

  private String json() throws Exception {
    return jcmd("Thread.dump_to_file", "-format=json", "-overwrite", file("json"));
  }

  private String file(String name) {
    return dir.resolve(name).toAbsolutePath().toString();
  }

  /** Runs jcmd as a user would and returns the file that its last argument names. */
  private String jcmd(String... args) throws IOException, InterruptedException {
    assertThat(output(args)).contains("Created");
    return Files.readString(Path.of(args[args.length - 1]));
  }

  private String output(String... args) throws IOException, InterruptedException {
    String[] command = new String[args.length + 2];
    command[0] = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    command[1] = Long.toString(ProcessHandle.current().pid());
    System.arraycopy(args, 0, command, 2, args.length);
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("jcmd.out").toFile())
            .start();
    assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
    String output = Files.readString(dir.resolve("jcmd.out"));
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }

  private static void spin(AtomicBoolean done) {
    while (!done.get()) {
      Thread.onSpinWait();
    }
  }

  private static String line(Thread thread, String state) {
    return "#" + thread.threadId() + " \"" + thread.getName() + "\" virtual " + state + " ";
  }

  private static String tid(Thread thread) {
    return "\"tid\":\"" + thread.threadId() + "\"";
  }

  /** The container listed before the thread in a dump. */
  private static String containerOf(Thread thread, String json) {
    String flat = json.replaceAll("\\s", "");
    int at = flat.indexOf(tid(thread));
    assertThat(at).as("%s in %s", thread, json).isPositive();
    String key = "\"container\":\"";
    int from = flat.lastIndexOf(key, at) + key.length();
    return flat.substring(from, flat.indexOf('"', from));
  }

  private static void waitOn(Object monitor) {
    synchronized (monitor) {
      try {
        monitor.wait();
      } catch (InterruptedException e) {
        // Ends the test's threads.
      }
    }
  }

  private static void enter(Object monitor) {
    synchronized (monitor) {
      Thread.onSpinWait();
    }
  }
}
