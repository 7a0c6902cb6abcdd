package io.heddle.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.heddle.cluster.ClusterObserver;
import java.io.File;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class ClusterCrawlerTest {
  private static final String BROKEN = "/999: remote goroutine read failed on node ";

  @TempDir private Path folder;

  /** Checks what a crawl has printed; returns how many pages the nodes have read. */
  private static void assertAllPages(List<String> lines) {
    List<String> nodes = lines.stream().filter(line -> line.contains(" read by ")).toList();
    assertThat(lines).contains("1000 pages");
    assertThat(nodes).contains("  1 read by none");
    assertThat(nodes.stream().mapToInt(line -> Integer.parseInt(line.strip().split(" ")[0])).sum())
        .isEqualTo(1000);
  }

  @Test
  void findsAllPagesAloneAlthoughOneIsBroken() throws Exception {
    Example.Result result = Example.of("ClusterCrawler", "crawl", "local:").run();
    assertThat(result.exitCode()).isZero();
    assertThat(result.err()).startsWith(BROKEN).contains("no such page");
    assertAllPages(result.out());
    assertThat(result.out()).hasSize(3).anyMatch(line -> line.startsWith("  999 read by "));
  }

  @Test
  void refusesWrongArguments() throws Exception {
    Example.of("ClusterCrawler", "crawl")
        .run()
        .isRefused("Two arguments: work or crawl, and an engine such as nats://127.0.0.1:4222");
  }

  @Test
  @Tag("full")
  void findsAllPagesWithAnotherProcessThatIsKilled() throws Exception {
    Path program =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .map(each -> Path.of(each, "nats-server"))
            .filter(Files::isExecutable)
            .findFirst()
            .orElse(null);
    assumeTrue(program != null, "no nats-server on the PATH");
    int port = freePort();
    Process server =
        new ProcessBuilder(
                program.toString(), "-js", "-a", "127.0.0.1", "-p", "" + port, "-sd", "" + folder)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    String uri = "nats://127.0.0.1:" + port;
    try {
      Process worker = Example.of("ClusterCrawler", "work", uri).start();
      try (var out = worker.inputReader();
          ClusterObserver observer = ClusterObserver.open(uri)) {
        String line = out.readLine();
        assertThat(line).contains(" reads pages until Ctrl-C");
        Process crawler = crawlUntilAtWork(uri, observer, line.split(" ")[0]);
        worker.destroyForcibly().onExit().join();
        assertCrawled(crawler);
      } finally {
        worker.destroyForcibly();
      }
    } finally {
      server.destroyForcibly().onExit().join();
    }
  }

  /** Starts a crawl, and again if it ends before {@code worker} was seen at work. */
  private static Process crawlUntilAtWork(String uri, ClusterObserver observer, String worker)
      throws Exception {
    Process crawler = Example.of("ClusterCrawler", "crawl", uri).start();
    while (observer.status().tasks().stream().noneMatch(task -> task.node().equals(worker))) {
      if (!crawler.isAlive()) {
        assertCrawled(crawler);
        crawler = Example.of("ClusterCrawler", "crawl", uri).start();
      }
    }
    return crawler;
  }

  private static void assertCrawled(Process crawler) throws Exception {
    try (var pages = crawler.inputReader()) {
      List<String> lines = pages.lines().toList();
      assertThat(crawler.waitFor()).as("%s", lines).isZero();
      assertAllPages(lines);
    } finally {
      crawler.destroyForcibly();
    }
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
