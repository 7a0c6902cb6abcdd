package io.heddle.servers;

import static org.assertj.core.api.Assertions.assertThat;

import acme.BatchServer;
import acme.JettyServer;
import acme.spring.SpringServer;
import io.heddle.servers.ChildProgram.SchedulerChoice;
import io.heddle.servers.LoadGenerator.Outcome;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import recipes.JettyOverloadRecipe;

/** Limits, tenants, background work and overload control in servers, under load from this JVM. */
@Tag("full")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OperatingTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void noMoreRequestsThanTheLimitRunAtATime() throws Exception {
    try (ChildProgram program =
        ChildProgram.server(
            SchedulerChoice.ADOPTED, SpringServer.class, "-Dheddle.limit=tomcat-handler-*:4")) {
      LoadGenerator load =
          LoadGenerator.of(RequestSpec.waiting(20), 50)
              .lasting(Duration.ZERO, SECOND.multipliedBy(3));
      FutureTask<Outcome> outcome = new FutureTask<>(() -> load.against(program.address()));
      Thread.ofPlatform().start(outcome);
      int most = 0;
      while (!outcome.isDone()) {
        most = Math.max(most, program.dump().split("acme.Answers.waitFor", -1).length - 1);
      }
      assertThat(outcome.get().answers()).isPositive();
      assertThat(most).isBetween(1, 4);
    }
  }

  @Test
  void requestsRunOnTheSchedulerOfTheirThreads() throws Exception {
    try (ChildProgram program =
        ChildProgram.server(
            SchedulerChoice.JDK_WITH_AGENT,
            SpringServer.class,
            "-Dheddle.adopt=tomcat-handler-*:web(procs=2),no-such-*:other")) {
      assertThat(program.get("/thread?n=0").body()).contains("tomcat-handler-", "@heddle-web-M");
      LoadGenerator load = LoadGenerator.of(RequestSpec.SQUARE, 50).lasting(Duration.ZERO, SECOND);
      assertThat(load.against(program.address()).answers()).isPositive();
    }
  }

  @Test
  void requestsAndBackgroundWorkProceedBesideEachOther() throws Exception {
    try (ChildProgram program = ChildProgram.server(SchedulerChoice.ADOPTED, BatchServer.class)) {
      assertThat(program.get("/thread?n=0").body()).contains("@heddle-shared-M");
      long before = rounds(program);
      LoadGenerator load =
          LoadGenerator.of(RequestSpec.SQUARE, 20).perSecond(200).lasting(SECOND, SECOND);
      assertThat(load.against(program.address()).answers()).isPositive();
      while (rounds(program) == before) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void overloadedServerShedsAndRecovers() throws Exception {
    try (ChildProgram program =
            ChildProgram.server(
                SchedulerChoice.ADOPTED, JettyOverloadRecipe.class, "-Dheddle.overload=20ms");
        HttpClient client = HttpClient.newHttpClient()) {
      assertThat(program.get("/compute?n=5").statusCode()).isEqualTo(200);
      List<CompletableFuture<HttpResponse<String>>> sent =
          IntStream.range(0, 500)
              .mapToObj(_ -> program.request("/compute?n=5"))
              .map(request -> client.sendAsync(request, BodyHandlers.ofString()))
              .toList();
      List<Integer> status = sent.stream().map(answer -> answer.join().statusCode()).toList();
      assertThat(status).contains(200, 503).containsOnly(200, 503);
      while (program.get("/compute?n=5").statusCode() != 200) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void profileOfALoadedServerShowsWhatRequestsWaitFor() throws Exception {
    try (ChildProgram program = ChildProgram.server(SchedulerChoice.ADOPTED, JettyServer.class)) {
      LoadGenerator load =
          LoadGenerator.of(RequestSpec.waiting(20), 50)
              .lasting(Duration.ZERO, SECOND.multipliedBy(10));
      FutureTask<Outcome> outcome = new FutureTask<>(() -> load.against(program.address()));
      Thread.ofPlatform().start(outcome);
      String profile = "";
      while (!outcome.isDone() && !profile.contains("acme.Answers.waitFor(")) {
        profile = program.profile();
      }
      assertThat(profile.lines())
          .anyMatch(line -> line.contains("state=sleep") && line.contains("acme.Answers.waitFor("));
      assertThat(outcome.get().answers()).isPositive();
      assertThat(program.dump()).contains("\nCPU time by creation site, sampled:\n");
    }
  }

  private static long rounds(ChildProgram program) throws Exception {
    return Long.parseLong(program.get("/rounds").body());
  }
}
