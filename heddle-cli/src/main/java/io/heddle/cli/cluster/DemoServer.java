package io.heddle.cli.cluster;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An engine for one demo, on a free port of this machine, with files in a folder of its own: a
 * nats-server if there is one on the PATH, otherwise the engine inside this JVM.
 */
final class DemoServer implements AutoCloseable {
  private static final long PATIENCE_NANOS = 20_000_000_000L;
  private static final int CONNECT_MILLIS = 1_000;
  private static final int PAUSE_MILLIS = 20;

  private final @Nullable Process process;
  private final Path folder;
  private final int port;

  private DemoServer(@Nullable Process process, Path folder, int port) {
    this.process = process;
    this.folder = folder;
    this.port = port;
  }

  /** Starts a nats-server, or prepares the engine inside this JVM. */
  static DemoServer start(Map<String, String> environment)
      throws IOException, InterruptedException {
    Path program =
        Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator))
            .map(each -> Path.of(each, "nats-server"))
            .filter(Files::isExecutable)
            .findFirst()
            .orElse(null);
    Path folder = Files.createTempDirectory("heddle-demo");
    if (program == null) {
      return new DemoServer(null, folder, 0);
    }
    int port = freePort();
    Process process =
        new ProcessBuilder(
                program.toString(), "-js", "-a", "127.0.0.1", "-p", "" + port, "-sd", "" + folder)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    DemoServer server = new DemoServer(process, folder, port);
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!server.answers()) {
      if (!process.isAlive() || System.nanoTime() - end > 0) {
        server.close();
        throw new IOException(program + " does not start");
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
    return server;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private boolean answers() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  String url() {
    return process == null ? "embedded:" + folder : "nats://127.0.0.1:" + port;
  }

  String description() {
    return process == null
        ? "this JVM has the engine (no nats-server is on the PATH)"
        : "started nats-server at " + url();
  }

  @Override
  public void close() throws IOException {
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }
}
