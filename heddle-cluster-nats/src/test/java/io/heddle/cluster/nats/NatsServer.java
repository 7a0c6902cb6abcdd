package io.heddle.cluster.nats;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.heddle.cluster.contract.EngineServer;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A process {@code nats-server} of a test, on a port of its own, with files in a folder of its own.
 * Its path comes from the system property {@code heddle.nats.server} or from the PATH.
 */
final class NatsServer implements EngineServer {
  private final Path program;
  private final Path folder;
  private final int port;
  private final List<String> more;
  private Process process;

  /** Starts a server, and skips the test if there is none. */
  static NatsServer start(String... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-js"));
    arguments.addAll(List.of(more));
    return startWith(arguments);
  }

  /** Starts a server without JetStream, if {@code arguments} do not say so. */
  static NatsServer startWith(List<String> arguments) throws Exception {
    Path program = program();
    assumeTrue(
        program != null,
        "no nats-server 2.11 or newer on the PATH: go install"
            + " github.com/nats-io/nats-server/v2@latest");
    NatsServer server = new NatsServer(program, freePort(), arguments);
    server.restart();
    return server;
  }

  private NatsServer(Path program, int port, List<String> more) throws IOException {
    this.program = program;
    this.port = port;
    this.more = more;
    folder = Files.createTempDirectory("heddle-nats");
  }

  static Path program() {
    String property = System.getProperty("heddle.nats.server");
    String path = property != null ? "" : System.getenv().getOrDefault("PATH", "");
    return Stream.concat(
            Stream.ofNullable(property).map(Path::of),
            Stream.of(path.split(File.pathSeparator)).map(each -> Path.of(each, "nats-server")))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void restart() throws Exception {
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of(program.toString(), "-a", "127.0.0.1", "-p", "" + port, "-sd", "" + folder));
    command.addAll(more);
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
            .start();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!answers()) {
      if (!process.isAlive() || System.nanoTime() - end > 0) {
        throw new IOException("nats-server: " + Files.readString(folder.resolve("log")));
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private boolean answers() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public String uri() {
    return "nats://127.0.0.1:" + port;
  }

  @Override
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() throws IOException {
    kill();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }
}
