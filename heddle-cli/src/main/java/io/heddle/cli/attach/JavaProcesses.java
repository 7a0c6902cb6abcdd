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

  private JavaProcesses() {}

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
            .map(vm -> "  %7s  %s".formatted(vm.id(), nameOf(vm)))
            .toList();
    return lines.isEmpty()
        ? "This user runs no JVM here."
        : lines.stream().collect(Collectors.joining("\n", "The JVMs of this user:\n", ""));
  }

  /** The program that it runs; empty while the JVM still starts. */
  private static String nameOf(VirtualMachineDescriptor vm) {
    String name = vm.displayName().replace(SOURCE_LAUNCHER, "");
    return name.length() > MOST_LETTERS ? name.substring(0, MOST_LETTERS) + "..." : name;
  }

  private static Stream<VirtualMachineDescriptor> descriptors() {
    return VirtualMachine.list().stream();
  }
}
