package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A module that requires Heddle: compiled against the jar alone, and run with and without the
 * agent.
 */
@HangGuard
@Tag("jdks")
class ModularProgramTest {
  private static final String MODULE =
      """
      module program {
        requires io.heddle;
      }
      """;

  private static final String MAIN =
      """
      package program;

      import io.heddle.Chan;
      import io.heddle.Go;

      public class Main {
        public static void main(String[] args) throws Exception {
          Go.main(
              () -> {
                Chan<String> words = Chan.make();
                Go.go(() -> words.send("hello"));
                System.out.println(words.receive() + " from " + Go.class.getModule());
              });
        }
      }
      """;

  private static final ChildJvm.Result HELLO =
      new ChildJvm.Result(0, "hello from module io.heddle" + System.lineSeparator(), "");

  @TempDir private Path dir;
  private Path jar;
  private String modulePath;

  @BeforeEach
  void compile() throws Exception {
    jar =
        new HeddleJar()
            .attribute("Premain-Class", "io.heddle.agent.Agent")
            .attribute("Can-Redefine-Classes", "true")
            .attribute("Can-Retransform-Classes", "true")
            .pack(dir.resolve("heddle.jar"), ChildJvm.classes());
    Path sources = Files.createDirectories(dir.resolve("sources/program"));
    Path module = Files.writeString(sources.resolve("module-info.java"), MODULE);
    Path main = Files.writeString(sources.resolve("Main.java"), MAIN);
    Path classes = dir.resolve("classes");
    StringWriter said = new StringWriter();
    int code =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                new PrintWriter(said),
                new PrintWriter(said),
                "-Xlint:all",
                "-Werror",
                "-p",
                jar.toString(),
                "-d",
                classes.toString(),
                module.toString(),
                main.toString());
    assertThat(code).as(said::toString).isZero();
    modulePath = jar + File.pathSeparator + classes;
  }

  @SideBySide
  @Test
  void runsWithTheFlag() throws Exception {
    assertThat(
            ChildJvm.bare()
                .flags("--add-opens", "java.base/java.lang=io.heddle", "-p", modulePath)
                .run("-m", "program/program.Main"))
        .isEqualTo(HELLO);
  }

  @SideBySide
  @Test
  void runsWithTheAgent() throws Exception {
    assertThat(
            ChildJvm.bare()
                .flags("-javaagent:" + jar, "-p", modulePath)
                .run("-m", "program/program.Main"))
        .isEqualTo(HELLO);
  }

  @SideBySide
  @Test
  void runsAdopted() throws Exception {
    assertThat(
            ChildJvm.bare()
                .flags("-javaagent:" + jar + "=adopt,preempt", "-p", modulePath)
                .run("-m", "program/program.Main"))
        .isEqualTo(HELLO);
  }
}
