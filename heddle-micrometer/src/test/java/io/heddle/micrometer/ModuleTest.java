package io.heddle.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Scheduler;
import io.heddle.testkit.ChildJvm;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The module can be used without heddle-cluster, of which it needs nothing but for ClusterMetrics.
 */
class ModuleTest {
  @TempDir private Path dir;

  @Test
  void modularProgramCompilesWithoutTheCluster() throws Exception {
    Path module =
        Files.writeString(
            dir.resolve("module-info.java"), "module acme { requires io.heddle.micrometer; }");
    Path program =
        Files.writeString(
            dir.resolve("Main.java"),
            """
            package acme;
            class Main {
              io.heddle.micrometer.HeddleMetrics metrics = new io.heddle.micrometer.HeddleMetrics();
            }
            """);
    String modules =
        Stream.of(
                Scheduler.class,
                HeddleMetrics.class,
                MeterRegistry.class,
                KeyValues.class,
                Observation.class)
            .map(ChildJvm::placeOf)
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    StringWriter said = new StringWriter();
    int code =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                new PrintWriter(said),
                new PrintWriter(said),
                "-proc:none",
                "--module-path",
                modules,
                "-d",
                dir.resolve("classes").toString(),
                module.toString(),
                program.toString());
    assertThat(code).as(said.toString()).isZero();
  }
}
