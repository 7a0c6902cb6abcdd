package io.heddle.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real application as an executable jar, in a JVM without any flag, under load from this one; and
 * what it says if the manifest lacks the entry.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExecutableJarTest {
  private static final Pattern LISTENING = Pattern.compile("listening on (\\d+)");
  private static final String[] QUICK_START = {"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"};
  private static final String ADD_OPENS = "Add-Opens: java.base/java.lang\n";
  private static final String GOROUTINE = "@heddle-shared-M";

  @TempDir Path folder;

  @Test
  void answersOnGoroutinesWithoutAFlagAlsoBesideComputingRequests() throws Exception {
    Path jar = ExecutableJar.make(folder, ADD_OPENS);
    Process process =
        child(
            "-jar",
            jar.toString(),
            "--server.port=0",
            "--management.endpoints.web.exposure.include=*");
    try (HttpClient client = HttpClient.newHttpClient()) {
      String base = "http://127.0.0.1:" + port(process);

      assertThat(get(client, base + "/thread")).contains("tomcat-handler-", GOROUTINE);
      assertThat(get(client, base + "/async")).contains("task-", GOROUTINE);
      assertThat(get(client, base + "/scheduled")).contains("scheduling-", GOROUTINE);
      assertThat(get(client, base + "/actuator/health")).contains("\"status\":\"UP\"");
      underLoad(base, 4, 200);

      // One per CPU: on the JDK's scheduler no other request would be answered.
      List<CompletableFuture<HttpResponse<String>>> computing = new ArrayList<>();
      for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
        computing.add(client.sendAsync(request(base + "/compute"), BodyHandlers.ofString()));
      }
      awaitComputing(client, base, computing.size());
      underLoad(base, 2, 10);
      assertThat(get(client, base + "/actuator/goroutines?grouped=false"))
          .contains("tomcat-handler-", "shop.ShopApplication.compute");
      assertThat(computing).noneMatch(CompletableFuture::isDone);
      client.shutdownNow();
      assertThat(said()).contains("Goroutines run on Scheduler[shared").doesNotContain("WARN");
    } finally {
      end(process);
    }
  }

  /** In the environment of a process, as an operator sets it; and no flag is needed then. */
  @Tag("full")
  @Test
  void heddleOffMakesPlainVirtualThreads() throws Exception {
    String classPath = System.getProperty("java.class.path");
    ProcessBuilder builder =
        ChildJvm.bare()
            .env("HEDDLE", "off")
            .flags(QUICK_START)
            .builder(
                "-cp",
                classPath,
                "shop.ShopApplication",
                "--server.port=0",
                "--management.endpoints.web.exposure.include=*");
    Process process = builder.redirectErrorStream(true).redirectOutput(output()).start();
    try (HttpClient client = HttpClient.newHttpClient()) {
      String base = "http://127.0.0.1:" + port(process);
      for (String path : List.of("/thread", "/async", "/scheduled")) {
        assertThat(get(client, base + path))
            .startsWith("VirtualThread[")
            .contains("@ForkJoinPool-1-worker-");
      }
      assertThat(get(client, base + "/actuator/health")).contains("\"status\":\"UP\"");
      assertThat(get(client, base + "/actuator/goroutines")).contains("Heddle is off");
    } finally {
      end(process);
    }
  }

  @Test
  void missingEntryIsNamed() throws Exception {
    Process process = child("-cp", System.getProperty("java.class.path"), "shop.ShopApplication");
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(1);
    assertThat(said())
        .contains("APPLICATION FAILED TO START", "the package java.lang is not open")
        .contains("--add-opens java.base/java.lang=ALL-UNNAMED")
        .contains("<Add-Opens>java.base/java.lang</Add-Opens>", "heddle.enabled=false")
        .doesNotContain("BeanCreationException");
  }

  /** Each client checks each answer. */
  private static void underLoad(String base, int clients, int requests) {
    AtomicLong next = new AtomicLong();
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      CompletableFuture<Void> done = new CompletableFuture<>();
      all.add(done);
      Thread.ofPlatform()
          .start(
              () -> {
                try (HttpClient client = HttpClient.newHttpClient()) {
                  for (int j = 0; j < requests; j++) {
                    long n = next.incrementAndGet();
                    assertThat(get(client, base + "/square?n=" + n)).isEqualTo("" + n * n);
                  }
                  done.complete(null);
                } catch (Throwable t) {
                  done.completeExceptionally(t);
                }
              });
    }
    all.forEach(CompletableFuture::join);
  }

  /** Waits until this number of requests computes. */
  private static void awaitComputing(HttpClient client, String base, int number) throws Exception {
    String dump;
    do {
      dump = get(client, base + "/actuator/goroutines?grouped=false");
    } while (dump.split("shop\\.ShopApplication\\.compute", -1).length - 1 < number);
  }

  private static String get(HttpClient client, String uri) throws Exception {
    HttpResponse<String> response = client.send(request(uri), BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return response.body();
  }

  private static HttpRequest request(String uri) {
    return HttpRequest.newBuilder(URI.create(uri)).timeout(Duration.ofSeconds(60)).build();
  }

  private Process child(String... arguments) throws Exception {
    return ChildJvm.bare()
        .flags(QUICK_START)
        .builder(arguments)
        .redirectErrorStream(true)
        .redirectOutput(output())
        .start();
  }

  private File output() {
    return folder.resolve("output").toFile();
  }

  private String said() throws Exception {
    return Files.readString(output().toPath());
  }

  private int port(Process process) throws Exception {
    while (process.isAlive()) {
      Matcher listening = LISTENING.matcher(said());
      if (listening.find()) {
        return Integer.parseInt(listening.group(1));
      }
      process.waitFor(50, TimeUnit.MILLISECONDS);
    }
    throw new AssertionError(said());
  }

  private static void end(Process process) throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }
}
