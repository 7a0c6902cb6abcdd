package child;

import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Mutex;
import io.heddle.RWMutex;
import io.heddle.Scheduler;
import io.heddle.Select;
import io.heddle.Semaphore;
import io.heddle.WaitGroup;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Uses each operation for the first time at the end of the stack, and then again with enough stack.
 * It prints the operations that do not work then. The argument is {@code goroutine}, or {@code
 * thread} for a program that has no scheduler.
 */
public final class FirstUseAtStackEnd {
  /** May fail with a stack overflow. */
  private interface Operation {
    void run() throws Exception;
  }

  private static final ClassLoader LOADER = FirstUseAtStackEnd.class.getClassLoader();

  private final List<String> broken = new ArrayList<>();

  private FirstUseAtStackEnd() {}

  public static void main(String[] args) throws Exception {
    loadWithoutInitializing();
    FirstUseAtStackEnd test = new FirstUseAtStackEnd();
    if (args[0].equals("goroutine")) {
      try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
        scheduler.go(test::inGoroutine).join();
      }
    } else {
      Thread thread = new Thread(null, test::inThread, "small", 512 * 1024);
      thread.start();
      thread.join();
    }
    System.out.println("broken: " + test.broken);
  }

  /**
   * Loads all classes of the library, as a JVM with a class archive does. To load a class takes
   * more stack than most initializers, so an overflow while loading would come first, and harms
   * nothing.
   */
  private static void loadWithoutInitializing() throws Exception {
    Path root = Path.of(Chan.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> files = Files.walk(root.resolve("io"))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = root.relativize(file).toString().replace(File.separatorChar, '.');
        if (name.endsWith(".class") && !name.endsWith("-info.class")) {
          load(name.substring(0, name.length() - ".class".length()));
        }
      }
    }
  }

  private static void load(String name) throws ClassNotFoundException {
    try {
      Class.forName(name, false, LOADER);
    } catch (IllegalAccessError e) {
      // It extends a class of the JDK that is not open before the first scheduler is made.
    }
  }

  private void inGoroutine() {
    check("make", () -> Chan.make(1));
    inThread();
    check("go", () -> Go.go(() -> {}));
    check("gosched", Go::gosched);
    check("sleep", () -> interrupted(() -> Go.sleep(Duration.ofDays(1))));
  }

  private void inThread() {
    Chan<Integer> empty = Chan.make();
    WaitGroup group = new WaitGroup();
    group.add(1);
    Mutex mutex = new Mutex();
    RWMutex rwMutex = new RWMutex();
    Semaphore semaphore = new Semaphore(1);
    check("receive", () -> interrupted(empty::receive));
    check("send", () -> interrupted(() -> empty.send(1)));
    check("tryReceive", empty::tryReceive);
    check("trySend", () -> empty.trySend(1));
    check("close", () -> Chan.make().close());
    check("select", () -> Select.select(Select.recv(empty), Select.orElse()));
    check("waiting select", () -> interrupted(() -> Select.select(Select.recv(empty))));
    check("wait group", () -> interrupted(group::await));
    check("mutex", () -> whileLocked(mutex));
    check("rwmutex", () -> whileLocked(rwMutex));
    check(
        "semaphore",
        () -> {
          semaphore.acquire(1);
          semaphore.release(1);
        });
  }

  private static void whileLocked(Mutex mutex) {
    mutex.lock();
    mutex.unlock();
  }

  private static void whileLocked(RWMutex mutex) {
    mutex.writeLock().lock();
    mutex.writeLock().unlock();
  }

  /** Runs a wait that an interrupt ends. */
  private static void interrupted(Operation wait) throws Exception {
    Thread.currentThread().interrupt();
    try {
      wait.run();
    } catch (InterruptedException e) {
      // As intended.
    } finally {
      boolean _ = Thread.interrupted();
    }
  }

  private void check(String name, Operation operation) {
    try {
      descend(operation);
    } catch (StackOverflowError e) {
      // As intended.
    }
    try {
      operation.run();
    } catch (Throwable t) {
      broken.add(name + ": " + t);
    }
  }

  /** Tries {@code operation} at the end of the stack, then with ever more stack, until it works. */
  private void descend(Operation operation) {
    try {
      descend(operation);
    } catch (StackOverflowError e) {
      tryOnce(operation);
    }
  }

  private static void tryOnce(Operation operation) {
    try {
      operation.run();
    } catch (StackOverflowError e) {
      throw e;
    } catch (Throwable t) {
      // If a class is broken for good, the next call says so.
    }
  }
}
