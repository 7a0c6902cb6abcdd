package io.heddle.cluster.artemis;

import io.heddle.cluster.spi.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A hub in this JVM, in a folder of its own, for as long as a test class runs. */
final class HubHere implements AutoCloseable {
  private final Path folder;
  private final Engine keepsTheHub;

  private HubHere(Path folder) throws InterruptedException {
    this.folder = folder;
    keepsTheHub = EmbeddedEngineTest.connect("embedded:" + folder, "none", "keeper", Map.of());
  }

  static HubHere start() throws Exception {
    return new HubHere(Files.createTempDirectory("heddle-hub"));
  }

  String uri() {
    return "embedded:" + folder;
  }

  /** Returns where another process finds the hub. */
  String address() {
    return "embedded://" + keepsTheHub.address();
  }

  @Override
  public void close() throws IOException {
    keepsTheHub.close();
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : files) {
      Files.deleteIfExists(each);
    }
  }
}
