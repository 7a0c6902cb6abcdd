package io.heddle.servers;

import static org.assertj.core.api.Assertions.assertThat;

import acme.StuckServer;
import io.heddle.SchedulerMXBean;
import io.heddle.SchedulerMXBean.DeadlockCycle;
import io.heddle.SchedulerMXBean.StuckGoroutine;
import io.heddle.servers.ChildProgram.SchedulerChoice;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The checks for deadlocks and leaks in an adopted server under load from this JVM, asked as {@code
 * heddle leaks PID} does: they report the stuck goroutines, and no request of the load.
 */
@Tag("full")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StuckUnderLoadTest {
  private static final int ROUNDS = 3;
  private static final int FORGOTTEN = 3;

  @Test
  void onlyStuckGoroutinesAreReported() throws Exception {
    // The client is closed last, because it waits for its requests: until the server has ended.
    try (HttpClient client = HttpClient.newHttpClient();
        ChildProgram program =
            ChildProgram.server(
                SchedulerChoice.ADOPTED, StuckServer.class, "-Djdk.trackAllThreads=false");
        SharedScheduler remote = SharedScheduler.of(program);
        SteadyLoad load = new SteadyLoad(program)) {
      SchedulerMXBean scheduler = remote.bean();
      CompletableFuture<HttpResponse<String>> news = send(client, program, "/poll");
      for (int i = 0; i < ROUNDS; i++) {
        assertThat(scheduler.findDeadlocked()).isEmpty();
        assertThat(scheduler.findLeaked()).isEmpty();
      }

      List<CompletableFuture<HttpResponse<String>>> stuck =
          List.of(send(client, program, "/transfer"), send(client, program, "/audit"));
      for (int i = 0; i < FORGOTTEN; i++) {
        assertThat(program.get("/forget").body()).isEqualTo("started");
      }
      List<DeadlockCycle> cycles = List.of();
      while (cycles.isEmpty()) {
        cycles = scheduler.findDeadlocked();
      }
      List<StuckGoroutine> leaked = List.of();
      while (leaked.size() < FORGOTTEN) {
        leaked = scheduler.findLeaked();
      }

      for (int i = 0; i < ROUNDS; i++) {
        checkDeadlocked(scheduler.findDeadlocked());
        checkLeaked(scheduler.findLeaked());
      }
      load.awaitTurns(2);
      assertThat(news).as("nothing was published").isNotDone();
      assertThat(program.get("/publish").body()).isEqualTo("published");
      assertThat(news.get().body()).isEqualTo("news");
      assertThat(stuck).noneMatch(CompletableFuture::isDone);
    }
  }

  private static void checkDeadlocked(List<DeadlockCycle> cycles) {
    assertThat(cycles).hasSize(1);
    assertThat(cycles.getFirst().goroutines())
        .hasSize(2)
        .allMatch(g -> g.stack().stream().anyMatch(frame -> frame.contains("lockBoth")));
  }

  private static void checkLeaked(List<StuckGoroutine> leaked) {
    assertThat(leaked)
        .hasSize(FORGOTTEN)
        .allMatch(g -> g.name().equals("forgotten"))
        .allMatch(g -> g.stack().stream().anyMatch(frame -> frame.contains("waitForNothing")));
  }

  private static CompletableFuture<HttpResponse<String>> send(
      HttpClient client, ChildProgram program, String path) {
    return client.sendAsync(program.request(path), BodyHandlers.ofString());
  }
}
