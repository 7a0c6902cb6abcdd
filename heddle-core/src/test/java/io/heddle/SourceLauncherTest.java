package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A program in one source file, as the README shows: {@code java Hello.java} tells what went wrong,
 * and where.
 */
@HangGuard
@Tag("jdks")
class SourceLauncherTest {
  @TempDir private Path dir;

  @Test
  void exceptionOfMainGoroutineIsShownWithUserFrames() throws Exception {
    assertShows(
        "throw new IllegalStateException(\"oh\");",
        "Exception in thread \"main\" java.lang.IllegalStateException: oh");
  }

  @Test
  void exceptionOfTheLibraryIsShownWithUserFrames() throws Exception {
    assertShows(
        "Chan<Integer> c = Chan.make(); c.close(); c.send(1);",
        "Exception in thread \"main\" io.heddle.ClosedChanException: ");
  }

  @Test
  void exceptionOfADeepCallIsShownWithUserFrames() throws Exception {
    assertShows("deep(10);", "Exception in thread \"main\" java.lang.IllegalStateException: deep");
  }

  private void assertShows(String body, String message) throws Exception {
    Path file =
        Files.writeString(
            dir.resolve("Hello.java"),
            """
            import io.heddle.*;

            class Hello {
              public static void main(String[] args) throws Exception {
                Go.main(() -> {
                  BODY
                });
              }

              static void deep(int n) {
                if (n == 0) {
                  throw new IllegalStateException("deep");
                }
                deep(n - 1);
              }
            }
            """
                .replace("BODY", body));
    ChildJvm.Result result =
        ChildJvm.bare()
            .flags(ChildJvm.OPENS, "-cp", ChildJvm.classes().toString())
            .run(file.toString());
    assertThat(result.err()).startsWith(message);
    assertThat(result.err().lines().map(String::strip))
        .anyMatch(line -> line.startsWith("at Hello.lambda$main$0(Hello.java:6"))
        .anyMatch(line -> line.startsWith("at Hello.main(Hello.java:5"))
        .noneMatch(line -> line.contains("com.sun.tools.javac"));
    assertThat(result.exitCode()).isOne();
  }
}
