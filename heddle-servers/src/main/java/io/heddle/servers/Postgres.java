package io.heddle.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A PostgreSQL server from Debian's package with its own directory and port; closing it removes it.
 */
final class Postgres implements AutoCloseable {
  private static final Path DEBIANS = Path.of("/usr/lib/postgresql");

  /** PostgreSQL refuses to run as root; Debian's package creates this user. */
  private static final String USER = "postgres";

  private static final long PATIENCE_SECONDS = 60;

  private final Path bin;
  private final Path dir;
  private final Process process;
  private final int port;

  private Postgres(Path bin) throws IOException, InterruptedException {
    this.bin = bin;
    this.dir = Files.createTempDirectory("postgres");
    if (isRoot()) {
      Files.setOwner(
          dir, dir.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(USER));
    }
    this.port = freePort();
    Process init = run("initdb", "-D", data(), "-A", "trust", "-U", USER, "--no-sync");
    if (!init.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || init.exitValue() != 0) {
      init.destroyForcibly();
      throw new IOException("initdb failed: " + log("initdb"));
    }
    this.process =
        run("postgres", "-D", data(), "-h", "127.0.0.1", "-p", "" + port, "-k", "", "-F");
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    awaitListening();
  }

  /** The reason why PostgreSQL cannot run here; empty if it can. */
  static Optional<String> missing() {
    if (bin().isEmpty()) {
      return Optional.of("no PostgreSQL in " + DEBIANS);
    }
    if (isRoot() && !Files.isExecutable(Path.of("/usr/bin/setpriv"))) {
      return Optional.of("PostgreSQL does not run as root, and there is no setpriv");
    }
    return Optional.empty();
  }

  static Postgres start() throws IOException, InterruptedException {
    return new Postgres(bin().orElseThrow());
  }

  String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + USER;
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly(); // kills the postmaster; its children end when they notice
    process.onExit().join();
    for (Path file : files()) {
      Files.deleteIfExists(file);
    }
  }

  /** Deletes the deepest files first. */
  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(dir)) {
      return files.sorted(Comparator.reverseOrder()).toList();
    }
  }

  private static Optional<Path> bin() {
    if (!Files.isDirectory(DEBIANS)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(DEBIANS)) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
          .max(Comparator.naturalOrder());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  /** A port that is free now and unlikely to be taken meanwhile. */
  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private Process run(String program, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      Collections.addAll(
          command, "setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups");
    }
    command.add(bin.resolve(program).toString());
    Collections.addAll(command, args);
    ProcessBuilder builder = new ProcessBuilder(command).directory(dir.toFile());
    return builder.redirectErrorStream(true).redirectOutput(logFile(program).toFile()).start();
  }

  private void awaitListening() throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    for (; ; ) {
      try (Socket socket = new Socket()) {
        socket.connect(address);
        return;
      } catch (IOException e) {
        if (!process.isAlive() || System.nanoTime() - end > 0) {
          process.destroyForcibly();
          throw new IOException("PostgreSQL does not start: " + log("postgres"), e);
        }
        Thread.sleep(10);
      }
    }
  }

  private String data() {
    return dir.resolve("data").toString();
  }

  private Path logFile(String program) {
    return dir.resolve(program + ".log");
  }

  private String log(String program) throws IOException {
    return Files.readString(logFile(program));
  }
}
