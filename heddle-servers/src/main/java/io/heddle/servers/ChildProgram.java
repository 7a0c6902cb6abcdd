package io.heddle.servers;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A program in a separate JVM, which ends with this one at the latest. */
final class ChildProgram implements AutoCloseable {
  /** The scheduler of the program's virtual threads. */
  enum SchedulerChoice {
    /** The JDK's scheduler. */
    JDK("-cp", AgentPaths.classPathWithout()),
    /** The JDK's scheduler with an idle agent, which shows the cost of agents. */
    JDK_WITH_AGENT("-javaagent:" + AgentPaths.jar(), "-cp", AgentPaths.classPathWithout()),
    /** The JDK's scheduler, observed by watch mode. */
    WATCHED("-javaagent:" + AgentPaths.jar() + "=watch", "-cp", AgentPaths.classPathWithout()),
    /** The JDK's scheduler, observed by watch mode, which the launcher starts without an agent. */
    WATCHED_BY_LAUNCHER(
        List.of("io.heddle.Launch", "--options=watch"),
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "-cp",
        AgentPaths.jar() + File.pathSeparator + AgentPaths.classPathWithout()),
    /** Heddle, added by the agent: the program does not use it. */
    ADOPTED("-javaagent:" + AgentPaths.jar() + "=adopt", "-cp", AgentPaths.classPathWithout()),
    /** Heddle, used by the program itself. */
    LIBRARY("--add-opens=java.base/java.lang=ALL-UNNAMED", "-cp", AgentPaths.classPathWith());

    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<String> flags;

    /** What stands before the program's main class. */
    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<String> launcher;

    SchedulerChoice(String... flags) {
      this(List.of(), flags);
    }

    SchedulerChoice(List<String> launcher, String... flags) {
      this.launcher = launcher;
      this.flags = List.of(flags);
    }
  }

  private static final Pattern LISTENING = Pattern.compile("listening on (\\d+)");
  private static final long PATIENCE_SECONDS = 60;
  private static final String END = "\0";

  private final Process process;
  private final PrintStream in;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final List<String> seen = new ArrayList<>();
  private @Nullable InetSocketAddress address;

  private ChildProgram(Process process) {
    this.process = process;
    this.in = new PrintStream(process.getOutputStream(), true);
    Thread.ofPlatform().daemon().name("output of " + process.pid()).start(this::readOutput);
  }

  /** Starts a server that takes a port; returns when it listens. */
  static ChildProgram server(SchedulerChoice under, Class<?> main, String... flags) {
    ChildProgram program = start(under, List.of(flags), main, "0");
    String port = program.awaitLine(LISTENING).group(1);
    program.address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
    return program;
  }

  static ChildProgram start(
      SchedulerChoice under, List<String> flags, Class<?> main, String... args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(under.flags);
    command.addAll(flags);
    command.addAll(under.launcher);
    Collections.addAll(command, WatchedMain.class.getName(), main.getName());
    Collections.addAll(command, args);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(ChildProgram::changesTheJvm);
    try {
      return new ChildProgram(builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long pid() {
    return process.pid();
  }

  InetSocketAddress address() {
    return Objects.requireNonNull(address, "it is no server");
  }

  /** The CPU time of all its threads so far; empty if the operating system does not report it. */
  Duration cpuTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Sends one request and returns the answer's text. */
  HttpResponse<String> get(String pathAndQuery) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request(pathAndQuery), HttpResponse.BodyHandlers.ofString());
    }
  }

  HttpRequest request(String pathAndQuery) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + address().getPort() + pathAndQuery))
        .build();
  }

  /** Returns the dump of the program's shared scheduler. */
  String dump() {
    return ask(WatchedMain.DUMP);
  }

  /** Returns a profile of a second of that scheduler, a line for each stack. */
  String profile() {
    return ask(WatchedMain.PROFILE);
  }

  private String ask(String command) {
    in.println(command);
    StringBuilder dump = new StringBuilder();
    for (String line = next(); !line.equals(WatchedMain.END_OF_DUMP); line = next()) {
      dump.append(line).append('\n');
    }
    return dump.toString();
  }

  /** Waits for the next line of output that matches. */
  Matcher awaitLine(Pattern pattern) {
    for (; ; ) {
      Matcher matcher = pattern.matcher(next());
      if (matcher.find()) {
        return matcher;
      }
    }
  }

  /** Waits for the program to end by itself and returns its exit code. */
  int awaitEnd() throws InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("does not end: " + said());
    }
    return process.exitValue();
  }

  /** Everything that it has printed so far, standard error included. */
  String said() {
    lines.drainTo(seen);
    return String.join("\n", seen);
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String next() {
    try {
      String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (line == null || line.equals(END)) {
        throw new AssertionError(
            (line == null ? "there is no further output: " : "it has ended: ") + said());
      }
      seen.add(line);
      return line;
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted; output so far: " + said(), e);
    }
  }

  private void readOutput() {
    try (BufferedReader out = process.inputReader()) {
      out.lines().forEach(lines::add);
    } catch (IOException | UncheckedIOException e) {
      lines.add(e.toString());
    }
    lines.add(END);
  }

  private static boolean changesTheJvm(String variable) {
    return variable.startsWith("HEDDLE_")
        || variable.equals("JDK_JAVA_OPTIONS")
        || variable.equals("JAVA_TOOL_OPTIONS");
  }
}
