package io.heddle.cli.doctor;

import io.heddle.cli.attach.TargetException;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A command line {@code java ... Main}, changed so that {@link Probe} runs instead of the program,
 * with the same flags and agents.
 */
public final class ProbeCommand {
  /** The options of {@code java} that take the next word as their value. */
  private static final Set<String> WITH_VALUE =
      Set.of(
          "-cp",
          "-classpath",
          "--class-path",
          "-p",
          "--module-path",
          "--upgrade-module-path",
          "--add-modules",
          "--add-opens",
          "--add-exports",
          "--add-reads",
          "--patch-module",
          "--limit-modules",
          "--enable-native-access",
          "--source");

  /** Flags that write files, open ports or wait for a debugger. The probe must do none of these. */
  private static final List<String> LEFT_OUT =
      List.of(
          "-agentlib:jdwp",
          "-Xrunjdwp",
          "-XX:StartFlightRecording",
          "-XX:AOT",
          "-XX:ArchiveClassesAtExit",
          "-XX:FlightRecorderOptions",
          "-Xlog",
          "-Dcom.sun.management.jmxremote",
          "-Dheddle.dashboard",
          "-Dheddle.trace",
          "-Dheddle.flight");

  private static final String LAUNCHER = "io.heddle.Launch";

  private final String java;
  private final List<String> options = new ArrayList<>();
  private @Nullable String classPath;
  private @Nullable Path jar;

  /** The words between Heddle's launcher and the program; null if it does not start the program. */
  private @Nullable List<String> launcherOptions;

  private @Nullable String launchedPath;

  private ProbeCommand(String java) {
    this.java = java;
  }

  /**
   * Parses a command line.
   *
   * @throws IllegalArgumentException if it is not a command line of java; the message says what is
   *     wrong
   */
  public static ProbeCommand parse(List<String> words) {
    Deque<String> rest = new ArrayDeque<>(words);
    String java = rest.removeFirst();
    if (!new File(java).getName().matches("java(\\.exe)?")) {
      throw new IllegalArgumentException(
          "'" + java + "' is neither a process id nor java: give a number, or -- java ...");
    }
    ProbeCommand command = new ProbeCommand(java);
    while (!rest.isEmpty() && rest.getFirst().startsWith("-") && !command.takeMain(rest)) {
      command.takeOption(rest);
    }
    if (command.isLauncher(rest)) {
      command.takeLauncher(rest);
    }
    return command;
  }

  /** Whether Heddle's launcher starts the program: {@code java -jar heddle.jar ...}. */
  private boolean isLauncher(Deque<String> rest) {
    if (jar != null) {
      return LAUNCHER.equals(manifestValue(jar, "Main-Class"));
    }
    return LAUNCHER.equals(rest.peekFirst()) && LAUNCHER.equals(rest.removeFirst());
  }

  /** Takes the options of the launcher, and the class path of the program that it starts. */
  private void takeLauncher(Deque<String> rest) {
    List<String> taken = new ArrayList<>();
    while (!rest.isEmpty() && rest.getFirst().startsWith("-")) {
      String option = rest.removeFirst();
      if (List.of("-cp", "-classpath", "--class-path").contains(option)) {
        launchedPath = rest.pollFirst();
      } else if (!option.equals("-jar")) {
        taken.add(option);
      }
    }
    if (launchedPath == null && !rest.isEmpty() && rest.getFirst().endsWith(".jar")) {
      launchedPath = rest.getFirst();
    }
    launcherOptions = taken;
  }

  /** Takes an option that names the program; returns whether there was one. */
  private boolean takeMain(Deque<String> rest) {
    String option = rest.getFirst();
    if (option.equals("-jar") && rest.size() > 1) {
      rest.removeFirst();
      jar = Path.of(rest.removeFirst());
      return true;
    }
    if ((option.equals("-m") || option.equals("--module")) && rest.size() > 1) {
      rest.removeFirst();
      options.addAll(List.of("--add-modules", rest.removeFirst().replaceFirst("/.*", "")));
      return true;
    }
    return false;
  }

  private void takeOption(Deque<String> rest) {
    String option = rest.removeFirst();
    String value = WITH_VALUE.contains(option) && !rest.isEmpty() ? rest.removeFirst() : null;
    switch (option) {
      case "-cp", "-classpath", "--class-path" -> classPath = value;
      case "--source" -> {} // the program is a source file, which the probe replaces
      default -> {
        if (LEFT_OUT.stream().noneMatch(option::startsWith)) {
          options.add(option);
          if (value != null) {
            options.add(value);
          }
        }
      }
    }
  }

  /** Returns the command that runs the probe, whose class is in {@code folder}. */
  List<String> command(Path folder) {
    List<String> command = new ArrayList<>();
    command.add(java);
    command.addAll(options);
    String path = classPath == null ? System.getenv("CLASSPATH") : classPath;
    if (jar != null) {
      command.addAll(opensOf(jar));
      path = jar.toString();
    }
    command.add("-cp");
    if (launcherOptions == null) {
      command.add(withFolder(path, folder));
    } else {
      command.add(path == null ? "" : path);
      command.add(LAUNCHER);
      command.addAll(launcherOptions);
      command.add("-cp");
      command.add(withFolder(launchedPath, folder));
    }
    command.add(Probe.class.getName());
    return command;
  }

  private static String withFolder(@Nullable String path, Path folder) {
    return path == null ? folder.toString() : path + File.pathSeparator + folder;
  }

  /** The packages that the manifest opens, as options: they hold for {@code -jar} alone. */
  private static List<String> opensOf(Path jar) {
    String opens = manifestValue(jar, "Add-Opens");
    return opens == null
        ? List.of()
        : Stream.of(opens.strip().split("\\s+"))
            .flatMap(each -> Stream.of("--add-opens", each + "=ALL-UNNAMED"))
            .toList();
  }

  /** The value of an attribute of the manifest; null if it has none. */
  private static @Nullable String manifestValue(Path jar, String name) {
    if (!Files.isRegularFile(jar)) {
      throw new IllegalArgumentException("there is no file '" + jar + "'");
    }
    try (JarFile file = new JarFile(jar.toFile())) {
      Manifest manifest = file.getManifest();
      return manifest == null ? null : manifest.getMainAttributes().getValue(name);
    } catch (IOException e) {
      throw new IllegalArgumentException(jar + " cannot be read as a jar: " + e.getMessage(), e);
    }
  }

  /** Runs the probe, and returns the facts about its JVM. */
  public Vitals examine() throws IOException, TargetException {
    Path folder = Files.createTempDirectory("heddle-doctor");
    Path type = folder.resolve(Probe.class.getName().replace('.', '/') + ".class");
    try {
      Files.createDirectories(type.getParent());
      try (InputStream in = Probe.class.getResourceAsStream("Probe.class")) {
        Files.copy(in, type);
      }
      Process process =
          new ProcessBuilder(command(folder))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try {
        awaitReady(process);
        return Vitals.of(process.pid());
      } finally {
        process.destroyForcibly();
      }
    } finally {
      delete(folder);
    }
  }

  private static void awaitReady(Process process) throws IOException {
    BufferedReader out = process.inputReader();
    String line;
    do {
      line = out.readLine();
    } while (line != null && !line.equals(Probe.READY));
    if (line == null) {
      throw new IOException("that JVM does not start: its own message is above");
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
