package io.heddle.cli.attach;

import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The JVMs on this machine that the current user may attach to. */
public final class JavaProcesses {
  private static final String SOURCE_LAUNCHER =
      "jdk.compiler/com.sun.tools.javac.launcher.SourceLauncher ";

  private static final int MOST_LETTERS = 100;

  /** How the names of all threads of a scheduler begin. */
  private static final String THREAD_PREFIX = "heddle-";

  private static final boolean KNOWS_THREADS = Files.isDirectory(Path.of("/proc/self/task"));

  private JavaProcesses() {}

  /** Throws unless {@code pid} is a JVM to which this user can attach. */
  static void requireJvm(long pid) throws TargetException {
    if (ProcessHandle.of(pid).isEmpty()) {
      throw new TargetException("there is no process " + pid + ". " + listOfJvms());
    }
    if (!isJvm(pid)) {
      throw new TargetException(
          "process " + pid + " is not a JVM, or belongs to another user. " + listOfJvms());
    }
  }

  /**
   * Whether {@code pid} is a JVM, as far as can be told: a JVM may hide itself. Attaching sends a
   * signal that starts the attach listener, and the signal would end a process that is not a JVM.
   */
  static boolean isJvm(long pid) {
    return descriptors().anyMatch(vm -> vm.id().equals(Long.toString(pid))) || hasJvmLoaded(pid);
  }

  private static boolean hasJvmLoaded(long pid) {
    try (Stream<String> maps = Files.lines(Path.of("/proc", Long.toString(pid), "maps"))) {
      return maps.anyMatch(line -> line.contains("libjvm"));
    } catch (IOException | RuntimeException e) {
      return false; // not Linux, or not ours
    }
  }

  /** A sentence that lists the JVMs, for a message about a missing or wrong process id. */
  public static String listOfJvms() {
    List<String> lines =
        descriptors()
            .filter(vm -> !vm.id().equals(Long.toString(ProcessHandle.current().pid())))
            .map(vm -> "  %7s %s %s".formatted(vm.id(), hasHeddle(vm) ? "*" : " ", nameOf(vm)))
            .toList();
    String heading = "The JVMs of this user" + (KNOWS_THREADS ? " (* runs Heddle):\n" : ":\n");
    return lines.isEmpty()
        ? "This user runs no JVM here."
        : lines.stream().collect(Collectors.joining("\n", heading, ""));
  }

  /**
   * Whether {@code vm} has a thread of a scheduler. Reads the names of its threads, which Linux
   * shows without the help of the JVM.
   */
  private static boolean hasHeddle(VirtualMachineDescriptor vm) {
    try (Stream<Path> threads = Files.list(Path.of("/proc", vm.id(), "task"))) {
      return threads.anyMatch(JavaProcesses::isThreadOfHeddle);
    } catch (IOException | RuntimeException e) {
      return false; // it has ended, or this is not Linux
    }
  }

  private static boolean isThreadOfHeddle(Path thread) {
    try {
      return Files.readString(thread.resolve("comm")).startsWith(THREAD_PREFIX);
    } catch (IOException e) {
      return false; // it has ended
    }
  }

  /** Removes the JDK's source launcher from a program with its arguments. */
  static String withoutLauncher(String program) {
    return program.replace(SOURCE_LAUNCHER, "");
  }

  /** The program that it runs; empty while the JVM still starts. */
  private static String nameOf(VirtualMachineDescriptor vm) {
    String name = withoutLauncher(vm.displayName());
    return name.length() > MOST_LETTERS ? name.substring(0, MOST_LETTERS) + "..." : name;
  }

  private static Stream<VirtualMachineDescriptor> descriptors() {
    return VirtualMachine.list().stream();
  }
}
