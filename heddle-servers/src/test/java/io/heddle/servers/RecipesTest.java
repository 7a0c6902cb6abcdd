package io.heddle.servers;

import static org.assertj.core.api.Assertions.assertThat;

import acme.GrpcService;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.heddle.servers.ChildProgram.SchedulerChoice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import recipes.GrpcRecipe;
import recipes.HttpClientRecipe;
import recipes.JdbcRecipe;
import recipes.JdkServerRecipe;
import recipes.JettyRecipe;
import recipes.SpringRecipe;
import recipes.TomcatRecipe;

/** The recipes in the docs work with the one flag and without an agent. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RecipesTest {
  private static final Path SOURCES = Path.of("src", "main", "java", "recipes");
  private static final Path DOCS = Path.of("..", "docs", "guide", "servers.md");
  private static final String OURS = "@heddle-shared-M";

  static Stream<String> recipes() throws Exception {
    try (Stream<Path> files = Files.list(SOURCES)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("recipes")
  void docsContainTheRecipe(String file) throws Exception {
    String source = Files.readString(SOURCES.resolve(file));
    int start = source.indexOf("\n", source.indexOf("// recipe")) + 1;
    String recipe = source.substring(start, source.indexOf("// end")).stripIndent().strip();
    assertThat(recipe.lines().count()).as("ten lines").isBetween(1L, 10L);
    assertThat(Files.readString(DOCS)).contains("```java\n" + recipe + "\n```");
  }

  @Test
  void jetty() throws Exception {
    serverRunsOnGoroutines(JettyRecipe.class);
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(classes = {TomcatRecipe.class, SpringRecipe.class, JdkServerRecipe.class})
  void serverRunsOnGoroutines(Class<?> recipe) throws Exception {
    try (ChildProgram program = ChildProgram.server(SchedulerChoice.LIBRARY, recipe)) {
      assertThat(program.get("/thread?n=0").body()).contains(OURS);
      LoadGenerator load =
          LoadGenerator.of(RequestSpec.SQUARE, 50).lasting(Duration.ZERO, Duration.ofMillis(500));
      assertThat(load.against(program.address()).answers()).isPositive();
    }
  }

  @Test
  void jdbcRunsOnGoroutines() throws Exception {
    String[] args = {BankTest.H2, "" + BankTest.THREADS, "" + BankTest.TRANSFERS};
    try (ChildProgram program =
        ChildProgram.start(SchedulerChoice.LIBRARY, List.of(), JdbcRecipe.class, args)) {
      BankTest.check(program, true);
    }
  }

  @Tag("full")
  @Test
  void clientRunsOnGoroutines() throws Exception {
    try (ChildProgram server = ServerKind.JDK.start(SchedulerChoice.JDK);
        ChildProgram client =
            ChildProgram.start(
                SchedulerChoice.LIBRARY,
                List.of(),
                HttpClientRecipe.class,
                "http://127.0.0.1:" + server.address().getPort() + "/square?n=12")) {
      assertThat(client.awaitEnd()).as(client::said).isZero();
      assertThat(client.said()).startsWith("answer 200 on VirtualThread").contains(OURS, "\n144");
    }
  }

  @Tag("full")
  @Test
  void grpcRunsOnGoroutines() {
    try (ChildProgram program = ChildProgram.server(SchedulerChoice.LIBRARY, GrpcRecipe.class)) {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress(program.address()).usePlaintext().build();
      try {
        assertThat(call(channel, "/square?n=12")).isEqualTo("144");
        assertThat(call(channel, "/thread?n=0")).contains(OURS);
      } finally {
        channel.shutdownNow();
      }
    }
  }

  private static String call(ManagedChannel channel, String request) {
    return ClientCalls.blockingUnaryCall(channel, GrpcService.ANSWER, CallOptions.DEFAULT, request);
  }
}
