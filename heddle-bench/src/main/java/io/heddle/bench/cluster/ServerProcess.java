package io.heddle.bench.cluster;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A nats-server of the PATH, with JetStream, on a free port of the loopback address. */
record ServerProcess(Process process, Path folder, int port) implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  static ServerProcess start() throws IOException, InterruptedException {
    Path program =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .map(each -> Path.of(each, "nats-server"))
            .filter(Files::isExecutable)
            .findFirst()
            .orElseThrow(() -> new IOException("no nats-server is on the PATH"));
    Path folder = Files.createTempDirectory("heddle-bench");
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Process process =
        new ProcessBuilder(
                program.toString(), "-js", "-a", "127.0.0.1", "-p", "" + port, "-sd", "" + folder)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    ServerProcess server = new ServerProcess(process, folder, port);
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!server.answers()) {
      if (!process.isAlive() || System.nanoTime() - end > 0) {
        server.close();
        throw new IOException(program + " does not start");
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    return server;
  }

  private boolean answers() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  String url() {
    return "nats://127.0.0.1:" + port;
  }

  /** Returns how much memory the server has now, in bytes. */
  long residentBytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("[^0-9]", "")))
        .sum();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }
}
