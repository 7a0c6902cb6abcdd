package io.heddle.release;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Spring Boot application in an executable jar, started without any flag. */
final class Server implements AutoCloseable {
  private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

  private final Process process;
  private final Path output;
  private final int port;

  private Server(Process process, Path output) throws IOException, InterruptedException {
    this.process = process;
    this.output = output;
    this.port = awaitPort();
  }

  /** Returns when the application listens. */
  static Server start(Path jar) throws IOException, InterruptedException {
    Path output = jar.resolveSibling("output");
    String java = Path.of(Build.JAVA_HOME, "bin", "java").toString();
    ProcessBuilder builder =
        new ProcessBuilder(java, "-jar", jar.toString(), "--server.port=0")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().keySet().removeIf(name -> name.endsWith("JAVA_OPTIONS"));
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    return new Server(builder.start(), output);
  }

  String get(String path) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://127.0.0.1:" + port + path);
      return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    }
  }

  String said() throws IOException {
    return Files.readString(output);
  }

  private int awaitPort() throws IOException, InterruptedException {
    while (process.isAlive()) {
      Matcher started = PORT.matcher(said());
      if (started.find()) {
        return Integer.parseInt(started.group(1));
      }
      process.waitFor(50, TimeUnit.MILLISECONDS);
    }
    throw new AssertionError(said());
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
