package io.heddle.cluster.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.cluster.contract.EngineServer;
import io.heddle.cluster.spi.Engine;
import io.heddle.testkit.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A process that has the hub of a folder, and does nothing else. */
final class HubProcess implements EngineServer {
  private final Path folder;
  private final Map<String, String> settings;
  private final int port;
  private Process process;
  private BufferedReader out;

  private HubProcess(Path folder, Map<String, String> settings) throws IOException {
    this.folder = folder;
    this.settings = settings;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
  }

  static HubProcess start(Path folder) throws Exception {
    return start(folder, Map.of());
  }

  static HubProcess start(Path folder, Map<String, String> settings) throws Exception {
    HubProcess hub = new HubProcess(folder, settings);
    hub.restart();
    return hub;
  }

  @Override
  public void restart() throws Exception {
    List<String> arguments = new ArrayList<>();
    arguments.add(HubProcess.class.getName());
    arguments.add("embedded:" + folder);
    arguments.add("port=" + port);
    settings.forEach((key, value) -> arguments.add(key + "=" + value));
    process =
        ChildJvm.bare()
            .flags("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"))
            .builder(arguments.toArray(String[]::new))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    out = process.inputReader();
    assertThat(out.readLine()).as("the address of the hub").isEqualTo("127.0.0.1:" + port);
  }

  /** Opens the engine with a URI and settings; prints its address; ends with the test's JVM. */
  public static void main(String[] args) throws Exception {
    Map<String, String> settings = new HashMap<>();
    for (String each : List.of(args).subList(1, args.length)) {
      settings.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
    }
    try (Engine engine = EmbeddedEngineTest.connect(args[0], "none", "hub", settings)) {
      System.out.println(engine.address());
      while (System.in.read() >= 0) {}
    }
    System.out.println(
        Thread.getAllStackTraces().keySet().stream()
            .filter(each -> !each.isDaemon() && each != Thread.currentThread())
            .map(Thread::getName)
            .toList());
  }

  /** Ends the process in good order; returns which threads were left. */
  String end() throws Exception {
    process.outputWriter().close();
    String threads = out.readLine();
    assertThat(process.waitFor()).isZero();
    return threads;
  }

  @Override
  public String uri() {
    return "embedded://127.0.0.1:" + port;
  }

  @Override
  public int port() {
    return port;
  }

  void signal(String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor();
  }

  @Override
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
