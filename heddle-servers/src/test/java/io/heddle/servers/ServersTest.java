package io.heddle.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.servers.ChildProgram.SchedulerChoice;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Servers that do not use Heddle, in separate JVMs under load from this one, with and without the
 * agent.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServersTest {
  private static final String OURS = "@heddle-shared-M";
  private static final int FOR_EVER = 600_000;

  @Test
  void jettyAnswersAreCorrectUnderLoadOnGoroutines() throws Exception {
    answersAreCorrectUnderLoad(ServerKind.JETTY, SchedulerChoice.ADOPTED);
  }

  @Tag("full")
  @ParameterizedTest
  @CsvSource({
    "JETTY,JDK",
    "TOMCAT,JDK",
    "TOMCAT,ADOPTED",
    "SPRING,JDK",
    "SPRING,ADOPTED",
    "JDK,JDK",
    "JDK,ADOPTED"
  })
  void answersAreCorrectUnderLoad(ServerKind server, SchedulerChoice under) throws Exception {
    try (ChildProgram program = server.start(under)) {
      assertThat(program.get("/thread?n=0").body().contains(OURS))
          .isEqualTo(under == SchedulerChoice.ADOPTED);
      assertThat(program.get("/nowhere?n=0").statusCode()).isEqualTo(404);
      Duration second = Duration.ofSeconds(1);
      assertThat(
              LoadGenerator.of(RequestSpec.SQUARE, 200)
                  .lasting(second, second)
                  .against(program.address())
                  .answers())
          .isPositive();
      assertThat(
              LoadGenerator.of(RequestSpec.waiting(5), 200)
                  .lasting(Duration.ZERO, second)
                  .against(program.address())
                  .answers())
          .isPositive();
      assertThat(program.said()).doesNotContain("Exception");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = SchedulerChoice.class,
      names = {"WATCHED", "WATCHED_BY_LAUNCHER"})
  void watchedServerRunsOnTheJdksScheduler(SchedulerChoice under) throws Exception {
    try (ChildProgram program = ServerKind.JDK.start(under)) {
      assertThat(program.get("/thread?n=0").body()).contains("@ForkJoinPool");
      assertThat(program.said()).contains("watch, observes the JDK's scheduler");
    }
  }

  /** On the JDK's scheduler one computing request per core would keep all others waiting. */
  @Tag("full")
  @ParameterizedTest
  @EnumSource(ServerKind.class)
  void requestsAreAnsweredBesideOneComputingRequestPerCore(ServerKind server) throws Exception {
    int cores = Runtime.getRuntime().availableProcessors();
    try (ChildProgram program = server.start(SchedulerChoice.ADOPTED);
        HttpClient client = HttpClient.newHttpClient()) {
      List<CompletableFuture<HttpResponse<String>>> requests = new ArrayList<>();
      for (int i = 0; i < cores; i++) {
        requests.add(send(client, program, "/compute?n=" + FOR_EVER));
      }
      requests.add(send(client, program, "/wait?n=" + FOR_EVER));
      awaitInDump(program, "acme.Answers.computeFor", cores);
      awaitInDump(program, "acme.Answers.waitFor", 1);
      for (int n = 0; n < 20; n++) {
        assertThat(send(client, program, "/square?n=" + n).join().body()).isEqualTo("" + n * n);
      }
      assertThat(requests).noneMatch(CompletableFuture::isDone);
      client.shutdownNow();
    }
  }

  private static CompletableFuture<HttpResponse<String>> send(
      HttpClient client, ChildProgram program, String pathAndQuery) {
    return client.sendAsync(program.request(pathAndQuery), HttpResponse.BodyHandlers.ofString());
  }

  /** Each pending request is a goroutine, and its stack shows what it does. */
  private static void awaitInDump(ChildProgram program, String method, int times) {
    String dump = program.dump();
    while (dump.split(method, -1).length - 1 != times) {
      if (Thread.interrupted()) {
        throw new AssertionError("not " + times + " times " + method + " in " + dump);
      }
      dump = program.dump();
    }
  }
}
