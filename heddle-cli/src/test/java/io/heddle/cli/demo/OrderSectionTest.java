package io.heddle.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.cli.screen.Screen;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The section detects a wrong order, and prints the program that it runs. */
class OrderSectionTest {
  private final StringWriter out = new StringWriter();
  private final Screen screen =
      Screen.of(new PrintWriter(out), StandardCharsets.UTF_8, false, Map.of());

  @Test
  void programHasGosOrder() throws Exception {
    assertThat(new OrderProgram().call()).containsExactly(9, 0, 1, 2, 3, 4, 5, 6, 7, 8);
  }

  @Test
  void oneWrongRunFailsTheDemoAndIsReported() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    Section section =
        new OrderSection(
            screen,
            () -> runs.incrementAndGet() == 7 ? List.of(0, 1, 2) : OrderProgram.EXPECTED,
            10);

    assertThat(new Demo(List.of(section, () -> true)).play()).isFalse();
    assertThat(out.toString()).contains("WRONG ORDER in run 7 of 10: 0 1 2", "please report");
  }

  @Test
  void printedProgramIsTheProgramThatRuns() throws Exception {
    Path source = Path.of("src/main/java/io/heddle/cli/demo/OrderProgram.java");
    String code = Files.readString(source);
    String run = code.substring(code.indexOf("public List<Integer> call()"));

    assertThat(squeezed(run)).contains(squeezed(OrderProgram.TEXT));
  }

  private static String squeezed(String code) {
    return code.replaceAll("\\s+", "");
  }
}
